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

constexpr bool ends_name(unsigned char c) { return c <= ' ' || c >= 0x7F || c == '<' || c == '>'; }

struct ScannedName {
  const char* begin;
  std::uint32_t size;
  std::uint32_t hash;           // if the number is not known
  PushdownNames::Place place{}; // if there is one
  Id known = kNone;             // the number

  std::string_view text() const { return {begin, size}; }
  bool operator==(const ScannedName& other) const { return size == other.size && same_bytes(begin, other.begin, size); }
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
    ticker_.before_allocating(0);
    system_.reserve(static_cast<std::size_t>(end_ - begin_));
    for (;; ++number_, ++at_) {
      ticker_.poll();
      line_ = at_;
      const std::size_t names_before = names_.size(), ids_before = ids_.size();
      if (!statement()) {
        names_.resize(names_before);
        ids_.resize(ids_before);
        if (is_pending(last_state_.known) && place_of(last_state_.known) >= names_before) last_state_ = {};
        at_ = line_;
        find_end();
        unread_.push_back({line_ - begin_, at_ - line_, number_});
      }
      assert(is_over());
      if (ids_.size() >= kBatch) flush();
      if (at_ == end_) break;
    }
    flush();
    if (unread_.size() == 1 && initial(unread_[0])) unread_.clear();
    return std::move(unread_);
  }

 private:
  static constexpr std::size_t kBatch = 256;

  // The k-th name of names_ has the id ~k until it is looked up.
  static bool is_pending(Id id) { return id < 0; }
  static std::size_t place_of(Id pending) { return static_cast<std::size_t>(~pending); }

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
      return {begin, static_cast<std::uint32_t>(size), hash.finish(rest, size), {}};
    }
  }

  // The same as `name` for a symbol. Most have a known beginning and a number.
  ScannedName symbol() {
    const auto [place, size] = system_.names.match(at_, end_);
    if (size == 0 || !ends_name(static_cast<unsigned char>(at_[size]))) return name();
    const char* const begin = at_;
    at_ += size;
    skip();
    const Id known = system_.names.find(place);
    return {begin, size, known >= 0 ? 0 : hash_of({begin, size}), place, known};
  }

  // Is there a name? It will be looked up.
  bool keep(ScannedName found) {
    if (found.size == 0) return false;
    if (found.known < 0) ticker_.push(names_, found);
    push_id(found.known < 0 ? ~static_cast<Id>(names_.size() - 1) : found.known);
    return true;
  }

  void push_id(Id id) {
    ticker_.poll();
    ticker_.push(ids_, id);
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
    const std::size_t before = ids_.size();
    if (last_state()) return rule(before);
    const ScannedName first = name();
    return is_label_word(first) && !follows('<') ? labels() : keep_state(first) && rule(before);
  }

  static bool is_label_word(const ScannedName& name) { return name.text() == "ATOMS"; }

  // Most rules have the control state of the rule before. Is that the next name? Then it is kept.
  bool last_state() {
    const auto [begin, size] = std::pair(last_state_.begin, last_state_.size);
    const bool is_next = size > 0 && static_cast<std::size_t>(end_ - at_) > size && same_bytes(at_, begin, size) &&
                         ends_name(static_cast<unsigned char>(at_[size]));
    if (!is_next) return false;
    assert(!is_label_word(last_state_));
    at_ += size;
    skip();
    push_id(last_state_.known);
    return true;
  }

  bool keep_state(const ScannedName& found) {
    if (!keep(found)) return false;
    if (is_label_word(found)) return true;
    last_state_ = found;
    last_state_.known = ids_.back();
    return true;
  }

  // Symbols between angle brackets.
  bool stack() {
    if (!take('<')) return false;
    while (!follows('>')) {
      if (!keep(symbol())) return false;
    }
    return take('>');
  }

  // What comes after the control state, which is kept at the place `before`.
  bool rule(std::size_t before) {
    if (!stack() || ids_.size() != before + 2) return false;
    if (end_ - at_ < 3 || std::memcmp(at_, "-->", 3) != 0) return false;
    at_ += 3;
    skip();
    if ((!last_state() && !keep_state(name())) || !stack() || !is_over()) return false;
    lines_.push_back({static_cast<std::uint32_t>(ids_.size() - before), static_cast<Id>(number_ + 1)});
    return true;
  }

  bool labels() {
    const std::size_t before = ids_.size();
    const ScannedName owner = symbol();
    if (owner.text().find(',') != std::string_view::npos || !keep(owner)) return false;
    while (!is_over()) {
      const ScannedName label = name(true);
      if (label == owner) {
        push_id(ids_[before]);
      } else if (!keep(label) && !take(',')) {
        return false;
      }
    }
    if (ids_.size() < before + 2) return false;
    lines_.push_back({static_cast<std::uint32_t>(ids_.size() - before), 0});
    return true;
  }

  // Looks up names_, and gives ids_ their numbers.
  void look_up() {
    PushdownNames& names = system_.names;
    const NameTable& table = names.table();
    for (ScannedName& each : names_) {
      table.prefetch_slot(each.hash);
      if (each.place.beginning < 0) each.place = names.place_of(each.text());
    }
    for (ScannedName& each : names_) each.known = table.prefetch_name(each.hash);
    for (const ScannedName& each : names_) {
      if (each.known >= 0) table.prefetch_text(each.known);
    }
    for (ScannedName& each : names_) {
      if (const std::size_t grown = names.bytes_to_grow(each.place); grown >= kLarge) ticker_.before_allocating(grown);
      each.known = names.number_lasting(each.text(), each.hash, each.place);
    }
    for (const ScannedName& each : names_) {
      if (each.place.beginning < 0) names.learn(each.text());
    }
    const auto resolve = [&](Id& id) {
      if (is_pending(id)) id = names_[place_of(id)].known;
    };
    for (Id& id : ids_) resolve(id);
    if (last_state_.size > 0) resolve(last_state_.known);
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

  // Looks up the names of the statements so far, and takes the statements in.
  void flush() {
    look_up();
    for (const Id id : ids_) system_.heads.prefetch(id);
    for_each_line([&](const ScannedLine& line, std::span<const Id> ids) {
      if (line.number > 0) return system_.add_rule(ids[0], ids[1], ids[2], ids.subspan(3), line.number);
      for (const Id label : ids.subspan(1)) {
        system_.label_owner.push_back(ids[0]);
        system_.label.push_back(label);
      }
    });
    assert(lines_.empty() || !ids_.empty());
    lines_.clear();
    names_.clear();
    ids_.clear();
  }

  // The line `(p <g h>)`.
  bool initial(const UnreadLine& line) {
    at_ = begin_ + line.begin;
    skip();
    if (!take('(')) return false;
    const ScannedName state = name();
    names_.clear();
    ids_.clear();
    const bool is_usual = state.text().find_first_of("()") == std::string_view::npos && keep(state) && stack();
    if (!is_usual || !take(')') || !is_over()) return false;
    look_up();
    system_.initial_state = ids_[0];
    system_.initial_stack.assign(ids_.begin() + 1, ids_.end());
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
  std::vector<ScannedLine> lines_;
  std::vector<Id> ids_;            // of all names of these lines
  std::vector<ScannedName> names_; // those that are to be looked up
  ScannedName last_state_{};       // of rules, once there is one
};

} // namespace

std::vector<UnreadLine> read_pushdown_lines(Pushdown& system, std::string_view text, Ticker& ticker) {
  return PdsReader(system, text, ticker).read();
}

} // namespace pigro::core
