// One formula on one model: the engines.
#pragma once

#include <optional>

#include "core/check/beside.hpp"
#include "core/paths/path_runs.hpp"
#include "core/proofs/certify.hpp"

namespace pigro::core {

struct CheckResult {
  std::vector<bool> holds; // at each start node, with the empty stack
  Counters counters;
  std::optional<Certificate> certificate; // if the policy asks for it and the limits leave room for it
  double certify_seconds = 0;             // for the certificate, after the verdict was there
};

// `demand` begins forward and, where components have many entries, may give up and go backward. Where there are many
// contexts, it tries to do without (core/symbolic/functions.hpp). The others do one of these from the beginning.
enum class Engine : std::uint8_t { exhaustive, demand, demand_forward, demand_backward, demand_functions };

// Whether verdicts are to be proved, and with paths as short as can be.
enum class Proofs : std::uint8_t { none, any, shortest };

// Where every formula of a run starts, and what it may share.
struct Setting {
  const Model& model;
  StaticSummaries& statics;
  std::vector<Id> starts;      // declared nodes
  std::vector<Word> reachable; // components that calls lead to from there
  DeadEnds dead_ends;
  Policy policy;
  std::int64_t backward_steps; // for one operand context of each of these components
};

Setting make_setting(const Model& model, StaticSummaries& statics, std::vector<Id> starts, DeadEnds dead_ends,
                     Engine engine, Proofs proofs = Proofs::none);

// Throws what `on_tick` throws. An `OverLimit` while the certificate is made leaves the verdict without one. Of two
// attempts the counters are those of the second, but visits of both.
// If it throws, `spent` has the counters so far. It may be null. `spare` too: it changes no value and no counter.
CheckResult check(const Setting& setting, const FlatFormula& formula, const std::function<void(std::size_t)>& on_tick,
                  Counters* spent = nullptr, SpareThreads* spare = nullptr);

// A run with what `E f` says, from a declared node with the empty stack. None if there is no such run. Throws what
// `on_tick` throws. Needs: the formula is E over a path formula (Op::exists).
std::optional<Run> find_run(const Model& model, StaticSummaries& statics, Id start, DeadEnds dead_ends,
                            const FlatFormula& formula, const std::function<void(std::size_t)>& on_tick);

} // namespace pigro::core
