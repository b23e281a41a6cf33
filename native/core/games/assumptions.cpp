#include "core/games/assumptions.hpp"

namespace pigro::core {

Id Assumptions::outcome(Id way, Id modality, Id rank) {
  const std::uint64_t hash =
      mix(mix(static_cast<std::uint64_t>(way), static_cast<std::uint64_t>(modality)), static_cast<std::uint64_t>(rank));
  return outcome_ids_.intern(
      hash,
      [&](Id id) {
        const OutcomeOfCall& other = outcomes_[id];
        return other.way == way && other.modality == modality && other.rank == rank;
      },
      [&] {
        outcomes_.push_back({way, modality, rank});
        return static_cast<Id>(outcomes_.size()) - 1;
      });
}

Id Assumptions::root(Id component) { return instance(component, kNone, {}); }

Id Assumptions::instance(Id component, Id scope, const std::vector<Id>& differs) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(component), static_cast<std::uint64_t>(scope));
  for (const Id each : differs) {
    assert(closure_.in_scope(outcomes_[each].modality, scope)); // U1
    hash = mix(hash, static_cast<std::uint64_t>(each));
  }
  return ids_.intern(
      hash,
      [&](Id id) {
        const Instance& other = instances_[id];
        return other.component == component && other.scope == scope && other.differs == differs;
      },
      [&] {
        instances_.push_back({component, scope, differs, {}, {}, {}, {}});
        return static_cast<Id>(instances_.size()) - 1;
      });
}

Id Assumptions::narrowed(Id wide, Id scope, std::vector<std::pair<Id, Id>>& to_ask) {
  if (is_root(wide) || instances_[wide].scope == scope) return wide;
  for (const auto& [known, narrow] : instances_[wide].narrower) {
    if (known == scope) return narrow;
  }
  std::vector<Id> differs;
  for (const Id each : instances_[wide].differs) {
    if (closure_.in_scope(outcomes_[each].modality, scope)) differs.push_back(each);
  }
  const Id narrow = instance(instances_[wide].component, scope, differs);
  instances_[wide].narrower.emplace_back(scope, narrow);
  instances_[narrow].wider.push_back(wide);
  for (const Id each : instances_[narrow].asked) to_ask.emplace_back(wide, each); // U2
  return narrow;
}

bool Assumptions::assumes(Id instance, Id outcome) const {
  return by_default(outcome) != std::ranges::binary_search(instances_[instance].differs, outcome);
}

bool Assumptions::has_asked(Id instance, Id outcome) const {
  return std::ranges::find(instances_[instance].asked, outcome) != instances_[instance].asked.end();
}

std::vector<Id>& Assumptions::ever_asked(Id component, Id scope) {
  const Id id = asked_ids_.number(component, scope);
  if (id == static_cast<Id>(ever_asked_.size())) ever_asked_.emplace_back();
  return ever_asked_[id];
}

void Assumptions::ask(Id instance, Id outcome, std::vector<Id>& fresh) {
  std::vector<Id> pending{instance};
  while (!pending.empty()) {
    const Id id = pending.back();
    pending.pop_back();
    if (has_asked(id, outcome)) continue;
    Instance& here = instances_[id];
    here.asked.push_back(outcome);
    fresh.push_back(id);
    pending.insert(pending.end(), here.wider.begin(), here.wider.end());
    std::vector<Id>& ever = ever_asked(here.component, here.scope);
    if (std::ranges::find(ever, outcome) == ever.end()) ever.push_back(outcome);
  }
}

} // namespace pigro::core
