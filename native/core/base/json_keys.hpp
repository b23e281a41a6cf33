// Is some key twice in an object of a JSON text? Decoders take the last value silently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pigro::core {

// Where the first key begins that its object had already, at the opening quote. Npos if there is none. Escapes are
// read: "a" and "\u0061" are one key. Any bytes will do. What follows a mistake in the JSON may be left out.
// Cost: one pass. Objects with many keys are sorted. Sets `has` if a key `wanted` comes before that place.
std::size_t repeated_key(std::string_view text, std::string_view wanted, bool& has);

// Four hexadecimal digits from `at` on. Above 0xFFFF if they are none.
std::uint32_t hex_unit(std::string_view text, std::size_t at);
// The inside of a string without its escapes. Halves of pairs that stand alone stay as they are.
std::string unescaped(std::string_view text);

} // namespace pigro::core
