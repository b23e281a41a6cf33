#include "core/smv/vocabulary.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace pigro::core::smv {

namespace {

constexpr const char* kSections =
    "MODULE VAR DEFINE CALL ASSIGN SPEC CTLSPEC INVARSPEC IVAR FROZENVAR INIT TRANS INVAR FAIRNESS JUSTICE COMPASSION "
    "LTLSPEC PSLSPEC COMPUTE ISA CONSTANTS MDEFINE PRED MIRROR CONSTRAINT FUN";
constexpr const char* kReserved =
    "esac init TRUE FALSE EXIT boolean NAME process array of word integer real IN"; // those that nothing else says
constexpr const char* kBetween = ": ; , ? ) } ] esac";

struct Bracket {
  const char* opening;
  const char* closing;
};
constexpr Bracket kBrackets[] = {{"(", ")"}, {"{", "}"}, {"[", "]"}, {"case", "esac"}, {"next", ")"}};
constexpr std::string_view kNotReserved[] = {"W", "R"}; // in NuSMV they are names. After an operand they are operators

std::vector<std::string> split(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(word);
  return found;
}

bool is_word(const Operator& row, bool modal) { return *row.sign != '\0' && (row.form == Form::modal) == modal; }

} // namespace

Vocabulary::Vocabulary(const std::vector<std::string>& foreign, const std::vector<std::string>& missing,
                       std::int64_t steps, bool modal)
    : farthest(steps) {
  std::set<std::string> known{".", "+"};
  for (const char* const text : {kSections, kReserved, kBetween}) {
    for (const std::string& word : split(text)) known.insert(word);
  }
  for (const auto& [opening, closing] : kBrackets) known.insert({opening, closing});
  for (const Operator& row : kOperators) {
    if (is_word(row, false)) known.insert(row.sign);
    if (*row.also != '\0') known.insert(row.also);
  }
  known.insert(foreign.begin(), foreign.end());
  known.insert(missing.begin(), missing.end());
  words.emplace_back();
  words.insert(words.end(), known.begin(), known.end());
  for (const Operator& row : kOperators) { // after the others, so that these have the same numbers
    if (modal && is_word(row, true) && !known.contains(row.sign)) words.emplace_back(row.sign);
  }
  rules.resize(words.size());
  for (const std::string& word : split(kSections)) rule(word).is_section = rule(word).is_reserved = true;
  for (const std::string& word : split(kReserved)) rule(word).is_reserved = true;
  for (const std::string& word : split(kBetween)) rule(word).is_between = true;
  rule("?").is_connective = true;
  for (const auto& [opening, closing] : kBrackets) {
    rule(opening).closing = find(closing);
    rule(opening).is_reserved = true;
    rule(closing).is_closing = true;
  }
  int op = 0;
  for (const Operator& row : kOperators) add_operator(op++, row, modal);
  for (const std::string_view word : kNotReserved) rule(word).is_reserved = false;
  for (const std::string& word : foreign) rule(word).is_foreign = true;
  for (const std::string& word : missing) rule(word).is_missing = true;
  for (const std::string_view step : {"X", "F", "G"}) rule(step).is_step = true;
  const auto word = [&](std::string_view text) { return find(text); };
  signs = {.square = word("["),
           .square_end = word("]"),
           .round = word("("),
           .round_end = word(")"),
           .curly = word("{"),
           .case_ = word("case"),
           .next = word("next"),
           .colon = word(":"),
           .semicolon = word(";"),
           .comma = word(","),
           .question = word("?"),
           .dot = word("."),
           .plus = word("+"),
           .range = word(".."),
           .esac = word("esac"),
           .until = word("U"),
           .release = word("V"),
           .bounded_until = word("BU"),
           .exists = word("E"),
           .true_ = word("TRUE"),
           .false_ = word("FALSE"),
           .exit = word("EXIT")};
}

void Vocabulary::add_operator(int op, const Operator& row, bool modal) {
  if (*row.sign == '\0' || (row.form == Form::modal && !modal)) return;
  WordRules& made = rule(row.sign);
  made.is_reserved = made.is_reserved || row.form != Form::modal;
  if (row.bounds != StepBounds::none) made.bounds = row.bounds;
  switch (row.form) {
    case Form::infix:
      made.infix = made.in_type = {row.level, op};
      if (op == operator_named("RANGE")) made.in_type.level = 1; // binds loosest: 0..n - 1
      made.is_connective = (row.flags & kConnective) != 0;
      if (*row.also != '\0') rule(row.also).infix = rule(row.also).in_type = made.infix;
      break;
    case Form::prefix:
    case Form::modal:
      made.prefix = {row.level, op};
      break;
    case Form::function:
      made.function = op;
      made.closing = find(")");
      break;
    case Form::path:
      made.quantifier = op;
      made.closing = find("]");
      break;
    case Form::made:
      break;
  }
}

Id Vocabulary::find(std::string_view word) const {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) throw std::out_of_range("a word is missing");
  return static_cast<Id>(found - words.begin());
}

} // namespace pigro::core::smv
