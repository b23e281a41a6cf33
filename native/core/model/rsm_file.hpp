// `.rsm` files (docs/formats/rsm.md): from bytes to the arrays of a model, without an object for a node.
//
// Needs: valid UTF-8. Leaves: the same arrays and names as pigro/model/flatten.py, or nothing if the file is wrong or
// unusual (core/base/json.hpp), or has source positions. Then the reader in Python takes it and finds the words.
// Cost: linear in the file.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/ticker.hpp"
#include "core/model/named_arrays.hpp"

namespace pigro::core {

// Throws what the ticker throws.
std::optional<NamedArrays> read_rsm_file(std::string_view text, Ticker& ticker);

} // namespace pigro::core
