#include "core/pushdown/pds_file.hpp"

#include <bit>
#include <cassert>
#include <cstring>

namespace pigro::core {

namespace {

constexpr bool is_pds_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

constexpr std::uint64_t pds_ones = 0x0101010101010101U;
constexpr std::uint64_t pds_highs = pds_ones * 0x80;

// The high bit of each byte that is 0. Bytes above the lowest such byte may be marked as well.
constexpr std::uint64_t pds_zeros(std::uint64_t bytes) { return (bytes - pds_ones) & ~bytes & pds_highs; }

// Marks the lowest byte that no name has.
constexpr std::uint64_t ends_of_names(std::uint64_t bytes) {
  const std::uint64_t low = (bytes - pds_ones * 0x21) & ~bytes;
  const std::uint64_t high = bytes | (bytes + pds_ones); // from 0x7F on
  const std::uint64_t brackets = pds_zeros((bytes | pds_ones * 2) ^ pds_ones * '>');
  static_assert(('<' | 2) == '>' && ('>' | 2) == '>');
  return ((low | high) & pds_highs) | brackets;
}

struct ScannedName {
  const char* begin;
  std::uint32_t size, hash;

  std::string_view text() const { return {begin, size}; }
};

// A statement whose names are to be looked up.
struct ScannedLine {
  std::uint32_t names;
  Id number; // from 1 on. 0 for labels, which have no lines
};

class PdsReader {
 public:
  PdsReader(Pushdown& system, std::string_view text, Ticker& ticker)
      : system_(system), ticker_(ticker), begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  std::vector<UnreadLine> read() {
    for (;; ++number_, ++at_) {
      ticker_.poll();
      line_ = at_;
      const std::size_t before = names_.size();
      if (!statement()) {
        names_.resize(before);
        at_ = line_;
        find_end();
        unread_.push_back({line_ - begin_, at_ - line_, number_});
      }
      assert(is_over());
      if (names_.size() >= kBatch) flush();
      if (at_ == end_) break;
    }
    flush();
    if (unread_.size() == 1 && initial(unread_[0])) unread_.clear();
    return std::move(unread_);
  }

 private:
  static constexpr std::size_t kBatch = 256;

  bool is_over() const { return at_ == end_ || *at_ == '\n'; }
  bool follows(char c) const { return at_ != end_ && *at_ == c; }

  void find_end() {
    const void* const found = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
    at_ = found == nullptr ? end_ : static_cast<const char*>(found);
  }

  void skip() {
    while (at_ != end_ && is_pds_blank(*at_)) ++at_;
  }

  // The longest name from here on, which may be empty, and the blanks behind it.
  ScannedName name(bool to_comma = false) {
    const char* const begin = at_;
    TextHash hash;
    for (;; at_ += 8) {
      const std::uint64_t bytes = eight_bytes(at_, static_cast<std::size_t>(end_ - at_));
      std::uint64_t ends = ends_of_names(bytes);
      if (to_comma) ends |= pds_zeros(bytes ^ pds_ones * ',');
      if (ends == 0) {
        hash.take(bytes);
        continue;
      }
      const int left = std::countr_zero(ends) / 8;
      assert(left < 8 && left <= end_ - at_);
      at_ += left;
      const auto size = static_cast<std::size_t>(at_ - begin);
      const std::uint64_t rest = bytes & ((std::uint64_t{1} << 8 * left) - 1);
      skip();
      return {begin, static_cast<std::uint32_t>(size), hash.finish(rest, size)};
    }
  }

  // Is there a name? It will be looked up.
  bool keep(ScannedName found) {
    if (found.size == 0) return false;
    ticker_.poll();
    ticker_.push(names_, found);
    return true;
  }

  bool take(char c) {
    if (!follows(c)) return false;
    ++at_;
    skip();
    return true;
  }

  // Was it one of the usual statements? It is read to its end.
  bool statement() {
    skip();
    if (is_over()) return true;
    if (*at_ == '#') {
      find_end();
      return true;
    }
    if (*at_ == '(') return false;
    const ScannedName first = name();
    return first.text() == "ATOMS" && !follows('<') ? labels() : rule(first);
  }

  // Symbols between angle brackets.
  bool stack() {
    if (!take('<')) return false;
    while (!follows('>')) {
      if (!keep(name())) return false;
    }
    return take('>');
  }

  bool rule(ScannedName state) {
    const std::size_t before = names_.size();
    if (!keep(state) || !stack() || names_.size() != before + 2) return false;
    if (end_ - at_ < 3 || std::memcmp(at_, "-->", 3) != 0) return false;
    at_ += 3;
    skip();
    if (!keep(name()) || !stack() || !is_over()) return false;
    lines_.push_back({static_cast<std::uint32_t>(names_.size() - before), static_cast<Id>(number_ + 1)});
    return true;
  }

  bool labels() {
    const std::size_t before = names_.size();
    const ScannedName owner = name();
    if (owner.text().find(',') != std::string_view::npos || !keep(owner)) return false;
    while (!is_over()) {
      const ScannedName label = name(true);
      ticker_.poll();
      if (label.size != 0) {
        ticker_.push(names_, label);
      } else if (!take(',')) {
        return false;
      }
    }
    if (names_.size() < before + 2) return false;
    lines_.push_back({static_cast<std::uint32_t>(names_.size() - before), 0});
    return true;
  }

  void look_up() {
    NameTable& table = system_.names;
    ids_.resize(names_.size());
    for (const ScannedName& each : names_) table.prefetch_slot(each.hash);
    for (std::size_t i = 0; i < names_.size(); ++i) ids_[i] = table.prefetch_name(names_[i].hash);
    for (const Id guess : ids_) {
      if (guess >= 0) table.prefetch_text(guess);
    }
    for (std::size_t i = 0; i < names_.size(); ++i) ids_[i] = table.number(names_[i].text(), names_[i].hash);
  }

  // Calls each(line, ids) for the statements so far, with the numbers of their names.
  template <typename Each>
  void for_each_line(Each&& each) const {
    const Id* next = ids_.data();
    for (const ScannedLine& line : lines_) {
      assert(line.names >= 2 && next + line.names <= ids_.data() + ids_.size());
      each(line, std::span(next, line.names));
      next += line.names;
    }
  }

  // Calls each(state, symbol) for the heads of rules.
  template <typename Each>
  void for_each_head(Each&& each) const {
    for_each_line([&](const ScannedLine& line, std::span<const Id> ids) {
      if (line.number == 0) return;
      each(ids[0], ids[1]);
      if (ids.size() == 4) each(ids[2], ids[3]);
    });
  }

  // Looks up the names of the statements so far, and takes the statements in.
  void flush() {
    look_up();
    for_each_head([&](Id state, Id symbol) { system_.heads.prefetch_slot(state, symbol); });
    for_each_head([&](Id state, Id symbol) { system_.heads.prefetch_pair(state, symbol); });
    for_each_line([&](const ScannedLine& line, std::span<const Id> ids) {
      if (line.number > 0) return system_.add_rule(ids[0], ids[1], ids[2], ids.subspan(3), line.number);
      for (const Id label : ids.subspan(1)) {
        system_.label_owner.push_back(ids[0]);
        system_.label.push_back(label);
      }
    });
    lines_.clear();
    names_.clear();
  }

  // The line `(p <g h>)`.
  bool initial(const UnreadLine& line) {
    at_ = begin_ + line.begin;
    skip();
    if (!take('(')) return false;
    const ScannedName state = name();
    names_.clear();
    const bool is_usual = state.text().find_first_of("()") == std::string_view::npos && keep(state) && stack();
    if (!is_usual || !take(')') || !is_over()) return false;
    const auto number = [&](const ScannedName& each) { return system_.names.number(each.text(), each.hash); };
    system_.initial_state = number(names_[0]);
    for (std::size_t i = 1; i < names_.size(); ++i) system_.initial_stack.push_back(number(names_[i]));
    return true;
  }

  Pushdown& system_;
  Ticker& ticker_;
  const char* const begin_;
  const char* at_;
  const char* const end_;
  const char* line_ = nullptr;
  std::int64_t number_ = 0;
  std::vector<UnreadLine> unread_;
  std::vector<ScannedName> names_; // of the statements in lines_
  std::vector<ScannedLine> lines_;
  std::vector<Id> ids_;
};

} // namespace

std::vector<UnreadLine> read_pushdown_lines(Pushdown& system, std::string_view text, Ticker& ticker) {
  return PdsReader(system, text, ticker).read();
}

} // namespace pigro::core
