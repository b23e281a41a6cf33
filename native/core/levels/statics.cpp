#include "core/levels/statics.hpp"

#include <atomic>
#include <deque>
#include <utility>

#include "core/levels/globally.hpp"
#include "core/levels/until.hpp"

namespace pigro::core {

namespace {

Program truth() { return {{{Step::Kind::truth}}}; }
Program falsity() { return {{{Step::Kind::truth}, {Step::Kind::negation, 0}}}; }

} // namespace

const LevelSpec& kReach =
    *new LevelSpec{.op = Op::until, .children = {}, .first = truth(), .second = falsity(), .leaves = {}, .path = {}};
const LevelSpec& kStay =
    *new LevelSpec{.op = Op::globally, .children = {}, .first = truth(), .second = {}, .leaves = {}, .path = {}};

// The searches of one operator, and what they found for each called entry.
template <typename LevelType>
struct StaticSummaries::Table {
  struct Work {
    Work(const Model& model, const LevelSpec& spec, Policy policy)
        : query(model, nullptr, nullptr, {}, DeadEnds::stutter, policy, {}), level(query, spec, {}) {}

    Query query;
    LevelType level;
  };

  struct Search {
    std::unique_ptr<Work> work;
    std::deque<Summary> found; // addresses stay valid, and point into the work
    std::atomic<bool> is_taken = true;
    Search* next = nullptr;
  };

  Table(const Model& model, const LevelSpec& spec, Policy policy = {})
      : model(model),
        spec(spec),
        policy(policy),
        known(make_zeroed<const Summary*>(static_cast<std::size_t>(model.called_entries()))) {}
  ~Table() {
    for (Search* each = searches.load(); each != nullptr;) delete std::exchange(each, each->next);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // A search that is not in use.
  Search& take() {
    for (Search* each = searches.load(std::memory_order_acquire); each != nullptr; each = each->next) {
      if (!each->is_taken.exchange(true, std::memory_order_acquire)) return *each;
    }
    auto made = std::make_unique<Search>();
    made->next = searches.load(std::memory_order_relaxed);
    while (!searches.compare_exchange_weak(made->next, made.get(), std::memory_order_acq_rel)) {
    }
    return *made.release();
  }

  // What the call can do.
  const Summary& answer(Search& search, Id call, const std::function<void(std::size_t)>& on_tick) {
    if (!search.work) search.work = std::make_unique<Work>(model, spec, policy);
    Work& work = *search.work;
    work.query.on_tick = on_tick;
    const Id operands = work.level.root_operands(model.callee(model.box(call)));
    Summary found = work.level.summary(operands, model.subject(call));
    assert(!found.hit || spec.op == Op::globally); // E [true U false] is never true
    if constexpr (std::is_same_v<LevelType, UntilLevel>) {
      if (policy.shortest) found.lengths = work.level.lengths(operands, model.subject(call));
    }
    work.query.on_tick = nullptr;
    return search.found.emplace_back(found);
  }

  const Model& model;
  const LevelSpec& spec;
  const Policy policy;
  std::atomic<Search*> searches = nullptr; // the newest one. None goes before the table does
  Zeroed<const Summary*> known;            // read and written atomically
};

StaticSummaries::StaticSummaries(const Model& model)
    : model_(model),
      reach_(std::make_unique<Table<UntilLevel>>(model, kReach)),
      measured_(std::make_unique<Table<UntilLevel>>(model, kReach, Policy{.shortest = true})),
      stay_(std::make_unique<Table<GloballyLevel>>(model, kStay)) {}
StaticSummaries::~StaticSummaries() = default;

template <typename LevelType>
Summary StaticSummaries::look_up(Table<LevelType>& table, Id call, Query& asker) {
  assert(model_.kind(call) == NodeKind::call);
  const std::atomic_ref known(table.known[static_cast<std::size_t>(model_.ordinal(call))]);
  if (const Summary* summary = known.load(std::memory_order_acquire)) return *summary;
  auto& search = table.take();
  try {
    const Summary& found = table.answer(search, call, asker.on_tick);
    assert(search.is_taken.load() && !search.work->query.on_tick); // by this thread alone
    known.store(&found, std::memory_order_release);
    search.is_taken.store(false, std::memory_order_release);
    return found;
  } catch (...) { // an interrupted search may have lost a step, so it is not used again
    if (search.found.empty()) {
      search.work.reset();
      search.is_taken.store(false, std::memory_order_release);
    }
    throw;
  }
}

Summary StaticSummaries::reach(Id call, Query& asker) {
  return look_up(asker.policy.shortest ? *measured_ : *reach_, call, asker);
}
Summary StaticSummaries::stay(Id call, Query& asker) { return look_up(*stay_, call, asker); }

} // namespace pigro::core
