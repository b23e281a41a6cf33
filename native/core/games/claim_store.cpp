#include "core/games/claims.hpp"

namespace pigro::core {

Id ClaimStore::number(const ClaimKey& key) {
  const std::uint64_t hash =
      mix(static_cast<std::uint64_t>(key.instance) << 32 | static_cast<std::uint32_t>(key.node),
          static_cast<std::uint64_t>(key.formula) << 32 | std::uint32_t{key.seen} << 16 | key.rank);
  return ids_.intern(
      hash, [&](Id id) { return claims_[id].key == key; },
      [&] {
        Claim made{.key = key};
        made.value = key.rank % 2 == 0;
        made.height = key.rank;
        ticker_.push(claims_, made);
        if (claims_.size() > static_cast<std::size_t>(INT32_MAX)) throw std::bad_alloc();
        return static_cast<Id>(claims_.size()) - 1;
      });
}

void ClaimStore::add_edge(Id from, Id to) {
  if (edges_.size() >= static_cast<std::size_t>(INT32_MAX)) throw std::bad_alloc();
  const auto edge = static_cast<Id>(edges_.size());
  ticker_.push(edges_, {to, from, claims_[to].reliers});
  claims_[to].reliers = edge;
}

void ClaimStore::justify(Id claim, bool value, std::span<const Id> relied_on, std::uint64_t now) {
  const auto first = static_cast<Id>(edges_.size());
  for (const Id other : relied_on) add_edge(claim, other);
  Claim& here = claims_[claim];
  here.first = relied_on.empty() ? 0 : first; // 0 is no edge of anybody
  here.count = static_cast<Id>(relied_on.size());
  here.value = value;
  here.at = now;
}

void ClaimStore::rely_also(Id claim, Id other) {
  const auto first = static_cast<Id>(edges_.size());
  for (Id place = 0; place < claims_[claim].count; ++place) add_edge(claim, edges_[claims_[claim].first + place].to);
  add_edge(claim, other);
  claims_[claim].first = first;
  ++claims_[claim].count;
}

void ClaimStore::reopen(Id claim) {
  Claim& here = claims_[claim];
  here.first = kNone;
  here.count = 0;
  here.value = here.key.rank % 2 == 0;
}

} // namespace pigro::core
