#include "core/smv/tokens.hpp"

#include <algorithm>
#include <cassert>

namespace pigro::core::smv {

namespace {

template <typename Char>
bool is_digit(Char c) {
  return c >= '0' && c <= '9';
}

template <typename Char>
bool is_letter(Char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

template <typename Char>
bool is_in_name(Char c) {
  return is_letter(c) || is_digit(c) || c == '$' || c == '#' || c == '\\';
}

template <typename Char>
bool is_blank(Char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

template <typename Char>
class Lexer {
 public:
  Lexer(const Char* text, std::size_t size, const std::vector<std::string>& known, Tokens& tokens)
      : text_(text), end_(text + size), known_(known), tokens_(tokens), table_(std::size_t{1} << 10U, kNone) {
    for (std::size_t word = 0; word < known.size(); ++word) {
      const std::string& letters = known[word];
      std::uint64_t hash = kSeed;
      for (const char c : letters) hash = mixed(hash, static_cast<unsigned char>(c));
      const bool is_name = !letters.empty() && is_letter(letters[0]);
      declare(is_name ? Tokens::Kind::name : Tokens::Kind::other, static_cast<Id>(letters.size()), kNone, hash);
    }
  }

  void run() {
    const Char* at = text_;
    while (at != end_) {
      if (is_blank(*at)) {
        ++at;
        continue;
      }
      const Char* const begin = at;
      Tokens::Kind kind = Tokens::Kind::other;
      if (is_letter(*at)) {
        kind = Tokens::Kind::name;
        at = after_name(at);
      } else if (is_digit(*at)) {
        at = after_number(at, kind);
      } else {
        bool is_comment = false;
        at = after_sign(at, is_comment);
        if (is_comment) continue;
      }
      add(begin, at, kind);
    }
    tokens_.words.push_back(kEnd);
    tokens_.begins.push_back(tokens_.begins.empty() ? 0 : tokens_.begins.back() + tokens_.lengths[last_word()]);
    assert(tokens_.words.size() == tokens_.begins.size());
  }

 private:
  static constexpr std::uint64_t kSeed = 1469598103934665603U;

  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t c) { return (hash ^ c) * 1099511628211U; }

  Id last_word() const { return tokens_.words[tokens_.words.size() - 2]; }

  bool follows(const Char* at, char c) const { return at != end_ && *at == static_cast<Char>(c); }

  const Char* after_part(const Char* at) const { // of a name, between dots
    while (at != end_ && is_in_name(*at)) ++at;
    while (follows(at, '-') && at + 1 != end_ && is_in_name(at[1])) {
      ++at;
      while (at != end_ && is_in_name(*at)) ++at;
    }
    return at;
  }

  const Char* after_name(const Char* at) const {
    at = after_part(at);
    while (follows(at, '.') && at + 1 != end_) {
      const Char* const next = is_letter(at[1]) ? after_part(at + 1) : after_digits(at + 1);
      if (next == at + 1) break;
      at = next;
    }
    return at;
  }

  // A part of a name may be a number, but begins with no digit otherwise.
  const Char* after_digits(const Char* const begin) const {
    const Char* at = begin;
    while (at != end_ && is_digit(*at)) ++at;
    return at != end_ && is_in_name(*at) ? begin : at;
  }

  const Char* after_number(const Char* at, Tokens::Kind& kind) const {
    if (const Char* const end = after_bits(at); end != at) {
      kind = Tokens::Kind::bits;
      return end;
    }
    kind = Tokens::Kind::number;
    while (at != end_ && is_digit(*at)) ++at;
    return at;
  }

  // 0ub8_101 and the like. Otherwise the same place.
  const Char* after_bits(const Char* const begin) const {
    const Char* at = begin;
    const auto is_one_of = [&](std::string_view signs) {
      return at != end_ && std::ranges::any_of(signs, [&](char c) { return follows(at, c); });
    };
    if (*at++ != '0') return begin;
    if (is_one_of("us")) ++at;
    if (!is_one_of("bBoOdDhH")) return begin;
    ++at;
    while (at != end_ && is_digit(*at)) ++at;
    if (!follows(at, '_')) return begin;
    const Char* const digits = ++at;
    while (at != end_ && (is_digit(*at) || is_one_of("_abcdefABCDEF"))) ++at;
    return at == digits ? begin : at;
  }

  const Char* after_sign(const Char* at, bool& is_comment) const {
    const Char first = *at++;
    if (first == '-' && follows(at, '-')) {
      is_comment = true;
      while (at != end_ && *at != '\n' && *at != '\r') ++at;
      return at;
    }
    if (first == '/' && follows(at, '-') && follows(at + 1, '-')) return after_comment(at + 2, is_comment);
    if (first == '<' && follows(at, '-')) return follows(at + 1, '>') ? at + 2 : at;
    constexpr std::string_view kPairs[] = {"->", ":=", "..", "<=", ">=", "!=", "==", "<<", ">>", "::", "&&", "||"};
    for (const std::string_view pair : kPairs) {
      if (first == static_cast<Char>(pair[0]) && follows(at, pair[1])) return at + 1;
    }
    return at;
  }

  const Char* after_comment(const Char* at, bool& is_comment) const {
    for (; at != end_; ++at) {
      if (*at == '-' && follows(at + 1, '-') && follows(at + 2, '/')) {
        is_comment = true;
        return at + 3;
      }
    }
    return at;
  }

  void add(const Char* begin, const Char* end, Tokens::Kind kind) {
    std::uint64_t hash = kSeed;
    for (const Char* at = begin; at != end; ++at) hash = mixed(hash, *at);
    const auto length = static_cast<Id>(end - begin);
    std::size_t place = spread(hash);
    while (table_[place] != kNone && !is_word(table_[place], begin, length)) place = (place + 1) & (table_.size() - 1);
    Id word = table_[place];
    if (word == kNone) {
      word = declare(kind, length, static_cast<Id>(tokens_.words.size()), hash);
      if (kind == Tokens::Kind::number && length <= kLongestNumber) {
        for (const Char* at = begin; at != end; ++at) {
          tokens_.numbers[word] = tokens_.numbers[word] * 10 + static_cast<std::int64_t>(*at - '0');
        }
      }
    } else if (tokens_.first[word] == kNone) {
      tokens_.first[word] = static_cast<Id>(tokens_.words.size());
    }
    tokens_.words.push_back(word);
    tokens_.begins.push_back(static_cast<Id>(begin - text_));
  }

  bool is_word(Id word, const Char* begin, Id length) const {
    if (tokens_.lengths[word] != length) return false;
    if (static_cast<std::size_t>(word) < known_.size()) {
      return std::equal(known_[word].begin(), known_[word].end(), begin,
                        [](char known, Char c) { return c == static_cast<Char>(known); });
    }
    return std::equal(begin, begin + length, text_ + tokens_.begins[tokens_.first[word]]);
  }

  std::size_t spread(std::uint64_t hash) const { return (hash ^ (hash >> 29U)) & (table_.size() - 1); }

  Id declare(Tokens::Kind kind, Id length, Id first, std::uint64_t hash) {
    const auto word = static_cast<Id>(tokens_.kinds.size());
    tokens_.kinds.push_back(kind);
    tokens_.lengths.push_back(length);
    tokens_.first.push_back(first);
    tokens_.numbers.push_back(0);
    hashes_.push_back(hash);
    if (2 * hashes_.size() > table_.size()) {
      table_.assign(2 * table_.size(), kNone);
      for (std::size_t each = 0; each < hashes_.size(); ++each) put(static_cast<Id>(each));
    } else {
      put(word);
    }
    return word;
  }

  void put(Id word) {
    std::size_t place = spread(hashes_[word]);
    while (table_[place] != kNone) place = (place + 1) & (table_.size() - 1);
    table_[place] = word;
  }

  const Char* const text_;
  const Char* const end_;
  const std::vector<std::string>& known_;
  Tokens& tokens_;
  std::vector<Id> table_;
  std::vector<std::uint64_t> hashes_;
};

} // namespace

template <typename Char>
void tokenize(const Char* text, std::size_t size, const std::vector<std::string>& known, Tokens& tokens) {
  Lexer<Char>(text, size, known, tokens).run();
}

template void tokenize(const std::uint8_t*, std::size_t, const std::vector<std::string>&, Tokens&);
template void tokenize(const std::uint16_t*, std::size_t, const std::vector<std::string>&, Tokens&);
template void tokenize(const std::uint32_t*, std::size_t, const std::vector<std::string>&, Tokens&);

} // namespace pigro::core::smv
