// The bytes of the claims of a path formula, as docs/certificate-format.md has them.
#include <algorithm>
#include <cassert>

#include "core/proofs/path_proof.hpp"

namespace pigro::core {

void PathProof::write(ByteWriter& to) const {
  write_states(to);
  write_operand_contexts(to);
  write_instances(to);
  to.number(sure_.size());
  for (const SureBlock& block : sure_) write_sure(to, block);
  to.number(bound_.size());
  for (const BoundBlock& block : bound_) write_bound(to, block);
  write_parts(to);
}

// The leaves and then the path formulas. The level has the negation of each.
void PathProof::write_states(ByteWriter& to) const {
  const auto leaves = static_cast<Id>(spec_.leaves.size());
  const Id members = path_.formula_.size() - leaves; // leaves have two nodes each
  assert(members >= leaves);
  to.number(path_.automaton_.sets());
  std::vector<Word> bits(words_for(static_cast<std::size_t>(members)));
  for (Id set = 0; set < path_.automaton_.sets(); ++set) {
    std::ranges::fill(bits, 0);
    path_.automaton_.for_each_member(set, [&](Id node) {
      set_bit(bits.data(), static_cast<std::size_t>(node < 2 * leaves ? node / 2 : node - leaves));
    });
    to.set(bits.data(), bits.size());
  }
}

void PathProof::write_pairs(ByteWriter& to, Id component, std::span<const std::pair<Id, Id>> pairs) const {
  const auto exits = static_cast<std::size_t>(model_.exit_count(component));
  std::vector<Word> bits(words_for(exits * static_cast<std::size_t>(path_.automaton_.sets())));
  for (const auto& [state, exit] : pairs) {
    assert(state < path_.automaton_.sets() && exit < model_.exit_count(component));
    set_bit(bits.data(), static_cast<std::size_t>(state) * exits + static_cast<std::size_t>(exit));
  }
  to.set(bits.data(), bits.size());
}

void PathProof::write_masks(ByteWriter& to, Id id) const {
  const auto at = static_cast<std::size_t>(id);
  const Id component = operand_contexts_[instances_[id].operands].component;
  const Values none;
  const Values& values = at < values_.size() ? values_[at] : none;
  for (const auto* mask : {&values.yes, &values.no}) {
    write_pairs(to, component, std::vector<std::pair<Id, Id>>(mask->begin(), mask->end()));
  }
}

void PathProof::write_places(ByteWriter& to, std::span<const Place> places, bool with_operands) const {
  to.number(places.size());
  Id last = 0;
  for (const Place& at : places) {
    if (with_operands) to.number(at.operands);
    to.number(at.state);
    const std::int64_t step = std::int64_t{at.node} - last;
    to.number(static_cast<std::uint64_t>(step >= 0 ? 2 * step : -2 * step - 1));
    last = at.node;
  }
}

void PathProof::write_sure(ByteWriter& to, const SureBlock& block) const {
  to.number(static_cast<Id>(block.kind));
  const bool inside = block.kind == Kind::value || block.kind == Kind::way;
  if (inside) {
    to.number(block.operands);
    std::vector<std::pair<Id, Id>> pairs;
    for (const Pair& exit : block.exits) pairs.push_back({exit.state, model_.ordinal(exit.node)});
    write_pairs(to, operand_contexts_[block.operands].component, pairs);
  }
  write_places(to, block.places, !inside);
}

void PathProof::write_bound(ByteWriter& to, const BoundBlock& block) const {
  const Id component = operand_contexts_[block.operands].component;
  const Id first_node = model_.first(component);
  const auto width = static_cast<std::size_t>(model_.width(component));
  const bool is_key = block.key != kNone;
  const Id marks = is_key ? path_.automaton_.releases() : 0;
  std::map<Id, std::vector<std::vector<Word>>> rows; // by state: the nodes, and those with each mark
  const auto row = [&](Id state) -> std::vector<std::vector<Word>>& {
    auto& found = rows[state];
    if (found.empty()) found.assign(static_cast<std::size_t>(marks) + 1, std::vector<Word>(words_for(width)));
    return found;
  };
  for (const Id vertex : block.vertices) {
    set_bit(row(graph_.place(vertex).state)[0].data(),
            static_cast<std::size_t>(graph_.place(vertex).node - first_node));
  }
  if (is_key) {
    const PathLevel::Table& table = path_.tables_[block.key];
    for (std::size_t state = 0; state < table.rows.size(); ++state) {
      const Word* seen = table.rows[state].marks;
      for (std::size_t node = 0; seen != nullptr && node < width; ++node, seen += path_.mark_words_) {
        const bool is_call = model_.kind(first_node + static_cast<Id>(node)) == NodeKind::call;
        if ((seen[0] & PathLevel::kReached) == 0 || is_call) continue;
        auto& bits = row(static_cast<Id>(state));
        set_bit(bits[0].data(), node);
        for (std::size_t mark = 0; mark < static_cast<std::size_t>(marks); ++mark) {
          if (test_bit(seen, kFirstMark + mark)) set_bit(bits[mark + 1].data(), node);
        }
      }
    }
  }
  to.number(block.operands);
  to.number(Id{is_key});
  if (is_key) {
    to.number(block.entry.state);
    to.number(block.entry.node - first_node);
  }
  to.number(rows.size());
  for (const auto& [state, sets] : rows) {
    to.number(state);
    for (const auto& bits : sets) to.set(bits.data(), bits.size());
  }
}

// Parts without inner moves one after the other are one list.
void PathProof::write_parts(ByteWriter& to) const {
  struct Group {
    Id mark;
    std::vector<Place> places;
  };
  std::vector<Group> groups;
  Id last = kNone;
  for (const Id vertex : dead_vertices_) {
    const Id number = graph_.part_of(vertex);
    const ProofGraph::Part& part = graph_.part(number);
    const Id mark = part.has_moves ? part.mark : kNone;
    if (groups.empty() || (number != last && (mark != kNone || groups.back().mark != kNone)))
      groups.push_back({mark, {}});
    last = number;
    const ProofGraph::Place at = graph_.place(vertex);
    const Id node = graph_.node_read(vertex);
    const Id component = model_.component(node);
    const Id local =
        graph_.stays(vertex) ? model_.width(component) + model_.ordinal(node) : node - model_.first(component);
    groups.back().places.push_back({known_operands(at.operands), at.state, local});
  }
  to.number(groups.size());
  for (const Group& group : groups) {
    to.number(group.mark + 1);
    write_places(to, group.places, true);
  }
}

} // namespace pigro::core
