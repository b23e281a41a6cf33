// E f for any path formula f: pairs of a node and a state of an automaton.
//
// The automaton reads the nodes of a run one by one. A state is a set of formulas that the rest of the
// run must satisfy (core/formula/obligations.hpp). A *pair* (n, q) means: the run is at n, and q is the
// state before n is read. Nothing is read at call nodes and exits: (call, q) is the pair (entry, q) of
// the callee, (exit, q) is the pair (return node, q) of the caller. A *mark* stands for a formula of the
// kind f U g. A step has the mark unless it puts the formula off. A run is accepted if it has every mark
// again and again, or if it ends where the automaton may end. The operator is disjunctive in pairs:
//   value(n, q) = base(n, q)  or  some exit pair in reach(n, q) is in the mask,    E f at n = value(n, first state)
// where base means an accepted run that never returns from this invocation. Masks are of pairs
// (exit, q) too, one bit each for the exit pairs that matter to the component (asked.bits).
//
// Tables (core/paths/path_tables.cpp) hold the pairs reached: a *key* from one pair of a called entry,
// with the marks seen on the ways to each pair. Its exit pairs are the callee's summary. The summary has
// the union of the marks of all ways: whoever goes round a cycle may take another way each time. A *root*
// is reached from the start nodes of a component, a *pool* from all pairs asked for under an operand context. A *loop*
// stays at an exit. Base (core/paths/path_graph.cpp): the pair reaches a hit, or a strongly connected part of the graph
// of all tables whose inner edges have all marks. The search for base leads: it asks for the summary of a call only
// when all runs that do not return from it were tried in vain.
//
// Sources: summaries for LTL on recursive state machines [Alur2005]. The search for fair parts [Couvreur1999].
// Invariants:
//   P1  when nothing is pending, every key is closed under steps, and its marks are complete, unless it is hit.
//   P2  the search for base reads the exits of a key only when nothing is pending, or the key is hit.
//   P3  the bits of a component contain every exit pair that its pools reach, whatever the operand context.
//   P4  a loose table (no operand context) reaches every pair that a table of the same role reaches under any
//       operand context.
//   P5  an arrival, noted for runs and proofs, relies only on older ones: at the pair before it, and at a callee's
//       exit.
//   P6  the departures are closed over callers. In other components, the first state can do all that it usually
//       does, and a run that does something else there is neither accepted nor returns from that invocation.
// Cost: for each called entry and state: the component's edges times states, at most once for each mark.
#pragma once

#include <deque>

#include "core/formula/obligations.hpp"
#include "core/levels/level.hpp"

namespace pigro::core {

struct Run;

class PathLevel final : public Level {
 public:
  PathLevel(Query& query, const LevelSpec& spec, std::vector<Level*> children);

  // A run that shows that the operator is true at a declared node with the empty stack. None if it is false there.
  // Needs: the policy traces.
  std::optional<Run> find_run(Id node);

  Id callee(Id instance, Id box) override;

 protected:
  bool decide(Id node) override;
  void pass(Instance& instance, Word* values) override;
  std::size_t mask_words(Id component) override;
  const Word* loop_mask(Id operands) override;
  Bounds bounds(Id component) override;
  bool agrees(const Instance& instance, const Word* values, Id exit) override;

 private:
  friend class RunFinder;  // follows tables and arrivals (core/paths/path_runs.cpp)
  friend class ProofGraph; // proves what this level found
  friend class PathProof;

  static constexpr Id kFirst = 0;     // the first state of the automaton (O1)
  static constexpr Id kLoose = kNone; // in place of an operand context: any
  static constexpr Id kTrue = -1;     // in cells, see path_graph.cpp
  static constexpr Id kFalse = -2;

  // The flags in the words of marks, before kFirstMark.
  static constexpr Word kReached = 1;
  static constexpr Word kPending = 2;
  static constexpr Word kExpanded = 4; // was processed before
  static constexpr Word kFlags = kReached | kPending | kExpanded;
  static_assert(kFlags < Word{1} << kFirstMark);

  enum class Role : std::uint8_t { key, root, pool, loop };

  struct Pair {
    Id node;
    Id state;
    bool operator==(const Pair&) const = default;
  };
  struct Vertex {
    Id table;
    Id node;
    Id state;
  };
  static constexpr Vertex kNowhere{kNone, kNone, kNone};
  // The pairs of one state in a table. Arrays over the component's nodes, made when first needed.
  struct Row {
    Word* marks = nullptr; // mark_words_ for each node, the first bits being flags (path_tables.cpp). Or, of tables
    Word* seen = nullptr;  // loose tables, a bit for each node that is reached
    Id* cells = nullptr;   // of the search for base
    Id* numbers = nullptr; // of pools: the pair's number, plus 1
    Id* came = nullptr;    // of keys, when tracing or certifying: the last arrival at each node, plus 1
  };
  // How a pair of a key was reached, or more marks on ways to it. In order of time.
  struct Arrival {
    Pair from;         // a call if the callee has returned; kNone: the start of the key
    const Word* fresh; // marks that were not seen before
    Id before;         // the arrival at the same pair before this one, plus 1
  };
  // The end of a way to a pair of a key with a mark, or of any way (kNone).
  struct LastStep {
    Pair from;      // as in arrivals
    Id mark_before; // that the way to `from` must have
    Id mark;        // that the step must have
  };
  struct Table {
    Role role;
    Id operands; // or kLoose
    Id component;
    Id first_node;
    Pair start;                                       // of keys and roots
    bool marked = false;                              // a key that can return
    bool hit = false;                                 // of keys: base is true at the start
    Id callers = kNone;                               // of keys: list in callers_
    std::vector<Row> rows = {};                       // by state
    std::vector<Pair> exits = {};                     // of keys: exit pairs reached
    std::vector<Pair> pairs = {};                     // of pools
    std::size_t solved = 0;                           // of pools: pairs whose reverse edges are known
    std::vector<Id> before_offsets = {}, before = {}; // of pools: for each pair those one step before, in the pool
  };
  struct Caller {
    Vertex call;
    Id next;
  };
  // Which pairs of a component are asked for, under any operand context.
  struct Asked {
    std::vector<Pair> starts;
    std::vector<Pair> bits; // exit pairs
    Id loose = kNone;       // the loose pool
    std::vector<Id> bit_of; // of each pair of the loose pool, its number among the bits
  };
  // What reading the usual letter once, or more often, does to a state. Some leaves may be unusual, but the states
  // that come up do not depend on them.
  struct Settled {
    bool is_settled = false;
    bool hits = false; // accepted however the run goes on
    struct After {
      Id state;
      const Word* marks;
      bool accepts; // the usual letter for ever
    };
    std::vector<After> after;
  };
  struct Edge {
    Vertex to;
    const Word* marks;
  };

  // path_tables.cpp
  Id make_table(Role role, Id operands, Id component, Pair start);
  Id key(Id operands, Id component, Pair start);
  Id loop_table(Id operands, Id component);
  Id pool(Id operands, Id component);
  Row& row(Table& table, Id state);
  Id& cell(const Vertex& at);
  const Word* marks_at(const Table& table, Pair pair);
  void add(const Vertex& at, const Vertex& from, const Word* before, const Word* marks);
  void note_arrival(Pair from, Id& last);
  Id first_arrival(Id key, Pair at, Id mark) const;
  std::optional<LastStep> last_step(Id key, Pair to, Id mark) const;
  void saturate(Id goal);
  bool is_loose(const Table& table) const { return table.operands == kLoose; }
  void process(const Vertex& at);
  void reach_exit(const Vertex& at, bool again);
  void hit(Id key);
  // What can be told of a vertex.
  struct Steps {
    bool accepted = false; // at once. Of loose tables never
    Id called = kNone;     // the key of a call that is not settled: what comes after its exits is left out
  };
  // Calls edge(vertex, marks) for each step.
  template <typename OnEdge>
  Steps expand(const Vertex& at, OnEdge&& edge);
  template <typename OnEdge>
  Steps expand_call(const Vertex& at, OnEdge&& edge);
  // The same for what comes after the exits of a called key. Returns true if the vertex is accepted at once.
  template <typename OnEdge>
  bool expand_returns(const Vertex& at, Id called, OnEdge&& edge);
  template <typename OnEdge>
  bool read(const Vertex& at, std::span<const Id> successors, OnEdge&& edge);
  bool applies(const Branch& branch, Id operands, Id node);
  bool leaf(std::size_t number, Id operands, Id node);
  bool may_end(Id operands, Id exit, Id state);
  Id letter(Id node);

  // path_irrelevant.cpp
  const Settled* settled_call(Id state, Id box);
  void settle(Settled& found, Id state, Word unusual);
  std::vector<Branch> branches(Id state, Word flipped);
  bool ignores(Id state, const std::vector<Branch>& usually, Word unusual);
  bool same(const Branch& one, const Branch& other) const;
  bool stays_first(Id state, Id component) const;
  bool waits_well();
  void find_departures();
  bool may_depart(Id node, const std::vector<Branch>& usually);
  bool has_prospect(Pair start);

  // path_graph.cpp
  bool base(const Vertex& start);
  bool is_true(const Vertex& at);
  bool open(const Vertex& at, const Word* entered);
  void number_pair(const Vertex& at);
  bool follow(const Edge& edge);
  bool join_open(Id place, const Word* marks);
  bool advance();
  void close();
  void settle_open(Id how, std::size_t from);
  bool has_all(const Word* marks) const;

  // path.cpp
  const Asked& asked(Id component);
  void find_asked();
  void ask_callers(Id component, Pair exit);
  void add_asked_nodes(Id component, bool needed, std::vector<Pair>& to);
  Id number(const Table& pool, Pair pair) const;
  Id bit(Id component, Pair exit);
  void find_loops(Id operands, Id component, std::span<const Pair> exits, Word* mask);
  void solve(Id pool, std::span<const Pair> starts);
  template <typename IsTrue>
  const Word* pairs_leading_to(Id pool, IsTrue&& is_true_at);
  void take_values(const Table& pool, const Word* pairs, Word* values) const;

  PositiveFormula formula_;
  Obligations automaton_;
  const std::size_t mark_words_;
  std::vector<Word> all_marks_, no_marks_;
  std::vector<bool> usual_;        // of each leaf
  PairTable settled_ids_;          // by state and component of leaves
  std::vector<Word> unusual_sets_; // seen so far
  std::deque<Settled> settled_;    // by state
  bool knows_departures_ = false;
  ComponentSet departures_;                      // components where a run may leave the first state (P6)
  std::vector<std::vector<const Word*>> leaves_; // by operand context, by leaf

  std::deque<Table> tables_;
  Interner key_ids_{query_.allocation_guard()};
  std::vector<Id> keys_;          // the table of each key, by number
  std::vector<Id> pools_, loops_; // by operand context
  std::vector<Id> roots_;         // by component
  std::vector<Caller> callers_;
  std::vector<Vertex> pending_;
  std::vector<Id> hits_; // scratch of hit
  std::vector<Arrival> arrivals_;
  std::vector<Word> more_; // scratch of add

  // of the search in path_graph.cpp
  struct Frame {
    Id place;
    std::size_t edges; // where its edges begin
    Id called;         // a key whose exits are not looked at yet
  };
  std::vector<Frame> frames_;
  std::vector<Edge> edges_;
  std::vector<Vertex> open_;
  std::vector<Id> roots_of_parts_; // places
  std::vector<Word> part_words_;   // per root: marks inside its part, and of the edge that led to it

  bool has_asked_ = false;
  std::vector<Asked> asked_;               // by component
  std::vector<std::vector<Cover>> covers_; // of parents
  std::vector<Bounds> bounds_;             // by component
};

} // namespace pigro::core
