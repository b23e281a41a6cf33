// Many short texts, as Python holds them.
#pragma once

#include "bind/shared.hpp"
#include "core/base/texts.hpp"

namespace pigro::bind {

// Texts with the string that they are in, which never changes.
struct HeldTexts {
  nb::bytes text;
  core::Texts texts;

  HeldTexts(const Ids& offsets, nb::bytes given, const std::optional<Ids>& order)
      : text(std::move(given)),
        texts(copy(offsets), {text.c_str(), text.size()}, order ? std::optional(copy(*order)) : std::nullopt) {}
  explicit HeldTexts(const core::JoinedTexts& joined)
      : text(joined.text.data(), joined.text.size()),
        texts(joined.offsets, {text.c_str(), text.size()}, std::nullopt) {}
};

} // namespace pigro::bind
