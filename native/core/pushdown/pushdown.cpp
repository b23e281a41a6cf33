#include "core/pushdown/pushdown.hpp"

#include <array>

namespace pigro::core {

void Pushdown::add_rule(Id state, Id symbol, Id after, std::span<const Id> word, Id line) {
  sources.push_back(heads.number(state, symbol));
  rule_lines.push_back(line);
  if (word.size() == 1) {
    targets.push_back(heads.number(after, word[0]));
    return;
  }
  targets.push_back(~static_cast<Id>(word_state.size()));
  word_state.push_back(after);
  word_symbols.insert(word_symbols.end(), word.begin(), word.end());
  word_offsets.push_back(static_cast<Id>(word_symbols.size()));
}

namespace {

enum class Sign : std::uint8_t { name, blank, bracket, odd };

constexpr std::array<Sign, 256> signs = [] {
  std::array<Sign, 256> made{};
  for (int c = 0; c < 256; ++c) made[c] = c < 0x20 || c >= 0x7F ? Sign::odd : Sign::name;
  made[' '] = made['\t'] = made['\r'] = Sign::blank;
  made['<'] = made['>'] = Sign::bracket;
  return made;
}();

Sign sign(char c) { return signs[static_cast<std::uint8_t>(c)]; }

// One line and how far it is read.
class Line {
 public:
  Line(Pushdown& system, std::string_view text, Id number) : system_(system), text_(text), number_(number) { skip(); }

  // Was it one of the usual statements?
  bool read() {
    if (at_ == text_.size() || text_[at_] == '#') return true;
    if (text_[at_] == '(') return false;
    const std::string_view first = name();
    if (first.empty()) return false;
    return first == "ATOMS" && !follows('<') ? labels() : rule(first);
  }

 private:
  bool follows(char c) const { return at_ < text_.size() && text_[at_] == c; }

  void skip() {
    while (at_ < text_.size() && sign(text_[at_]) == Sign::blank) ++at_;
  }

  std::string_view name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && sign(text_[at_]) == Sign::name) ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    skip();
    return found;
  }

  bool take(char c) {
    if (!follows(c)) return false;
    ++at_;
    skip();
    return true;
  }

  // Symbols between angle brackets.
  bool stack(std::vector<std::string_view>& symbols) {
    symbols.clear();
    if (!take('<')) return false;
    while (!follows('>')) {
      symbols.push_back(name());
      if (symbols.back().empty() || symbols.back() == "-->") return false;
    }
    return take('>');
  }

  bool rule(std::string_view state) {
    thread_local std::vector<std::string_view> symbols;
    if (state == "-->" || !stack(symbols) || symbols.size() != 1) return false;
    const std::string_view symbol = symbols[0];
    if (text_.substr(at_, 3) != "-->") return false;
    at_ += 3;
    skip();
    const std::string_view after = name();
    if (after.empty() || !stack(symbols) || at_ != text_.size()) return false;
    thread_local std::vector<Id> word;
    word.clear();
    const Id from = system_.names.number(state);
    const Id top = system_.names.number(symbol);
    const Id to = system_.names.number(after);
    for (const std::string_view each : symbols) word.push_back(system_.names.number(each));
    system_.add_rule(from, top, to, word, number_);
    return true;
  }

  bool labels() {
    const std::string_view owner = name();
    if (owner.empty() || owner.find(',') != owner.npos || at_ == text_.size()) return false;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      if (sign(text_[i]) == Sign::odd || sign(text_[i]) == Sign::bracket) return false;
    }
    const Id number = system_.names.number(owner);
    bool any = false;
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != ',' && sign(text_[at_]) == Sign::name) ++at_;
      if (at_ > begin) {
        system_.label_owner.push_back(number);
        system_.label.push_back(system_.names.number(text_.substr(begin, at_ - begin)));
        any = true;
      }
      while (at_ < text_.size() && (text_[at_] == ',' || sign(text_[at_]) == Sign::blank)) ++at_;
    }
    return any;
  }

  Pushdown& system_;
  std::string_view text_;
  Id number_; // from 1 on
  std::size_t at_ = 0;
};

} // namespace

std::vector<UnreadLine> read_pushdown_lines(Pushdown& system, std::string_view text) {
  std::vector<UnreadLine> unread;
  std::int64_t number = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++number) {
    std::size_t end = text.find('\n', begin);
    if (end == text.npos) end = text.size();
    if (!Line(system, text.substr(begin, end - begin), static_cast<Id>(number + 1)).read()) {
      unread.push_back({static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin), number});
    }
    begin = end + 1;
  }
  return unread;
}

} // namespace pigro::core
