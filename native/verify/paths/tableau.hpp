// The automaton of a path formula, worked out anew from the formula (K0 of docs/certificate-rules.md).
//
// A state is a set of members of the formula (verify/cut.hpp) that the rest of a run must satisfy. Written apart
// from the engines, as all of native/verify.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "verify/section.hpp"

namespace pigro::verify {

struct Branch {
  std::vector<Word> tests; // leaves, all of which must be true
  Id next;                 // a state, kNone if the run is accepted, or kUnlisted
  std::vector<Word> marks;
  bool ends;
  static constexpr Id kUnlisted = -2; // no state of the certificate
};

class Tableau {
 public:
  explicit Tableau(Ticker& ticker) : ticker_(ticker) {}

  void start(std::span<const Member> members, Id leaves, const PathLevel& level);
  // The branches of a state where these leaves are true by labels. Stays valid until the next start.
  const std::vector<Branch>& row(Id state, const std::vector<Word>& letter);
  std::size_t leaves() const { return static_cast<std::size_t>(leaves_); }
  bool labelled(std::size_t leaf) const { return members_[leaf].labelled; }

 private:
  using Set = std::vector<Word>;
  struct Draft {
    Set pending, seen, next, tests;
    bool ends = true;
    Set marks = {};

    void add(Id member);
    void later(Id member, bool may_end);
  };

  void work_out(Id state, const Set& letter, std::vector<Branch>& row);
  void expand(Draft draft, const Set& letter, std::vector<Draft>& pending, std::vector<Draft>& done);
  bool is_asked(const Set& set, Op op) const;
  bool is(Id member, const Set& letter, bool value) const;
  void find_marks(Draft& draft) const;
  Id state_of(const Set& next) const;
  static bool implies(const Draft& one, const Draft& other);

  Ticker& ticker_;
  std::span<const Member> members_;
  Id leaves_ = 0;
  const PathLevel* level_ = nullptr;
  std::vector<Id> untils_;
  std::map<Set, Id> state_of_;
  std::map<std::pair<Id, Set>, std::vector<Branch>> rows_;
};

} // namespace pigro::verify
