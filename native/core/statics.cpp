#include "core/statics.hpp"

#include <atomic>

#include "core/globally.hpp"
#include "core/until.hpp"

namespace pigro::core {

namespace {

const Program kTruth{{{Step::Kind::truth}}};
const Program kFalsity{{{Step::Kind::truth}, {Step::Kind::negation, 0}}};
} // namespace

const LevelSpec kReach{.op = Op::until, .children = {}, .first = kTruth, .second = kFalsity};
const LevelSpec kStay{.op = Op::globally, .children = {}, .first = kTruth, .second = {}};

// The searches of one operator, and what they found for each called entry.
template <typename LevelType>
struct StaticSummaries::Table {
  struct Search {
    Search(const Model& model, const LevelSpec& spec, Policy policy)
        : query(model, nullptr, nullptr, {}, DeadEnds::stutter, policy, {}), level(query, spec, {}) {}

    Query query;
    LevelType level;
  };

  Table(const Model& model, const LevelSpec& spec, Policy policy = {})
      : model(model),
        spec(spec),
        policy(policy),
        known(make_zeroed<const Summary*>(static_cast<std::size_t>(model.called_entries()))) {
    begin();
  }

  void begin() { searches.push_back(std::make_unique<Search>(model, spec, policy)); }

  const Model& model;
  const LevelSpec& spec;
  const Policy policy;
  std::vector<std::unique_ptr<Search>> searches; // the last one is in use; summaries point into all
  std::deque<Summary> found;                     // addresses stay valid
  Zeroed<const Summary*> known;                  // read and written atomically
};

StaticSummaries::StaticSummaries(const Model& model)
    : model_(model),
      reach_(std::make_unique<Table<UntilLevel>>(model, kReach)),
      measured_(std::make_unique<Table<UntilLevel>>(model, kReach, Policy{.shortest = true})),
      stay_(std::make_unique<Table<GloballyLevel>>(model, kStay)) {}
StaticSummaries::~StaticSummaries() = default;

template <typename LevelType>
Summary StaticSummaries::look_up(Table<LevelType>& table, Id call, Query& asker) {
  const std::atomic_ref known(table.known[static_cast<std::size_t>(model_.ordinal(call))]);
  if (const Summary* summary = known.load(std::memory_order_acquire)) return *summary;
  const std::lock_guard lock(mutex_);
  if (const Summary* summary = known.load(std::memory_order_relaxed)) return *summary;
  auto& search = *table.searches.back();
  search.query.on_tick = asker.on_tick;
  try {
    const Id argument = search.level.root_argument(model_.callee(model_.box(call)));
    Summary found = search.level.summary(argument, model_.subject(call));
    if constexpr (std::is_same_v<LevelType, UntilLevel>) {
      if (table.policy.shortest) found.lengths = search.level.lengths(argument, model_.subject(call));
    }
    table.found.push_back(found);
  } catch (...) {
    table.begin(); // an interrupted search may have lost a step
    throw;
  }
  known.store(&table.found.back(), std::memory_order_release);
  return table.found.back();
}

Summary StaticSummaries::reach(Id call, Query& asker) {
  return look_up(asker.policy.shortest ? *measured_ : *reach_, call, asker);
}
Summary StaticSummaries::stay(Id call, Query& asker) { return look_up(*stay_, call, asker); }

} // namespace pigro::core
