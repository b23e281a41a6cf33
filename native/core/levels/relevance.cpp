#include "core/levels/relevance.hpp"

namespace pigro::core {

namespace {

// Refinement pays where few nodes ask: it costs two passes for each component with such a node.
bool is_sparse(const Query& query, const Cover& cover) {
  std::int64_t asking = 0;
  for (const Id atom : cover.atoms) asking += query.weights()[atom];
  constexpr std::int64_t kFew = 64;
  constexpr std::int64_t kShare = 100; // of all nodes
  return asking <= kFew || asking * kShare <= query.model.nodes();
}

} // namespace

void Marks::insert_with_callers(const Model& model, std::vector<Id> pending) {
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
    : asks_(spec.children.size()), needs_(spec.children.size()), unsettled_(spec.children.size()) {
  const std::size_t children = spec.children.size();
  if (!query.policy.skip_irrelevant || spec.op == Op::truth) {
    for (std::size_t i = 0; i < children; ++i) {
      asks_[i].set_all();
      needs_[i].set_all();
    }
    hot_.set_all();
    return;
  }
  const ProgramCovers first = cover(spec.first, children, query.weights());
  const ProgramCovers second = cover(spec.second, children, query.weights());
  const bool at_calls = spec.op == Op::next; // the searches of EU and EG never look at a call node itself
  for (std::size_t i = 0; i < children; ++i) {
    find_asks(query, i, join(first.depends[i], second.depends[i]), at_calls, source);
  }
  find_hot(query, spec, first, second, source);
}

Relevance::Found Relevance::find(Marks& marks, Query& query, Cover cover, bool at_calls) {
  Found found{.cover = std::move(cover), .components = {}};
  assert(found.cover.all || query.reachable != nullptr);
  if (found.cover.all) {
    marks.set_all();
    return found;
  }
  const Model& model = query.model;
  const auto add = [&](Id node) {
    query.poll();
    const Id component = model.component(node);
    if (!test_bit(query.reachable, static_cast<std::size_t>(component))) return;
    if (marks.insert(model, component)) found.components.push_back(component);
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

void Relevance::find_asks(Query& query, std::size_t child, Cover cover, bool at_calls, RefinementSource& source) {
  const Found found = find(asks_[child], query, std::move(cover), at_calls);
  if (asks_[child].all()) {
    needs_[child].set_all();
    unsettled_[child].set_all();
    return;
  }
  const Model& model = query.model;
  const bool refine = is_sparse(query, found.cover);
  std::vector<Id> dependent;
  std::vector<Word> asking;
  for (const Id component : found.components) {
    if (refine && source.context_free(child, component)) { // N4
      asking.assign(model.words(component), 0);
      for (std::size_t w = 0; w < asking.size(); ++w) {
        const std::size_t node = static_cast<std::size_t>(model.first(component)) + w * kWordBits;
        for (const Id atom : found.cover.atoms) asking[w] |= query.atom_word(atom, node);
      }
      asking.back() &= tail_mask(static_cast<std::size_t>(model.width(component)));
      if (!source.depends_on_context(child, component, asking.data())) continue;
    }
    dependent.push_back(component);
    unsettled_[child].insert(model, component);
  }
  needs_[child].insert_with_callers(model, std::move(dependent)); // N2
}

void Relevance::find_hot(Query& query, const LevelSpec& spec, const ProgramCovers& first, const ProgramCovers& second,
                         RefinementSource& source) {
  if (spec.op == Op::next) return hot_.set_all();
  Marks candidates;
  // phi2 true or phi1 false; of EG, phi false
  const Found found = find(candidates, query, join(first.maybe_false, second.maybe_true), false);
  if (candidates.all()) return hot_.set_all();
  std::vector<Id> hot;
  for (const Id component : found.components) {
    bool settled = true;
    std::vector<bool> asked;
    for (std::size_t i = 0; i < unsettled_.size(); ++i) {
      settled = settled && !unsettled_[i].has(component);
      asked.push_back(asks_[i].has(component));
    }
    const bool cold = settled && !source.takes(spec.first, false, component, asked) &&
                      (spec.op != Op::until || !source.takes(spec.second, true, component, asked));
    if (!cold) hot.push_back(component);
  }
  hot_.insert_with_callers(query.model, std::move(hot)); // N3
}

} // namespace pigro::core
