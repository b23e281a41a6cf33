#include "core/base/json_keys.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace pigro::core {

namespace {

constexpr std::size_t kFew = 16;
constexpr std::size_t kNowhere = std::string_view::npos;

struct Key {
  std::string_view text;
  std::size_t at;
};

void append_utf8(std::string& out, std::uint32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
    return;
  }
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  constexpr std::uint32_t kLead[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kLead[more] | point >> (6 * more));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (point >> (6 * i) & 0x3F));
}

// The second of two equal keys that comes first, or kNowhere if all differ. Reorders them.
std::size_t repeated(Key* begin, Key* end) {
  std::size_t first = kNowhere;
  if (static_cast<std::size_t>(end - begin) <= kFew) {
    for (const Key* key = begin; key != end; ++key) {
      for (const Key* before = begin; before != key; ++before) {
        if (before->text == key->text) return key->at;
      }
    }
    return first;
  }
  std::sort(begin, end, [](const Key& a, const Key& b) {
    const int order = a.text.compare(b.text);
    return order != 0 ? order < 0 : a.at < b.at;
  });
  for (const Key* key = begin + 1; key != end; ++key) {
    if (key->text == key[-1].text) first = std::min(first, key->at);
  }
  return first;
}

// The quote that closes a string, or null.
const char* end_of_string(const char* at, const char* end) {
  const char* const start = at;
  for (;; ++at) {
    at = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
    if (at == nullptr) return nullptr;
    const char* slash = at;
    while (slash != start && slash[-1] == '\\') --slash;
    if ((at - slash) % 2 == 0) return at; // else the quote itself is escaped
  }
}

// The bytes outside of strings that matter.
constexpr std::array<bool, 256> kMarks = [] {
  std::array<bool, 256> made{};
  for (const char mark : {'"', '{', '}', '[', ']', ','}) made[static_cast<unsigned char>(mark)] = true;
  return made;
}();

} // namespace

std::uint32_t hex_unit(std::string_view text, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const char low = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      value = value << 4 | static_cast<std::uint32_t>(c - '0');
    } else if (low >= 'a' && low <= 'f') {
      value = value << 4 | static_cast<std::uint32_t>(low - 'a' + 10);
    } else {
      return 0x10000;
    }
  }
  return value;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at];
      continue;
    }
    const char c = text[++at];
    constexpr std::string_view kShort = "bfnrt";
    if (const std::size_t found = kShort.find(c); found != kNowhere) {
      out += "\b\f\n\r\t"[found];
    } else if (std::uint32_t point = c == 'u' ? hex_unit(text, at + 1) : 0x10000; point < 0x10000) {
      at += 4;
      if ((point & 0xFC00) == 0xD800 && text.substr(at + 1, 2) == "\\u") {
        const std::uint32_t second = hex_unit(text, at + 3);
        if ((second & 0xFFFFFC00) == 0xDC00) {
          point = 0x10000 + ((point & 0x3FF) << 10) + (second & 0x3FF);
          at += 6;
        }
      }
      append_utf8(out, point);
    } else {
      out += c;
    }
  }
  return out;
}

std::size_t repeated_key(std::string_view text, std::string_view wanted, bool& has) {
  std::vector<std::size_t> open; // of each bracket: its first key, or kNowhere for a list
  std::vector<Key> keys;         // of all open objects
  std::deque<std::string> plain; // keys that had escapes
  bool wants_key = false;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* at = begin; at != end; ++at) {
    if (!kMarks[static_cast<unsigned char>(*at)]) continue;
    switch (*at) {
      case '"': {
        const char* const start = at + 1;
        at = end_of_string(start, end);
        if (at == nullptr) return kNowhere;
        if (wants_key) {
          std::string_view inside(start, static_cast<std::size_t>(at - start));
          if (inside.find('\\') != kNowhere) inside = plain.emplace_back(unescaped(inside));
          has = has || inside == wanted;
          keys.push_back({inside, static_cast<std::size_t>(start - begin) - 1});
          wants_key = false;
        }
        break;
      }
      case '{':
        open.push_back(keys.size());
        wants_key = true;
        break;
      case '[':
        open.push_back(kNowhere);
        wants_key = false;
        break;
      case ',':
        wants_key = !open.empty() && open.back() != kNowhere;
        break;
      case '}':
      case ']':
        if (open.empty()) return kNowhere;
        if (const std::size_t first = open.back(); first != kNowhere) {
          if (const std::size_t found = repeated(keys.data() + first, keys.data() + keys.size()); found != kNowhere) {
            return found;
          }
          keys.resize(first);
        }
        open.pop_back();
        wants_key = false;
        break;
      default:
        break;
    }
  }
  return kNowhere;
}

} // namespace pigro::core
