// Tests of the verifier on the small machine: EF done, from its start, by hand.
#include "verify/verify.hpp"

#include <array>
#include <random>
#include <string>

#include "tests/testing.hpp"
#include "verify/bytes.hpp"

namespace pigro::testing {

using namespace pigro::verify;
using core::DeadEnds;
using core::Semantics;

namespace {

using Octets = std::vector<std::uint8_t>;

Octets joined(std::initializer_list<Octets> parts) {
  Octets made;
  for (const Octets& part : parts) made.insert(made.end(), part.begin(), part.end());
  return made;
}

// E[true U done], where "done" is the label 1.
constexpr std::array<std::uint8_t, 3> kOps{0, 1, 6};
constexpr std::array<Id, 3> kLeft{kNone, 0, 0};
constexpr std::array<Id, 3> kRight{kNone, kNone, 1};
const std::vector<Id> kDone{1};
const std::vector<Id> kNever{kNone};

// main: 0 start, 1 end, 2 call b0.in, 3 return b0.out, 4 return b1.e. Helper: 0 in, 1 out.
const Octets kHolds{0, 1, 1, 0};                // no text, holds, one initial node: 0
const Octets kFails{0, 0, 1, 0};                //
const Octets kOperandContexts{2, 0, 1};         // of main and helper
const Octets kLinks{1, 0, 0, 1};                // main -b0-> helper
const Octets kRoot{1, 0, 1, 0, 0, 0};           // an instance, no links
const Octets kRelevant{0};                      // all
const Octets kPass{1, 1, 1, 2, 0, 2, 2, 1};     // helper, sure, entry in, {out}: out, in
const Octets kReach{0, 1, 1, 0, 4, 2, 6, 1, 5}; // main, sure, entry start, {}: end, b1.e, b0.out, start
const Octets kTop{1, 0, 1};

Octets holds_with(std::initializer_list<Octets> blocks) {
  return joined({kHolds,
                 kOperandContexts,
                 kLinks,
                 kRoot,
                 kRelevant,
                 {static_cast<std::uint8_t>(blocks.size())},
                 joined(blocks),
                 kTop});
}

std::string outcome(Verifier& verifier, const Octets& body, const std::vector<Id>& labels) {
  try {
    return verifier.formula(body, {kOps, kLeft, kRight, labels}).value_or("accepted");
  } catch (const Malformed&) {
    return "malformed";
  }
}

void test_bytes() {
  const Octets bytes{0x7f, 0x80, 0x01, 0xff, 0xff, 0xff, 0xff, 0x07, 0xff, 0xff, 0xff, 0xff, 0x08};
  Bytes numbers(bytes);
  EXPECT(numbers.number() == 127 && numbers.number() == 128 && numbers.number() == 0x7fffffff);
  bool refused = false;
  try {
    numbers.number();
  } catch (const Malformed&) {
    refused = true;
  }
  EXPECT(refused);
}

// The members of a set below `end`, as bits, or -1 if it is malformed.
std::int64_t set_of(const Octets& bytes, Id end) {
  Word bits = 0;
  try {
    Bytes from(bytes);
    from.set(from.number(), end, &bits);
    if (!from.at_end()) return -2;
  } catch (const Malformed&) {
    return -1;
  }
  return static_cast<std::int64_t>(bits);
}

void test_sets() {
  EXPECT(set_of({0}, 0) == 0 && set_of({1}, 0) == 0 && set_of({4, 0, 1}, 3) == 5);
  EXPECT(set_of({4, 0, 1}, 2) == -1 && set_of({4, 0}, 3) == -1 && set_of({2, 0xff}, 3) == -1);
  EXPECT(set_of({5, 5, 1}, 9) == 0x105 && set_of({5, 5, 1}, 8) == -1 && set_of({5, 5, 0}, 9) == 5 &&
         set_of({5, 5, 0}, 8) == -1);
  EXPECT(set_of({7, 1, 2}, 60) == -1);
}

void test_formulas(const core::Model& model) {
  Verifier verifier(model, DeadEnds::stutter);
  EXPECT(outcome(verifier, holds_with({kPass, kReach}), kDone) == "accepted");
  EXPECT(outcome(verifier, holds_with({kReach, kPass}), kDone) == "R3: level 1, block 0, node 0");
  EXPECT(outcome(verifier, holds_with({kPass, kReach}), kNever) == "R2: level 1, block 1, node 1");
  EXPECT(outcome(verifier, holds_with({kPass}), kDone) == "R8: level 2, initial node 0");
  const Octets crossed{1, 0, 1, 1}; // main -b1-> helper, which calls another one
  EXPECT(outcome(verifier, joined({kHolds, kOperandContexts, crossed, kRoot, kRelevant, {0}, kTop}), kDone) ==
         "R1: level 1, link 0");
  const Octets after = joined({holds_with({kPass, kReach}), {0}});
  EXPECT(outcome(verifier, after, kDone) == "malformed");
  const Octets call{0, 1, 0, 0, 1, 4}; // main, sure, no entry, {}: the call node
  EXPECT(outcome(verifier, holds_with({call}), kDone) == "malformed");
}

// Lemmas: helper goes to out for sure, and nowhere else. With them E[true U never] needs a block only for main.
void test_lemmas(const core::Model& model) {
  Verifier verifier(model, DeadEnds::stutter);
  const Octets fails = joined({kFails, {1, 0, 0, 1, 0, 1, 0, 0, 0}, {1}, {1, 0, 0, 1, 0, 8, 0, 0, 1, 0}, {1, 0, 1}});
  EXPECT(outcome(verifier, fails, kNever) == "R5: level 1, block 0, node 0");
  const Octets bound{0, 0, 1, 2, 0, 4, 0, 0}; // helper, bound, entry in, {out}: in, out
  const Octets wrong{0, 0, 1, 0, 4, 0, 0};    // {}
  const auto lemmas = [](const Octets& block) { return joined({{1, 1, 0, 0, 0, 1, 1}, block, {0, 0, 0, 0, 1, 0}}); };
  EXPECT(verifier.lemmas(lemmas(wrong)) == "R5: lemmas, level 1, block 0, node 1");
  EXPECT(outcome(verifier, fails, kNever) == "R5: level 1, block 0, node 0");
  EXPECT(verifier.lemmas(lemmas(bound)) == std::nullopt);
  EXPECT(outcome(verifier, fails, kNever) == "accepted");
  EXPECT(outcome(verifier, fails, kDone) == "R9: level 1, component 0, node 1");
}

// No bytes do harm, whatever they are: the sanitizers look on.
void test_hostile(const core::Model& model) {
  Verifier verifier(model, DeadEnds::stop);
  const Octets good = holds_with({kPass, kReach});
  std::mt19937 random(1);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    Octets body = good;
    for (int change = static_cast<int>(random() % 4); change >= 0; --change) {
      const std::size_t at = random() % body.size();
      body[at] = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : random() % 6);
    }
    body.resize(random() % 8 == 0 ? random() % body.size() : body.size());
    accepted += outcome(verifier, body, kNever) == "accepted" && body[1] == 1 ? 1 : 0;
  }
  EXPECT(accepted == 0);
}

} // namespace

void test_verify() {
  const Small small;
  const core::Model model = built(small.raw(), Semantics::standard);
  test_bytes();
  test_sets();
  test_formulas(model);
  test_lemmas(model);
  test_hostile(model);
}

} // namespace pigro::testing
