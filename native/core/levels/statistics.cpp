#include "core/levels/statistics.hpp"

#include <algorithm>

#include "core/levels/statics.hpp"

namespace pigro::core {

namespace {

class Counting {
 public:
  Counting(const Model& model, Semantics semantics) : model_(model), semantics_(semantics) {}

  Statistics run(std::span<const Id> starts) {
    for (Id n = 0; n < model_.nodes(); ++n) count_node(n);
    for (Id c = 0; c < model_.components(); ++c) {
      result_.most_exits = std::max(result_.most_exits, static_cast<std::int64_t>(model_.exit_count(c)));
    }
    count_missing_returns();
    count_recursive();
    count_unreachable(starts);
    return result_;
  }

 private:
  static void note(std::int64_t& count, Id& first, Id node) {
    if (count++ == 0) first = node;
  }

  void count_node(Id n) {
    const bool dead = model_.successors(n).empty();
    result_.edges += static_cast<std::int64_t>(model_.successors(n).size());
    result_.entries += model_.is_entry(n) ? 1 : 0;
    switch (model_.kind(n)) {
      case NodeKind::exit:
        ++result_.exits;
        result_.entry_exits += model_.is_entry(n) ? 1 : 0;
        break;
      case NodeKind::call:
        ++result_.calls;
        break;
      case NodeKind::ret:
        ++result_.returns;
        if (dead) note(result_.dead_return, result_.first_dead_return, n);
        break;
      case NodeKind::plain:
        if (dead && model_.box(n) == kNone) note(result_.dead_plain, result_.first_dead_plain, n);
        if (dead && model_.box(n) != kNone) count_stub(n);
        break;
    }
  }

  void count_stub(Id n) {
    if (semantics_ == Semantics::rsmcheck) return note(result_.dead_call, result_.first_dead_call, n);
    stubs_.push_back(n); // an exit reached without return node
  }

  void note_missing(Id box, Id exit) {
    if (result_.dead_missing++ > 0) return;
    result_.first_missing_box = box;
    result_.first_missing_exit = exit;
  }

  // Exits that some call of a box can reach, without any formula.
  void count_missing_returns() {
    StaticSummaries statics(model_);
    Query asker(model_, &statics, nullptr, {}, DeadEnds::stutter, Policy{}, {});
    std::vector<Word> exits;
    auto stub = stubs_.begin(); // nodes are in the order of their boxes
    for (Id box = 0; box < model_.boxes(); ++box) {
      const Id callee = model_.callee(box);
      if (model_.return_count(box) == model_.exit_count(callee)) continue;
      exits.assign(model_.exit_words(callee), 0);
      for (; stub != stubs_.end() && model_.box(*stub) == box; ++stub) {
        set_bit(exits.data(), static_cast<std::size_t>(model_.ordinal(model_.subject(*stub))));
      }
      for (Id i = 0; i < model_.call_count(box); ++i) {
        const Word* found = statics.reach(model_.first_call(box) + i, asker).exits;
        for (std::size_t w = 0; w < exits.size(); ++w) exits[w] |= found[w];
      }
      for_each_bit(exits.data(), exits.size(), [&](std::size_t ordinal) {
        if (model_.return_node(box, static_cast<Id>(ordinal)) == kNone)
          note_missing(box, model_.exits(callee)[ordinal]);
      });
    }
    assert(stub == stubs_.end()); // a box with a stub lacks a return node
  }

  // Components on a cycle of the call graph: [Tarjan1972] with its own stack.
  void count_recursive() {
    const auto count = static_cast<std::size_t>(model_.components());
    std::vector<Id> index(count, kNone), low(count, 0), next(count, 0), path, open;
    std::vector<bool> on_open(count, false), self(count, false);
    Id clock = 0;
    const auto enter = [&](Id c) {
      index[c] = low[c] = clock++;
      path.push_back(c);
      open.push_back(c);
      on_open[c] = true;
    };
    for (Id root = 0; root < model_.components(); ++root) {
      if (index[root] == kNone) enter(root);
      while (!path.empty()) {
        const Id c = path.back();
        if (next[c] < model_.box_count(c)) {
          const Id box = model_.first_box(c) + next[c]++;
          const Id callee = model_.callee(box);
          if (!model_.is_called(box)) continue;
          if (callee == c) self[c] = true;
          if (index[callee] == kNone) {
            enter(callee);
          } else if (on_open[callee]) {
            low[c] = std::min(low[c], index[callee]);
          }
          continue;
        }
        path.pop_back();
        if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[c]);
        if (low[c] != index[c]) continue;
        std::int64_t size = 0;
        for (bool more = true; more; ++size) {
          more = open.back() != c;
          on_open[open.back()] = false;
          open.pop_back();
        }
        if (size > 1 || self[c]) result_.recursive_components += size;
      }
      assert(open.empty());
    }
  }

  void count_unreachable(std::span<const Id> starts) {
    const std::vector<Word> reached = model_.reachable_components(starts);
    std::int64_t count = 0;
    for_each_bit(reached.data(), reached.size(), [&](std::size_t) { ++count; });
    assert(count <= model_.components());
    result_.unreachable_components = model_.components() - count;
  }

  const Model& model_;
  const Semantics semantics_;
  std::vector<Id> stubs_; // standard semantics: calls of entry-exit nodes without return node
  Statistics result_;
};

} // namespace

Statistics count(const Model& model, Semantics semantics, std::span<const Id> starts) {
  return Counting(model, semantics).run(starts);
}

} // namespace pigro::core
