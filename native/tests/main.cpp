// Tests of the native core without Python: `make asan` runs them with sanitizers and assertions.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/check/check.hpp"
#include "core/check/labelling.hpp"
#include "core/levels/statistics.hpp"
#include "core/symbolic/diagrams.hpp"
#include "tests/testing.hpp"

using namespace pigro::core;
using namespace pigro::testing;

namespace {

void test_bits() {
  std::array<Word, 4> words{};
  set_bit(words.data(), 63);
  set_bit(words.data(), 64);
  set_bit(words.data(), 130);
  EXPECT(test_bit(words.data(), 63) && test_bit(words.data(), 64) && !test_bit(words.data(), 65));
  EXPECT(!insert_bit(words.data(), 64) && insert_bit(words.data(), 65));
  clear_bit(words.data(), 65);
  EXPECT(word_at(words.data(), 63) == 3 && word_at(words.data(), 0) == Word{1} << 63);
  EXPECT(word_at(words.data(), 64) == 1 && word_at(words.data(), 67) == Word{1} << 63);
  std::vector<std::size_t> found;
  for_each_bit(words.data(), 4, [&](std::size_t bit) { found.push_back(bit); });
  EXPECT(found == std::vector<std::size_t>{63, 64, 130});
  EXPECT(tail_mask(64) == ~Word{0} && tail_mask(3) == 7 && tail_mask(65) == 1);
  EXPECT(words_for(0) == 0 && words_for(64) == 1 && words_for(65) == 2);
}

void test_arena() {
  Arena arena;
  std::vector<Word*> made;
  for (std::size_t i = 0; i < 3000; ++i) {
    made.push_back(arena.make<Word>(i % 7));
    for (std::size_t j = 0; j < i % 7; ++j) {
      EXPECT(made.back()[j] == 0);
      made.back()[j] = i;
    }
  }
  for (std::size_t i = 0; i < 3000; ++i) EXPECT(i % 7 == 0 || made[i][0] == i);
  Id* ids = arena.make_ids(5);
  EXPECT(ids[0] == kNone && ids[4] == kNone);
}

void test_interner() {
  Interner interner;
  std::vector<std::uint64_t> values;
  const auto id_of = [&](std::uint64_t value) {
    return interner.intern(
        value % 17, [&](Id id) { return values[id] == value; },
        [&] {
          values.push_back(value);
          return static_cast<Id>(values.size() - 1);
        });
  };
  for (std::uint64_t round = 0; round < 2; ++round) {
    for (std::uint64_t value = 0; value < 500; ++value) EXPECT(id_of(value) == static_cast<Id>(value));
  }
  EXPECT(interner.size() == 500);
}

std::string fault_of(const Small& small) {
  try {
    const Model model = built(small.raw(), Semantics::standard);
    return "none";
  } catch (const ModelFault& fault) {
    return fault.what();
  }
}

void test_model() {
  const Small small;
  const Model model = built(small.raw(), Semantics::standard);
  // main: start, end, call b0.in, return b0.out, return b1.e. Helper: in, out. One: e
  EXPECT(model.nodes() == 8 && model.components() == 3 && model.boxes() == 2 && model.edges() == 4);
  EXPECT(model.kind(2) == NodeKind::call && model.kind(3) == NodeKind::ret && model.kind(4) == NodeKind::ret);
  EXPECT(model.subject(2) == 5 && model.subject(3) == 6 && model.subject(4) == 7);
  EXPECT(model.call_count(1) == 0); // the call of the entry-exit node went to the return node
  EXPECT(model.successors(3).size() == 1 && model.successors(3)[0] == 4);
  EXPECT(model.return_node(0, 0) == 3 && model.return_node(1, 0) == 4);
  EXPECT(model.node_of_declared(4) == 7 && model.declared_of_node(7) == 4);
  std::vector<Word> bits(2, 0);
  model.mark_label(0, bits.data());
  EXPECT(bits[0] == ((Word{1} << 6) | (Word{1} << 3)));
  const Statistics counted = count(model, Semantics::standard, std::array<Id, 1>{0});
  EXPECT(counted.entry_exits == 1 && counted.recursive_components == 0 && counted.unreachable_components == 0);
  EXPECT(counted.dead_plain == 1 && counted.first_dead_plain == 1 && counted.dead_missing == 0);

  const Model published = built(small.raw(), Semantics::rsmcheck);
  EXPECT(published.nodes() == 9 && published.kind(5) == NodeKind::plain && published.box(5) == 1);
  EXPECT(count(published, Semantics::rsmcheck, std::array<Id, 1>{0}).dead_call == 1);
}

// A ticker can stop it in each of its passes, and then nothing is left of it.
void test_stopped_model() {
  constexpr int kNodes = 20000;
  Small chain; // main has so many nodes in a row
  chain.component_offsets = {0, kNodes};
  chain.flags.assign(kNodes, 0);
  chain.box_offsets = {0, 0};
  chain.call_offsets = chain.return_offsets = {0};
  chain.box_callee = chain.call_entries = chain.return_exits = {};
  chain.sources.clear();
  chain.targets.clear();
  for (Id n = 0; n + 1 < kNodes; ++n) {
    chain.sources.push_back(n);
    chain.targets.push_back(n + 1);
  }
  std::size_t announced = 0;
  const auto is_stopped = [&](int last) {
    Ticker ticker([&](std::size_t bytes) { announced = std::max(announced, bytes); });
    ticker.on_round = [last, rounds = 0]() mutable {
      if (++rounds == last) throw OverLimit();
    };
    try {
      const Model model(chain.raw(), Semantics::standard, ticker);
    } catch (const OverLimit&) {
      return true;
    }
    return false;
  };
  int rounds = 0;
  while (is_stopped(rounds + 1)) ++rounds;
  EXPECT(rounds > 12 * (kNodes >> 12));        // passes
  EXPECT(announced > kNodes * 9 * sizeof(Id)); // nodes and edges
}

void test_faults() {
  const auto with = [](auto change) {
    Small small;
    change(small);
    return fault_of(small);
  };
  EXPECT(with([](Small&) {}) == "none");
  EXPECT(with([](Small& s) { s.component_offsets = {0}; }) == "no-components");
  EXPECT(with([](Small& s) { s.component_offsets = {0, 4, 2, 5}; }) == "component-offsets");
  EXPECT(with([](Small& s) { s.box_offsets = {0, 2}; }) == "box-offsets");
  EXPECT(with([](Small& s) { s.box_callee = {1, 3}; }) == "box-callee");
  EXPECT(with([](Small& s) { s.call_entries = {3, 4}; }) == "call-entry");
  EXPECT(with([](Small& s) { s.return_exits = {2, 4}; }) == "return-exit");
  EXPECT(with([](Small& s) { s.sources[0] = 3; }) == "exit-successors");
  EXPECT(with([](Small& s) { s.sources[0] = 5; }) == "edge-source");
  EXPECT(with([](Small& s) { s.sources[0] = -1; }) == "edge-source");
  EXPECT(with([](Small& s) { s.targets[0] = 7; }) == "edge-target");
  EXPECT(with([](Small& s) { s.targets[0] = 3; }) == "edge-crosses");
  EXPECT(with([](Small& s) { s.targets.pop_back(); }) == "edge-lengths");
  EXPECT(with([](Small& s) { s.label_nodes[0] = 99; }) == "label-node");
  EXPECT(with([](Small& s) { s.label_offsets = {}; }) == "label-offsets");
}

// E [true U p]: nodes truth, atom 0, until
const std::vector<std::uint8_t> kOps{0, 1, 6};
const std::vector<Id> kLeft{-1, 0, 0};
const std::vector<Id> kRight{-1, -1, 1};

void test_levels() {
  const std::vector<Id> labels{0};
  const auto levels = cut_into_levels({kOps, kLeft, kRight, labels});
  EXPECT(levels.size() == 2 && levels[0].op == Op::until && levels[0].children.empty());
  EXPECT(levels[0].first.steps.size() == 1 && levels[0].second.steps.size() == 1);
  EXPECT(levels[1].children == std::vector<Id>{0} && levels[1].first.steps.size() == 1);
  bool refused = false;
  try {
    const std::vector<Id> forward{-1, 0, 2};
    cut_into_levels({kOps, forward, kRight, labels});
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  EXPECT(refused);
}

void test_check() {
  const Small small;
  const std::array<Id, 1> start{0};
  const Model model = built(small.raw(), Semantics::standard);
  const Model published = built(small.raw(), Semantics::rsmcheck);
  const auto reaches = [&](const Model& in, Id label) -> bool {
    const std::vector<Id> labels{label};
    StaticSummaries statics(in);
    std::vector<bool> found;
    for (const Engine engine : {Engine::exhaustive, Engine::demand, Engine::demand_forward, Engine::demand_backward,
                                Engine::demand_functions}) {
      const Setting setting = make_setting(in, statics, {start.begin(), start.end()}, DeadEnds::stutter, engine);
      found.push_back(check(setting, {kOps, kLeft, kRight, labels}, {}).holds[0]);
    }
    EXPECT(found == std::vector<bool>(found.size(), found[0]));
    return found[0];
  };
  EXPECT(reaches(model, 0) && reaches(model, 1) && !reaches(model, kNone));
  EXPECT(reaches(published, 0) && !reaches(published, 1));
}

// EF done, in every state of the small machine.
void test_labelling() {
  const Small small;
  const Model model = built(small.raw(), Semantics::standard);
  StaticSummaries statics(model);
  const std::vector<Id> labels{1};
  Labelling labelling(model, statics, DeadEnds::stutter, {kOps, kLeft, kRight, labels});
  const Id main = labelling.root(0), helper = labelling.root(1);
  EXPECT(labelling.component(main) == 0 && labelling.component(helper) == 1);
  EXPECT((labelling.values(main)[0] & 0b11011) == 0b11011 && labelling.values(helper)[0] == 0);
  const Id called = labelling.callee(main, 0);
  EXPECT(called != helper && labelling.component(called) == 1 && labelling.values(called)[0] == 0b11);
  const Id one = labelling.callee(main, 1); // a box without call nodes
  EXPECT(labelling.component(one) == 2 && labelling.values(one)[0] == 1);
  const Id made = labelling.contexts();
  labelling.close();
  EXPECT(made == 4 && labelling.contexts() == made);

  const std::array<Id, 1> start{0};
  labelling.reach(start);
  for (const Id node : {0, 1, 5, 6, 7}) EXPECT(labelling.is_reached(node, true) && !labelling.is_reached(node, false));
  EXPECT(labelling.reached_state(0, true).boxes.empty());
  EXPECT(labelling.reached_state(6, true).boxes == std::vector<Id>{0} && labelling.reached_state(6, true).node == 6);
  EXPECT(labelling.reached_state(7, true).boxes == std::vector<Id>{1});
  Ticker never_stopped({});
  Visits visits(model, never_stopped);
  visits.search(start);
  EXPECT(visits.exits(visits.start_place(0)).empty() && !visits.seen(visits.start_place(0)).empty());
  EXPECT(visits.seen(visits.start_place(1)).empty()); // runs come there by a call only
}

// Functions of three variables beside their tables of values: bit i is the value where the variables are the bits of i.
void test_diagrams() {
  Ticker ticker({});
  Diagrams diagrams(ticker, 100'000);
  const auto table = [&](Id of) {
    unsigned found = 0;
    for (unsigned at = 0; at < 8; ++at) {
      if (diagrams.value(of, {(at & 1) != 0, (at & 2) != 0, (at & 4) != 0})) found |= 1U << at;
    }
    return found;
  };
  std::vector<Id> made{Diagrams::kFalse, Diagrams::kTrue};
  for (Id number = 0; number < 3; ++number) made.push_back(diagrams.variable(number));
  EXPECT(table(made[2]) == 0xaa && table(made[3]) == 0xcc && table(made[4]) == 0xf0);
  for (std::size_t i = 0; made.size() < 200; ++i) {
    const Id a = made[i * 7 % made.size()];
    const Id b = made[i * 11 % made.size()];
    const Id c = made[i * 13 % made.size()];
    made.push_back(diagrams.choice(a, b, c));
    EXPECT(table(made.back()) == ((table(a) & table(b)) | (~table(a) & table(c) & 0xff)));
    made.push_back(diagrams.replaced(a, {b, c, a}));
    unsigned expected = 0;
    for (unsigned at = 0; at < 8; ++at) {
      const unsigned inner = (table(b) >> at & 1) | (table(c) >> at & 1) << 1 | (table(a) >> at & 1) << 2;
      expected |= (table(a) >> inner & 1) << at;
    }
    EXPECT(table(made.back()) == expected);
  }
  for (const Id left : made) {
    for (const Id right : made) EXPECT((left == right) == (table(left) == table(right))); // D2
  }
  Diagrams few(ticker, 1);
  bool refused = false;
  try {
    const Id both = few.both(few.variable(0), few.variable(1));
    few.both(few.variable(2), both);
  } catch (const Diagrams::TooLarge&) {
    refused = true;
  }
  EXPECT(refused);
}

} // namespace

int main() {
  test_bits();
  test_arena();
  test_interner();
  test_model();
  test_stopped_model();
  test_faults();
  test_levels();
  test_check();
  test_labelling();
  test_diagrams();
  test_verify();
  test_threads();
  std::printf("%d checks, %d failed\n", checks, failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
