#include "core/check/labelling.hpp"

#include <algorithm>

#include "core/check/make_levels.hpp"

namespace pigro::core {

Labelling::Labelling(const Model& model, StaticSummaries& statics, DeadEnds dead_ends, const FlatFormula& formula)
    : specs_(cut_into_levels(formula)),
      components_(words_for(static_cast<std::size_t>(model.components())), ~Word{0}),
      query_(model, &statics, components_.data(), formula.atom_labels, dead_ends, Policy{.any_box = true}, {}),
      levels_(make_levels(query_, specs_)),
      top_(dynamic_cast<BooleanTop&>(*levels_.back())) {}

void Labelling::close() {
  for (Id context = 0; context < contexts(); ++context) { // grows
    values(context);
    const Id first_box = model().first_box(component(context));
    for (Id i = 0; i < model().box_count(component(context)); ++i) {
      query_.poll();
      if (model().is_called(first_box + i)) callee(context, first_box + i);
    }
  }
}

void Labelling::reach(std::span<const Id> starts) {
  const auto nodes = static_cast<std::size_t>(model().nodes());
  query_.before_allocating(where_.size() * nodes * sizeof(Where));
  for (std::vector<Where>& each : where_) each.resize(nodes);
  std::size_t words = 0;
  for (Id at = 0; at < model().components(); ++at) {
    known_from_.push_back(words);
    words += model().words(at);
  }
  for (std::vector<Word>& each : known_) each.resize(words);

  Visits visits(model(), query_);
  visits.search(starts);
  for (const Id start : starts) {
    const Id at = model().component(start);
    add_pair(root(at), visits.start_place(at), {kNone, kNone, 0});
  }
  for (Id pair = 0; pair < pairs_.size(); ++pair) { // grows
    const Id context = pairs_.first(pair);
    const std::vector<Word>& seen = visits.seen(pairs_.second(pair));
    note(pair, seen);
    const Id first_node = model().first(component(context));
    const Id first_box = model().first_box(component(context));
    for (Id box = first_box; box < first_box + model().box_count(component(context)); ++box) {
      for (Id i = 0, call = model().first_call(box); i < model().call_count(box); ++i, ++call) {
        query_.poll();
        if (!test_bit(seen.data(), static_cast<std::size_t>(call - first_node))) continue;
        add_pair(callee(context, box), model().ordinal(call), {pair, box, calls_[pair].depth + 1});
      }
    }
  }
}

void Labelling::add_pair(Id context, Id place, Call call) {
  if (const std::size_t bytes = pairs_.bytes_to_grow(); bytes >= kLarge) query_.before_allocating(bytes);
  if (pairs_.number(context, place) < static_cast<Id>(calls_.size())) return;
  assert(calls_.empty() || calls_.back().depth <= call.depth); // Lab2
  query_.push(calls_, call);
}

void Labelling::note(Id pair, const std::vector<Word>& seen) {
  const Id at = component(pairs_.first(pair));
  const Word* value = values(pairs_.first(pair));
  assert(seen.size() == model().words(at));
  for (std::size_t w = 0; w < seen.size(); ++w) {
    query_.poll();
    const std::array<Word, 2> found{seen[w] & ~value[w], seen[w] & value[w]};
    for (std::size_t truth = 0; truth < found.size(); ++truth) {
      Word& known = known_[truth][known_from_[at] + w];
      const Word fresh = found[truth] & ~known;
      known |= fresh;
      for_each_bit(&fresh, 1, [&](std::size_t bit) {
        note_value(pair, model().first(at) + static_cast<Id>(w * kWordBits + bit), truth == 1);
      });
    }
  }
}

// The state is at the declared node, with the box of a return node still on the stack.
void Labelling::note_value(Id pair, Id node, bool value) {
  if (model().kind(node) == NodeKind::call) return; // Lab1
  const auto depth = [&](const Where& where) { return calls_[where.pair].depth + (model().box(where.node) != kNone); };
  Where& known = where_[value ? 1 : 0][model().subject(node)];
  const Where found{pair, node};
  if (known.pair == kNone || depth(found) < depth(known)) known = found;
}

Labelling::ReachedState Labelling::reached_state(Id node, bool value) const {
  const Where& where = where_[value ? 1 : 0][node];
  assert(where.pair != kNone && model().subject(where.node) == node);
  ReachedState found{{}, node};
  if (const Id box = model().box(where.node); box != kNone) found.boxes.push_back(box);
  for (Id pair = where.pair; calls_[pair].pair != kNone; pair = calls_[pair].pair) {
    found.boxes.push_back(calls_[pair].box);
  }
  std::ranges::reverse(found.boxes);
  return found;
}

} // namespace pigro::core
