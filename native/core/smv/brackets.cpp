// What does `U` join in `A [ ... ]`?
//
// In NuSMV, `A [p & q U r]` is one operator of CTL: `p & q` up to the `U`, and `r` after it. In a path formula,
// however, `U` binds tighter than `&`. So brackets with a single `U` and no other operator on paths, apart from those
// under an A or E of their own, are read as in NuSMV, and all others as path formulas. Where the two readings of a path
// formula differ, it is refused.
//
// All brackets inside of one are looked at together, so that no token is looked at twice.
#include "core/smv/grammar.hpp"

namespace pigro::core::smv {

// Whether the `A [` at a token is that of CTL.
bool Grammar::splits(Id place) {
  if (!known_.contains(place)) scan(place);
  return known_.at(place);
}

void Grammar::scan(Id place) {
  std::vector<Frame> frames;
  bool wanted = true;
  for (; word(place) != kEnd && !rules(place).is_section; ++place) {
    const Id token = word(place);
    const WordRules& rule = rules(place);
    const bool before_bracket = rule.function != 0 || token == signs_.next;
    if (rule.is_closing && (!wanted || token == signs_.esac)) {
      const Frame done = frames.back();
      frames.pop_back();
      wanted = false;
      if (done.owner == frames.size()) known_[done.at] = is_split(done);
      if (frames.empty()) return;
    } else if (wanted) {
      if (rule.quantifier != 0 && word(place + 1) == signs_.square) {
        known_[place] = false;
        frames.push_back({.at = place, .owner = frames.size()});
        ++place;
      } else if (rule.closing != kNone && rule.quantifier == 0 && !before_bracket) {
        frames.push_back({.at = place, .owner = frames.back().owner});
      } else if (rule.is_step || rule.quantifier != 0) {
        ++frames[frames.back().owner].others;
        place += width_of_bounds(place);
      } else {
        wanted = rule.prefix.level != 0 || before_bracket || token == signs_.plus;
        place += width_of_bounds(place);
      }
    } else if (token == signs_.square) { // an index
      frames.push_back({.at = place, .owner = frames.back().owner});
      wanted = true;
    } else {
      wanted = rule.infix.level != 0 || rule.is_between;
      note(frames, place);
      if (token == signs_.bounded_until) place += width_of_bounds(place);
    }
  }
}

// The number of tokens of the bounds after an operator. 0 if it has none.
Id Grammar::width_of_bounds(Id place) const {
  const StepBounds form = rules(place).bounds;
  if (form == StepBounds::none) return 0;
  const auto has = [&](Id offset, Id sign) {
    const auto at = static_cast<std::size_t>(place + offset);
    return at < tokens_.words.size() && tokens_.words[at] == sign;
  };
  if (form == StepBounds::brackets) return has(5, signs_.square_end) && has(1, signs_.square) ? 5 : 0;
  return has(2, signs_.range) && !has(3, kEnd) ? 3 : 0;
}

// Takes down an operator between two operands.
void Grammar::note(std::vector<Frame>& frames, Id place) const {
  Frame& frame = frames.back();
  const WordRules& rule = rules(place);
  if (rule.is_connective) {
    frame.joined = true;
  } else if (rule.infix.level == kUntil) {
    const bool is_own = frame.owner == frames.size() - 1;
    const bool is_until = word(place) == signs_.until || word(place) == signs_.bounded_until;
    if (is_own && frame.untils++ == 0) frame.first_until = place;
    if (!is_own || !is_until) ++frames[frame.owner].others;
  }
}

bool Grammar::is_split(const Frame& frame) {
  if (frame.untils == 0) return false;
  if (frame.untils == 1 && frame.others == 0) return true;
  if (frame.joined) throw Mistake{.kind = Mistake::Kind::joined, .place = frame.first_until};
  return false;
}

} // namespace pigro::core::smv
