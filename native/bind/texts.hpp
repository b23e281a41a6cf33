// Many short texts, as Python holds them.
#pragma once

#include <memory>
#include <string>

#include "bind/shared.hpp"
#include "core/base/texts.hpp"

namespace pigro::bind {

// Texts with the string that they are in, which never changes: one of Python's, or their own.
struct HeldTexts {
  nb::object given; // bytes
  std::unique_ptr<const std::string> own;
  core::Texts texts;

  HeldTexts(const Ids& offsets, const nb::bytes& text, const std::optional<Ids>& order)
      : given(text),
        texts(copy(offsets), {text.c_str(), text.size()}, order ? std::optional(copy(*order)) : std::nullopt) {}
  explicit HeldTexts(core::JoinedTexts&& joined)
      : own(std::make_unique<const std::string>(std::move(joined.text))),
        texts(std::move(joined.offsets), *own, std::nullopt) {}
  HeldTexts(HeldTexts&&) = default;

  nb::bytes text() const { return own ? nb::bytes(own->data(), own->size()) : nb::borrow<nb::bytes>(given); }
};

} // namespace pigro::bind
