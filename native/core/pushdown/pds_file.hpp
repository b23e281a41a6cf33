// The quick reading of `.pds` files.
//
// Takes in the lines that are ASCII and either rules or labels of names. Blank lines and lines that begin with # are
// skipped. All other lines, right or wrong, are left to a reader that explains. An initial configuration is taken in
// too, if it is the only line that is left.
//
// Names are numbered in the order of the lines that are taken in, so that no number depends on how this works. A symbol
// with a number is known by that (pushdown_names.hpp), and the control state of the rule before by its text. Another
// name is hashed while its end is looked for, eight bytes at a time. It is looked up a little later, when the
// table's slot for its hash is in the cache. Cost: one pass.
#pragma once

#include <string_view>

#include "core/base/ticker.hpp"
#include "core/pushdown/pushdown.hpp"

namespace pigro::core {

// A line that was not taken in.
struct UnreadLine {
  std::int64_t begin, length, number; // numbers count from 0
};

// Needs: fewer than 2^31 bytes, which outlive the system. Names stay where the text has them.
std::vector<UnreadLine> read_pushdown_lines(Pushdown& system, std::string_view text, Ticker& ticker);

} // namespace pigro::core
