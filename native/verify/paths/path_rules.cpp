#include "verify/paths/path_rules.hpp"

#include <algorithm>
#include <cassert>

namespace pigro::verify {

using core::NodeKind;
using core::test_bit;

namespace {

std::size_t place_of(Id id) { return static_cast<std::size_t>(id); }

} // namespace

void PathRules::check(const Cut& cut, Id level) {
  const Piece& piece = cut.pieces[level];
  assert(piece.members <= piece.leaves_end && piece.leaves_end <= piece.members_end);
  level_ = level;
  path_ = &section_.path_levels[place_of(level)];
  const std::span<const Member> members(cut.members);
  tableau_.start(members.subspan(place_of(piece.members), place_of(piece.members_end - piece.members)),
                 piece.leaves_end - piece.members, *path_);
  words_ = path_->mark_words;
  first_vertex_ = path_->vertices.begin;
  const std::size_t vertices = place_of(path_->vertices.end - path_->vertices.begin);
  claimed_.assign(vertices, kNone);
  seen_.assign(vertices * words_, 0);
  ways_.assign(vertices, {});
  for (Id i = path_->sure.begin; i < path_->sure.end; ++i) check_sure(claims_.sure[i], i - path_->sure.begin);
  for (Id i = path_->bound.begin; i < path_->bound.end; ++i) check_bound(claims_.bound[i], i, i - path_->bound.begin);
  for (Id i = path_->parts.begin; i < path_->parts.end; ++i) check_part(claims_.parts[i], i, i - path_->parts.begin);
  check_masks();
}

// ---- moves

bool PathRules::is_exit(const Vertex& at) const {
  const Id here = component(at.operands);
  return at.node < model_.width(here) && model_.kind(model_.first(here) + at.node) == NodeKind::exit;
}

bool PathRules::has_all(const Word* marks) const {
  for (Id mark = 0; mark < path_->marks; ++mark) {
    if (!test_bit(marks, place_of(mark))) return false;
  }
  return true;
}

template <typename Take>
bool PathRules::branches(Id operands, Id state, Id node, Side side, Take&& take) {
  const std::span<const Truth> leaves = values_.leaves(operands);
  assert(leaves.size() == tableau_.leaves());
  letter_.assign(core::words_for(leaves.size()), 0);
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    if (tableau_.labelled(leaf) && test_bit(leaves[leaf].yes, place_of(node))) core::set_bit(letter_.data(), leaf);
  }
  around_.ticker.poll(1 + leaves.size());
  std::vector<const Branch*> taken; // what they lead to may work out other leaves
  for (const Branch& branch : tableau_.row(state, letter_)) {
    bool fits = true;
    for (std::size_t leaf = 0; leaf < leaves.size() && fits; ++leaf) {
      if (!test_bit(branch.tests.data(), leaf)) continue;
      fits =
          side == Side::sure ? test_bit(leaves[leaf].yes, place_of(node)) : !test_bit(leaves[leaf].no, place_of(node));
    }
    if (fits) taken.push_back(&branch);
  }
  return std::ranges::all_of(taken, [&](const Branch* branch) { return take(*branch); });
}

bool PathRules::may_end(Id operands, Id state, Id exit, Side side) {
  const Id here = component(operands);
  const Id node = model_.exits(here)[exit] - model_.first(here);
  return !branches(operands, state, node, side, [](const Branch& branch) { return !branch.ends; });
}

template <typename OnMove>
bool PathRules::go(OnMove& move, const Place& to, const Word* marks, bool inside) {
  const Vertex at{to.operands, to.state, to.node};
  around_.ticker.poll(1);
  return move(Move{claims_.find(to.operands, to.state, to.node), marks, inside, is_exit(at)});
}

template <typename OnMove, typename Alone>
bool PathRules::moves(Id vertex, Side side, OnMove&& move, Alone&& alone) {
  assert(vertex >= first_vertex_ && vertex < path_->vertices.end); // claims of a level are about its own vertices
  const Vertex at = claims_.vertices[vertex];
  const Id here = component(at.operands);
  const Id first = model_.first(here);
  const Id width = model_.width(here);
  const bool staying = at.node >= width;
  const Id node = staying ? model_.exits(here)[at.node - width] - first : at.node;
  const auto successors = staying ? std::span<const Id>() : model_.successors(first + node);
  const bool is_end = !staying && successors.empty();
  const bool stops = is_end && dead_ends_ == DeadEnds::stop;
  return branches(at.operands, at.state, node, side, [&](const Branch& branch) {
    if (branch.next == kNone || (stops && branch.ends)) return alone();
    if (stops) return true;
    if (branch.next == Branch::kUnlisted) return side == Side::sure || alone();
    if (staying || is_end) return go(move, {at.operands, branch.next, at.node}, branch.marks.data(), true);
    for (const Id to : successors) {
      const bool on = model_.kind(to) == NodeKind::call
                          ? call_moves(at.operands, to, branch, side, move, alone)
                          : go(move, {at.operands, branch.next, to - first}, branch.marks.data(), true);
      if (!on) return false;
    }
    return true;
  });
}

template <typename OnMove, typename Alone>
bool PathRules::call_moves(Id operands, Id call, const Branch& branch, Side side, OnMove& move, Alone& alone) {
  const Id box = model_.box(call);
  const Id caller = component(operands);
  const Id callee = model_.callee(box);
  const Id target = section_.link_of.find(operands, box - model_.first_box(caller));
  if (target == kNone) return side == Side::sure || alone();
  const Id entry = model_.subject(call) - model_.first(callee);
  if (!go(move, {target, branch.next, entry}, branch.marks.data(), false)) return false;
  const Id exits = model_.exit_count(callee);
  if (exits == 0) return true;
  const Id start = claims_.find(target, branch.next, entry);
  if (side == Side::possible && (start == kNone || claims_.table_of.find(0, start) == kNone)) return alone();
  if (start == kNone) return true;
  return summary(start, side, [&](Id pair, const Word* marks) {
    const Id state = pair / exits;
    const Id exit = pair % exits;
    const Id back = model_.return_node(box, exit);
    std::vector<Word> both(branch.marks);
    for (std::size_t i = 0; i < words_; ++i) both[i] |= marks[i];
    if (back != kNone) return go(move, {operands, state, back - model_.first(caller)}, both.data(), true);
    if (dead_ends_ == DeadEnds::stutter) {
      return go(move, {target, state, model_.width(callee) + exit}, both.data(), false);
    }
    return !may_end(target, state, exit, side) || alone();
  });
}

// The exit pairs that are surely reached from an entry, or all that may be. Needs: a table for those.
template <typename Visit>
bool PathRules::summary(Id entry, Side side, Visit&& visit) {
  if (side == Side::sure) {
    for (std::size_t i = 0; i < ways_[place_of(entry - first_vertex_)].size(); ++i) {
      const Way way = ways_[place_of(entry - first_vertex_)][i];
      if (!visit(way.pair, way.marks.data())) return false;
    }
    return true;
  }
  const BoundBlock block = claims_.bound[claims_.table_of.find(0, entry)];
  const Id exits = model_.exit_count(component(block.operands));
  const std::size_t width = place_of(exits) * path_->states.size();
  bool on = true;
  core::for_each_bit(block.exits, core::words_for(width), [&](std::size_t pair) {
    if (!on) return;
    const Id here = component(block.operands);
    const Id exit = model_.exits(here)[static_cast<Id>(pair) % exits] - model_.first(here);
    const Id vertex = claims_.find(block.operands, static_cast<Id>(pair) / exits, exit);
    const Id place = claims_.in_bound.find(claims_.table_of.find(0, entry), vertex);
    assert(place != kNone); // the exits of a block are those among its vertices
    on = visit(static_cast<Id>(pair), claims_.marks.data() + block.marks + place_of(place) * words_);
  });
  return on;
}

// ---- K2 to K5

void PathRules::check_sure(const SureBlock& block, Id index) {
  static constexpr int kRules[] = {5, 2, 4, 3};
  const int rule = kRules[static_cast<std::size_t>(block.kind)];
  block_ = index;
  const bool loops = block.kind == SureKind::loop;
  assert(block.list < block.list_end || (!loops && block.kind != SureKind::way)); // as the reader requires
  const Id base = loops ? claims_.listed[block.list] : kNone;
  bool closed = !loops;
  for (std::size_t i = block.list; i < block.list_end; ++i) {
    const Id vertex = claims_.listed[i];
    const bool fresh = claimed_[place_of(vertex - first_vertex_)] != index;
    if (fresh) std::fill_n(seen(vertex), words_, Word{0});
    const bool first = loops && i == block.list;
    if (!first && !check_vertex(block, vertex)) reject(rule, "block", index, claims_.vertices[vertex].node);
    claimed_[place_of(vertex - first_vertex_)] = index;
    closed = closed || (!first && vertex == base);
    if (block.kind == SureKind::live) claims_.vertices[vertex].live = true;
  }
  if (loops) {
    if (!closed || !has_all(seen(base))) reject(rule, "block", index, claims_.vertices[base].node);
    for (std::size_t i = block.list; i < block.list_end; ++i) claims_.vertices[claims_.listed[i]].live = true;
  }
  if (block.kind != SureKind::way) return;
  const Id width = model_.exit_count(component(block.operands)) * static_cast<Id>(path_->states.size());
  core::for_each_bit(block.exits, core::words_for(place_of(width)), [&](std::size_t pair) {
    const Id entry = claims_.listed[block.list_end - 1];
    std::vector<Way>& ways = ways_[place_of(entry - first_vertex_)];
    const auto known = std::ranges::find(ways, static_cast<Id>(pair), &Way::pair);
    if (known == ways.end()) {
      ways.push_back({static_cast<Id>(pair), std::vector<Word>(seen(entry), seen(entry) + words_)});
    } else {
      for (std::size_t i = 0; i < words_; ++i) known->marks[i] |= seen(entry)[i];
    }
  });
}

bool PathRules::check_vertex(const SureBlock& block, Id vertex) {
  const Vertex at = claims_.vertices[vertex];
  if (is_exit(at)) {
    if (block.operands == kNone) return false;
    const Id here = component(at.operands);
    const Id pair = at.state * model_.exit_count(here) + model_.ordinal(model_.first(here) + at.node);
    return test_bit(block.exits, place_of(pair));
  }
  bool fine = false;
  std::vector<Word> marks(seen(vertex), seen(vertex) + words_);
  moves(
      vertex, Side::sure,
      [&](const Move& move) {
        if (move.to == kNone) return true;
        fine = fine || claims_.vertices[move.to].live;
        const bool inside = move.inside || block.operands == kNone;
        if (!inside || claimed_[place_of(move.to - first_vertex_)] != block_) return true;
        fine = true;
        for (std::size_t i = 0; i < words_; ++i) marks[i] |= move.marks[i] | seen(move.to)[i];
        return true;
      },
      [&] { return fine = true; });
  std::ranges::copy(marks, seen(vertex));
  return fine;
}

// ---- K6 and K8

void PathRules::check_bound(const BoundBlock& block, Id number, Id index) {
  for (std::size_t i = block.list; i < block.list_end; ++i) {
    if (!stays_in(block, number, i)) reject(6, "bound block", index, claims_.vertices[claims_.listed[i]].node);
  }
}

bool PathRules::stays_in(const BoundBlock& block, Id number, std::size_t place) {
  const Id vertex = claims_.listed[place];
  if (is_exit(claims_.vertices[vertex])) return true;
  const bool marked = block.entry != kNone;
  const Word* const here = marked ? claims_.marks.data() + block.marks + (place - block.list) * words_ : nullptr;
  return moves(
      vertex, Side::possible,
      [&](const Move& move) {
        if (!move.inside) return true;
        const Id to = move.to == kNone ? kNone : claims_.in_bound.find(number, move.to);
        if (to == kNone) return false;
        const Word* const there = marked ? claims_.marks.data() + block.marks + place_of(to) * words_ : nullptr;
        for (std::size_t i = 0; marked && i < words_; ++i) {
          if (((here[i] | move.marks[i]) & ~there[i]) != 0) return false;
        }
        return true;
      },
      [] { return false; });
}

// ---- K7

void PathRules::check_part(const PathPart& part, Id number, Id index) {
  for (std::size_t i = part.list; i < part.list_end; ++i) {
    const Id vertex = claims_.listed[i];
    if (!ranks(part, number, vertex)) reject(7, "part", index, claims_.vertices[vertex].node);
  }
}

bool PathRules::ranks(const PathPart& part, Id number, Id vertex) {
  const Vertex at = claims_.vertices[vertex];
  if (is_exit(at)) return true;
  return moves(
      vertex, Side::possible,
      [&](const Move& move) {
        if (move.to_exit) return true;
        if (move.to == kNone || claims_.vertices[move.to].part == kNone) return false;
        const Vertex& to = claims_.vertices[move.to];
        if (to.part != number) return to.part < number;
        return part.mark == kNone ? to.place < at.place : !test_bit(move.marks, place_of(part.mark));
      },
      [] { return false; });
}

// ---- K9

void PathRules::check_masks() {
  const Level& level = section_.levels[level_];
  for (Id i = level.instances.begin; i < level.instances.end; ++i) {
    if (section_.instances[i].root) check_root(section_.instances[i], i - level.instances.begin);
  }
  for (Id i = level.instance_links.begin; i < level.instance_links.end; ++i) {
    check_link(section_.instance_links[i], i - level.instance_links.begin);
  }
}

bool PathRules::stays(Id operands, Id pair, bool value) const {
  const Id here = component(operands);
  const Id exits = model_.exit_count(here);
  const Id vertex = claims_.find(operands, pair / exits, model_.width(here) + pair % exits);
  if (vertex == kNone) return false;
  return value ? claims_.vertices[vertex].live : claims_.vertices[vertex].part != kNone;
}

void PathRules::check_root(const Instance& instance, Id index) {
  const Id pairs = model_.exit_count(component(instance.operands)) * static_cast<Id>(path_->states.size());
  for (const bool value : {true, false}) {
    core::for_each_bit(value ? instance.masks.yes : instance.masks.no, core::words_for(place_of(pairs)),
                       [&](std::size_t pair) {
                         const Id at = static_cast<Id>(pair);
                         if (!stays(instance.operands, at, value)) reject(9, "instance", index, at);
                       });
  }
}

void PathRules::check_link(const Link& link, Id index) {
  const Instance above = section_.instances[link.source];
  const Instance target = section_.instances[link.target];
  const Id caller = component(above.operands);
  const Id exits = model_.exit_count(component(target.operands));
  const Id box = model_.first_box(caller) + link.box;
  for (const bool value : {true, false}) {
    core::for_each_bit(value ? target.masks.yes : target.masks.no,
                       core::words_for(place_of(exits) * path_->states.size()), [&](std::size_t pair) {
                         const Id at = static_cast<Id>(pair);
                         const Id back = model_.return_node(box, at % exits);
                         bool fine = false;
                         if (back != kNone) {
                           const Id vertex = claims_.find(above.operands, at / exits, back - model_.first(caller));
                           fine = vertex != kNone && values_.has_value(above, vertex, value);
                         } else if (dead_ends_ == DeadEnds::stop) {
                           const Side side = value ? Side::sure : Side::possible;
                           fine = may_end(target.operands, at / exits, at % exits, side) == value;
                         } else {
                           fine = stays(target.operands, at, value);
                         }
                         if (!fine) reject(9, "instance link", index, at);
                       });
  }
}

} // namespace pigro::verify
