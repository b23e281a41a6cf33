// Claims of the mu-calculus on recursive state machines: believed, justified, and taken back.
//
// The question: does a formula hold at (empty stack, n)? Positions of the game are (stack, node, subformula). The
// largest rank that a play sees forever decides it. A *claim* says who wins at (instance, node, formula), where `seen`
// is the largest rank since the entry of the call, or what comes after a call has returned with an outcome: then the
// formula is the modality that was asked at the exit, and the rank is that of the outcome. A claim is first believed to
// have the parity of its rank, and is *open*. To justify it is to evaluate it by the present values of other claims,
// and to note those that it *relies* on. If its value is not the one that was believed, whatever relies on it is taken
// back, that is, open again. This is [Lapauw2020] on claims that are made on demand.
//
// A call is evaluated in the instance of the callee that assumes what the caller presently believes of its return
// nodes. It relies on the claim at the entry, and on those at the return nodes whose outcomes the instance asked.
//
//   J1  A claim and those that it relies on have one value.
//   J2  Open claims below a justified one have at least its rank.
//   J3  On a cycle of reliance the largest rank has the parity of the value.
//   J4  Open claims that a justified one relies on are queued.
//   J5  A call relies on what comes back with all outcomes that its instance asked and that have the call's value.
//
// J3 follows: a claim that is justified with the value of its parity closes cycles through claims of at most its rank
// (J2), and one that changes its value has nothing above it. Claims below which nothing is open are *final*, and right:
// they are a strategy for both players. Plays that go deeper forever need no rule of their own, because the last claims
// at each height are a path of reliance.
//
// A component is *quiet* if no node of it, or of what it calls, carries a label of the formula. There `EF` and `AG`
// only ask which exits an entry reaches, which is known without a formula, so no claims are made inside. Nor are there
// claims on straight lines without such labels: the claim is made where the line ends.
//
// Cost: linear in nodes, subformulas and instances for blocks of one rank. Instances are few if components have few
// ways out. In games of two players they can be as many as sets of outcomes.
#pragma once

#include "core/games/assumptions.hpp"
#include "core/games/ways_out.hpp"
#include "core/levels/statics.hpp"

namespace pigro::core {

struct ClaimKey {
  Id instance;
  Id node;
  Id formula;
  std::uint16_t seen;
  std::uint16_t rank;

  bool operator==(const ClaimKey&) const = default;
};

// Claims with what they rely on.
class ClaimStore {
 public:
  explicit ClaimStore(Ticker& ticker) : ticker_(ticker), ids_(ticker.allocation_guard()) {}

  // A new claim is open.
  Id number(const ClaimKey& key);
  const ClaimKey& key(Id claim) const { return claims_[claim].key; }
  Id size() const { return static_cast<Id>(claims_.size()); }
  std::size_t reliances() const { return edges_.size(); }

  bool by_default(Id claim) const { return claims_[claim].key.rank % 2 == 0; }
  bool value(Id claim) const { return claims_[claim].value; }
  bool is_open(Id claim) const { return claims_[claim].first == kNone; }
  std::uint64_t justified_at(Id claim) const { return claims_[claim].at; }
  std::uint16_t& height(Id claim) { return claims_[claim].height; } // no claim above has a larger rank
  std::uint32_t& hint(Id claim) { return claims_[claim].hint; }     // of a claim over successors: the one that decided

  void justify(Id claim, bool value, std::span<const Id> relied_on, std::uint64_t now);
  void rely_also(Id claim, Id other);
  void reopen(Id claim);

  std::size_t relied_count(Id claim) const { return static_cast<std::size_t>(claims_[claim].count); }
  Id relied(Id claim, std::size_t place) const { return edges_[claims_[claim].first + static_cast<Id>(place)].to; }
  // The claims that rely on this one.
  template <typename Visit>
  void each_relier(Id claim, Visit visit) const {
    for (Id at = claims_[claim].reliers; at != kNone; at = edges_[at].next) {
      const Claim& from = claims_[edges_[at].from];
      if (from.first != kNone && at >= from.first && at < from.first + from.count) visit(edges_[at].from);
    }
  }

 private:
  struct Claim {
    ClaimKey key;
    Id first = kNone; // its edges, or kNone if it is open
    Id count = 0;
    Id reliers = kNone;
    std::uint64_t at = 0;
    std::uint32_t hint = 0;
    std::uint16_t height = 0;
    bool value = false;
  };
  struct Edge { // one that is not among the edges of `from` is out of date
    Id to;
    Id from;
    Id next; // of those to the same claim
  };

  void add_edge(Id from, Id to);

  Ticker& ticker_;
  std::vector<Claim> claims_;
  std::vector<Edge> edges_{{kNone, kNone, kNone}}; // claims that rely on nothing have no edges from here on
  Interner ids_;
};

// Whether claims may be left out on straight lines and in quiet components.
enum class Shortcuts : std::uint8_t { none, taken };

class ClaimGame {
 public:
  // `labels`: of each atom of the formula, the model's label, or kNone. Needs: all that it is given by
  // reference to outlive it.
  ClaimGame(WaysOut& ways, StaticSummaries& statics, DeadEnds dead_ends, std::shared_ptr<const ModalFormula> formula,
            std::span<const Id> labels, Shortcuts shortcuts, Ticker& ticker);

  // Whether the formula holds at (empty stack, start).
  bool settle(Id start);

  Id claims() const { return store_.size(); }
  Id instances() const { return assumptions_.size(); }
  std::int64_t evaluations() const { return evaluations_; }
  std::int64_t searched() const { return searched_; } // reliances, by searches among claims
  std::size_t reliances() const { return store_.reliances(); }

  const Closure& closure() const { return closure_; }
  const ClaimStore& store() const { return store_; }
  const Assumptions& assumptions() const { return assumptions_; }
  Id root_claim(Id start); // the claim that `settle` decides

 private:
  friend class StrategyMaker; // reads what claims rely on

  bool is_final(Id claim) const {
    return !store_.is_open(claim) && store_.justified_at(claim) < emptied_[closure_.top(store_.key(claim).formula)];
  }
  Id seen_at(Id formula, Id before, Id seen, bool at_root) const;
  Id claim(Id wide, Id node, Id formula, Id before, Id seen);
  Id ahead(Id node);
  Id next_ahead(Id node);
  Id returned(const ClaimKey& call, Id outcome);

  void push(Id claim);
  Id pop();
  bool evaluate(Id claim);
  bool evaluate_call(Id claim);
  bool evaluate_quiet_call(const ClaimKey& call, Id modality);
  void find_quiet(std::span<const Id> labels);
  Id plain_step(Id formula) const { return shortcuts_ == Shortcuts::taken ? closure_.plain_step(formula) : kNone; }
  bool evaluate_here(Id claim);
  bool is_granted(const ClaimKey& call, Id entry);
  bool rely_on_call(const ClaimKey& call, Id entry);
  void evaluate_leaf(const ClaimKey& key, Id before, Id seen, Id leaf);
  void evaluate_modality(const ClaimKey& key, Id before, Id seen, Id modality);
  void collect(Id expression);
  bool literal(Id formula, Id node) const;
  bool ask_all();
  void notify(Id instance, Id outcome);
  bool defer(Id claim);
  void justify(Id claim, bool value);
  void take_back(Id claim);
  void above(Id claim, std::vector<Id>& found);
  void raise(Id claim, std::uint16_t height);
  bool is_closed(Id claim);
  bool nothing_open_below(Id claim);

  Ticker& ticker_;
  const Shortcuts shortcuts_;
  Closure closure_;
  WaysOut& ways_;
  Assumptions assumptions_;
  ClaimStore store_;
  std::vector<std::vector<Word>> labelled_; // of each atom, the nodes that carry it
  std::vector<Word> any_label_;             // the nodes that carry some atom
  StaticSummaries& statics_;
  Query query_;                          // for the static summaries
  std::vector<bool> quiet_;              // of each component
  PairTable entry_ids_;                  // (entry, formula)
  std::vector<std::vector<Id>> entries_; // the claims there, in all instances

  std::vector<std::vector<Id>> queue_; // by rank, the last first
  Id lowest_ = 0;                      // nothing is queued below
  std::vector<std::uint64_t> emptied_; // of each rank: when nothing up to it was queued, for the last time
  std::uint64_t now_ = 0;

  // Of the claim that is being evaluated, `current_`:
  std::vector<Id> relied_;
  std::vector<std::pair<Id, Id>> to_ask_; // instances and outcomes
  std::vector<Id> needed_;                // open claims of inner blocks, to be settled before
  bool has_moved_ = false;                // it was evaluated in an instance, by a call
  std::vector<std::int64_t> stamp_;       // of each subformula: the round it was evaluated in
  std::vector<Id> pending_;
  std::vector<std::uint8_t> truth_;
  std::vector<std::pair<Id, Id>> leaf_; // of leaves: what they rely on, in `leaves_`
  std::vector<Id> leaves_;
  std::vector<Id> leaf_outcome_;
  std::int64_t round_ = 0;
  Id current_ = kNone;

  std::vector<std::int64_t> mark_; // of each claim: the last search that came there
  std::int64_t search_ = 0;
  std::int64_t evaluations_ = 0;
  std::int64_t searched_ = 0;
  std::int64_t next_search_ = 0;
};

} // namespace pigro::core
