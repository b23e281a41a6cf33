#include "core/check/check.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <system_error>

#include "core/check/make_levels.hpp"
#include "core/symbolic/functions.hpp"

namespace pigro::core {

namespace {

// Asks for every instance that calls lead to from the roots.
void force_instances(Query& query, Level& level, const std::set<Id>& root_components) {
  for (const Id component : root_components) level.root(component);
  for (Id instance = 0; instance < level.instances(); ++instance) {
    level.values(instance);
    const Id component = level.component_of(instance);
    for (Id i = 0; i < query.model.box_count(component); ++i) {
      query.poll();
      const Id box = query.model.first_box(component) + i;
      if (query.model.call_count(box) > 0) level.callee(instance, box);
    }
  }
}

// Thrown by a tentative attempt.
struct GivenUp {
  std::int64_t visited;
};

// Thrown when functions of contexts have decided.
struct DecidedByFunctions {};

constexpr std::int64_t kManyContexts = std::int64_t{1} << 13;

// Decides by functions of contexts, once there are many contexts, and again whenever there are several times as many.
class ByFunctions {
 public:
  ByFunctions(const Query& query, const std::vector<LevelSpec>& specs, const std::vector<Id>& starts)
      : query_(query), specs_(specs), starts_(starts) {}

  // Throws if that has decided, unless the contexts are needed for a certificate.
  void look() {
    const std::int64_t contexts = query_.counters.contexts;
    if (found_ || contexts < next_) return;
    next_ = std::max(next_, functions_needed(query_.model, specs_)); // there are more contexts than functions
    if (contexts < next_) return;
    // An attempt takes a part of the time that the contexts so far have taken: a step is less than a context.
    constexpr std::int64_t kStepsOfContext = 10;
    constexpr std::int64_t kGrowth = 4;
    next_ = contexts * kGrowth;
    decide(contexts * kStepsOfContext);
  }
  void decide(std::int64_t steps) {
    found_ = decide_by_functions(query_, specs_, starts_, steps);
    if (found_ && !query_.policy.certify) throw DecidedByFunctions{};
  }
  const std::optional<std::vector<bool>>& found() const { return found_; }

 private:
  const Query& query_;
  const std::vector<LevelSpec>& specs_;
  const std::vector<Id>& starts_;
  std::int64_t next_ = kManyContexts;
  std::optional<std::vector<bool>> found_;
};

struct Estimate {
  std::int64_t most_visits = 0; // forward, for one operand context of each component: a search for each called entry
  std::int64_t backward_steps = 0;
};

Estimate estimate(const Model& model, const std::vector<Word>& reachable) {
  Estimate sum;
  for_each_bit(reachable.data(), reachable.size(), [&](std::size_t bit) {
    const Id component = static_cast<Id>(bit);
    sum.most_visits += std::int64_t{model.called_entries(component)} * model.width(component);
    sum.backward_steps += Query::backward_steps(model, component);
  });
  return sum;
}

Policy policy_for(Engine engine, const Estimate& expected) {
  if (engine == Engine::exhaustive) return Policy::exhaustive();
  Policy policy = Policy::demand(engine == Engine::demand_backward ? Direction::backward : Direction::forward);
  constexpr std::int64_t kWorthwhile = 2; // else forward is never much worse
  policy.tentative = engine == Engine::demand && expected.most_visits > kWorthwhile * expected.backward_steps;
  if (engine == Engine::demand) policy.functions = Functions::late;
  if (engine == Engine::demand_functions) policy.functions = Functions::at_once;
  return policy;
}

// Whatever ends the check, tells how far it came.
struct KeptCounters {
  ~KeptCounters() {
    if (to != nullptr) *to = query.counters;
  }
  const Query& query;
  Counters* to;
};

// Asks the levels, in the order of the policy.
std::vector<bool> ask_levels(const Setting& setting, Query& query, const std::vector<std::unique_ptr<Level>>& levels) {
  if (query.policy.everything) {
    std::set<Id> root_components;
    for (const Id start : setting.starts) root_components.insert(setting.model.component(start));
    for (std::size_t j = 0; j + 1 < levels.size(); ++j) force_instances(query, *levels[j], root_components);
  }
  std::vector<bool> holds;
  for (const Id start : setting.starts) holds.push_back(levels.back()->holds_at(start));
  return holds;
}

CheckResult attempt(const Setting& setting, const Policy& policy, const FlatFormula& formula,
                    const std::function<void(std::size_t)>& on_tick, Counters* spent, SpareThreads* spare) {
  const Model& model = setting.model;
  const std::vector<LevelSpec> specs = cut_into_levels(formula);
  const bool has_paths = std::ranges::any_of(specs, [](const LevelSpec& spec) { return spec.op == Op::exists; });
  Query query(model, &setting.statics, setting.reachable.data(), formula.atom_labels, setting.dead_ends, policy,
              on_tick);
  const KeptCounters kept{query, spent};
  ByFunctions functions(query, specs, setting.starts);
  if (!has_paths && (policy.tentative || policy.functions == Functions::late)) {
    if (policy.tentative) query.expected_backward = setting.backward_steps;
    query.on_round = [&query, &functions] {
      const std::int64_t visited = query.counters.visited;
      const bool backward = query.policy.tentative && visited * Query::kStepsOfVisit > query.expected_backward;
      if (backward) throw GivenUp{visited};
      if (query.policy.functions == Functions::late) functions.look();
    };
  }
  std::atomic<bool> stop = false;
  const std::vector<bool> beside =
      operands_beside(query, specs, setting.starts.size(), spare == nullptr ? 0 : spare->count);
  const auto levels = make_levels(query, specs, [&](std::size_t number) -> std::unique_ptr<Level> {
    if (!beside[number]) return nullptr;
    try {
      spare->used = true;
      return std::make_unique<BesideLevel>(query, specs[number], formula.atom_labels, setting.starts[0], *spare, stop);
    } catch (const std::system_error&) { // no more threads
      return nullptr;
    }
  });
  CheckResult result;
  try {
    if (policy.functions == Functions::at_once && !has_paths)
      functions.decide(std::numeric_limits<std::int64_t>::max());
    result.holds = ask_levels(setting, query, levels);
  } catch (const DecidedByFunctions&) {
    result.holds = *functions.found();
  } catch (const OverLimit&) { // no room for the contexts that a certificate needs
    if (!functions.found()) throw;
    result.holds = *functions.found();
    result.counters = query.counters;
    return result;
  }
  assert(!functions.found() || *functions.found() == result.holds);
  result.counters = query.counters;
  if (policy.certify) {
    const auto began = std::chrono::steady_clock::now();
    try {
      result.certificate = certify(query, levels, specs, setting.starts, result.holds);
    } catch (const OverLimit&) { // finished verdicts stay
    } catch (const std::bad_alloc&) {
    }
    result.certify_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }
  return result;
}

} // namespace

Setting make_setting(const Model& model, StaticSummaries& statics, std::vector<Id> starts, DeadEnds dead_ends,
                     Engine engine, Proofs proofs) {
  std::vector<Word> reachable = model.reachable_components(starts);
  const Estimate estimated = estimate(model, reachable);
  Policy policy = policy_for(engine, estimated);
  if (proofs != Proofs::none) {
    policy.certify = true;
    policy.shortest = proofs == Proofs::shortest;
    policy.direction = Direction::forward; // whose searches leave paths
    policy.tentative = false;
    std::ranges::fill(reachable, ~Word{0}); // R9 speaks of all components
  }
  return {model, statics, std::move(starts), std::move(reachable), dead_ends, policy, estimated.backward_steps};
}

CheckResult check(const Setting& setting, const FlatFormula& formula, const std::function<void(std::size_t)>& on_tick,
                  Counters* spent, SpareThreads* spare) {
  std::int64_t in_vain = 0;
  try {
    return attempt(setting, setting.policy, formula, on_tick, spent, spare);
  } catch (const GivenUp& attempted) {
    assert(setting.policy.tentative && attempted.visited > 0);
    in_vain = attempted.visited;
  }
  Policy backward = setting.policy;
  backward.direction = Direction::backward;
  backward.tentative = false;
  CheckResult result = attempt(setting, backward, formula, on_tick, spent, spare);
  result.counters.visited += in_vain;
  return result;
}

std::optional<Run> find_run(const Model& model, StaticSummaries& statics, Id start, DeadEnds dead_ends,
                            const FlatFormula& formula, const std::function<void(std::size_t)>& on_tick) {
  Setting setting = make_setting(model, statics, {start}, dead_ends, Engine::demand_forward);
  setting.policy.trace = true;
  const std::vector<LevelSpec> specs = cut_into_levels(formula);
  assert(specs.size() >= 2);
  Query query(model, &statics, setting.reachable.data(), formula.atom_labels, dead_ends, setting.policy, on_tick);
  const auto levels = make_levels(query, specs);
  auto* const asked = dynamic_cast<PathLevel*>(levels[levels.size() - 2].get());
  if (asked == nullptr) throw std::invalid_argument("the formula is not E over a path formula");
  return asked->find_run(start);
}

} // namespace pigro::core
