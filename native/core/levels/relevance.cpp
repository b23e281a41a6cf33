#include "core/levels/relevance.hpp"

namespace pigro::core {

// Refinement costs two passes for each component with such a node.
bool is_sparse(const Query& query, const Cover& cover) {
  std::int64_t using_nodes = 0;
  for (const Id atom : cover.atoms) using_nodes += query.weights()[atom];
  constexpr std::int64_t kFew = 64;
  constexpr std::int64_t kShare = 100; // of all nodes
  return using_nodes <= kFew || using_nodes * kShare <= query.model.nodes();
}

void ComponentSet::insert_with_callers(const Model& model, std::vector<Id> pending) {
  for (const Id component : pending) insert(model, component);
  while (!pending.empty()) {
    const Id component = pending.back();
    pending.pop_back();
    for (const Id box : model.boxes_calling(component)) {
      const Id caller = model.box_component(box);
      if (model.call_count(box) > 0 && insert(model, caller)) pending.push_back(caller);
    }
  }
  for (Id box = 0; box < model.boxes(); ++box) { // N2, N3: closed over callers
    assert(model.call_count(box) == 0 || !has(model.callee(box)) || has(model.box_component(box)));
  }
}

Relevance::Relevance(Query& query, const LevelSpec& spec, RefinementSource& source)
    : uses_child_(spec.children.size()), needs_context_(spec.children.size()), unsettled_(spec.children.size()) {
  const std::size_t children = spec.children.size();
  if (!query.policy.skip_irrelevant || spec.op == Op::truth) {
    for (std::size_t i = 0; i < children; ++i) {
      uses_child_[i].set_all();
      needs_context_[i].set_all();
    }
    relevant_.set_all();
    return;
  }
  std::vector<ProgramCovers> covers;
  for (const Program* program : programs_of(spec)) covers.push_back(cover(*program, children, query.weights()));
  const bool at_calls = spec.op == Op::next; // the searches of EU, EG and paths never look at a call node itself
  for (std::size_t i = 0; i < children; ++i) {
    Cover depends;
    for (const ProgramCovers& each : covers) depends = join(depends, each.depends[i]);
    find_uses(query, i, std::move(depends), at_calls, source);
  }
  if (spec.op == Op::exists) {
    find_unusual(query, covers);
    if (query.dead_ends == DeadEnds::stop) find_ends(query);
  } else {
    find_relevant(query, spec, covers, source);
  }
}

std::vector<Cover> covers_of_children(const LevelSpec& spec, const std::vector<std::int64_t>& weights) {
  std::vector<Cover> found(spec.children.size());
  for (const Program* program : programs_of(spec)) {
    const ProgramCovers covers = cover(*program, found.size(), weights);
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = join(found[i], covers.depends[i]);
  }
  return found;
}

Relevance::Found Relevance::find(ComponentSet& components, Query& query, Cover cover, bool at_calls) {
  Found found{.cover = std::move(cover), .components = {}};
  assert(found.cover.all || query.reachable != nullptr);
  if (found.cover.all) {
    components.set_all();
    return found;
  }
  const Model& model = query.model;
  const auto add = [&](Id node) {
    query.poll();
    const Id component = model.component(node);
    if (!test_bit(query.reachable, static_cast<std::size_t>(component))) return;
    if (components.insert(model, component)) found.components.push_back(component);
  };
  for (const Id atom : found.cover.atoms) {
    const Id label = query.label(atom);
    if (label == kNone) continue;
    for (const Id node : model.labelled(label)) {
      add(node);
      for (const Id ret : model.returns_of_exit(node)) add(ret);
      if (at_calls) {
        for (const Id call : model.calls_of_entry(node)) add(call);
      }
    }
  }
  return found;
}

void Relevance::find_uses(Query& query, std::size_t child, Cover cover, bool at_calls, RefinementSource& source) {
  const Found found = find(uses_child_[child], query, std::move(cover), at_calls);
  if (uses_child_[child].all()) {
    needs_context_[child].set_all();
    unsettled_[child].set_all();
    return;
  }
  const Model& model = query.model;
  const bool refine = is_sparse(query, found.cover);
  std::vector<Id> dependent;
  std::vector<Word> using_nodes;
  for (const Id component : found.components) {
    if (refine && source.context_free(child, component)) { // N4
      using_nodes.assign(model.words(component), 0);
      for (std::size_t w = 0; w < using_nodes.size(); ++w) {
        const std::size_t node = static_cast<std::size_t>(model.first(component)) + w * kWordBits;
        for (const Id atom : found.cover.atoms) using_nodes[w] |= query.atom_word(atom, node);
      }
      using_nodes.back() &= tail_mask(static_cast<std::size_t>(model.width(component)));
      if (!source.depends_on_context(child, component, using_nodes.data())) continue;
    }
    dependent.push_back(component);
    unsettled_[child].insert(model, component);
  }
  needs_context_[child].insert_with_callers(model, std::move(dependent)); // N2
}

void Relevance::find_relevant(Query& query, const LevelSpec& spec, const std::vector<ProgramCovers>& covers,
                              RefinementSource& source) {
  if (spec.op == Op::next) return relevant_.set_all();
  const ProgramCovers& first = covers[0];
  const ProgramCovers& second = covers[1];
  ComponentSet candidates;
  // phi2 true or phi1 false. Of EG, phi false
  const Found found = find(candidates, query, join(first.maybe_false, second.maybe_true), false);
  if (candidates.all()) return relevant_.set_all();
  std::vector<Id> relevant;
  for (const Id component : found.components) {
    bool settled = true;
    std::vector<bool> asked;
    for (std::size_t i = 0; i < unsettled_.size(); ++i) {
      settled = settled && !unsettled_[i].has(component);
      asked.push_back(uses_child_[i].has(component));
    }
    const bool irrelevant = settled && !source.takes(spec.first, false, component, asked) &&
                            (spec.op != Op::until || !source.takes(spec.second, true, component, asked));
    if (!irrelevant) relevant.push_back(component);
  }
  relevant_.insert_with_callers(query.model, std::move(relevant)); // N3
}

void Relevance::find_unusual(Query& query, const std::vector<ProgramCovers>& covers) {
  if (covers.size() > kWordBits) return relevant_.set_all();
  unusual_.resize(covers.size());
  for (std::size_t i = 0; i < covers.size(); ++i) {
    ComponentSet candidates;
    Found found = find(candidates, query, usual_value(covers[i]).except, false);
    if (candidates.all()) {
      unusual_[i].set_all();
    } else {
      unusual_[i].insert_with_callers(query.model, std::move(found.components)); // N5
    }
  }
}

void Relevance::find_ends(Query& query) {
  const Model& model = query.model;
  std::vector<Id> found;
  for (Id node = 0; node < model.nodes(); ++node) {
    query.poll();
    const NodeKind kind = model.kind(node);
    const bool ends = (kind == NodeKind::plain || kind == NodeKind::ret) && model.successors(node).empty();
    if (ends) found.push_back(model.component(node));
  }
  for (Id box = 0; box < model.boxes(); ++box) {
    const bool all = model.return_count(box) == model.exit_count(model.callee(box));
    if (!all) found.push_back(model.box_component(box));
  }
  ends_.insert_with_callers(model, std::move(found)); // N5
}

} // namespace pigro::core
