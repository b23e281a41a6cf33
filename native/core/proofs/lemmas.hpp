// Lemmas of certificates: what called entries can do without any formula, proved once for a file.
#pragma once

#include <compare>

#include "core/base/exclusive.hpp"
#include "core/levels/statics.hpp"

namespace pigro::core {

// A claim about a called entry (docs/certificate-rules.md): of E[true U false] or of EG true, sure or
// bound. A sure one with an exit, or kNone for none.
struct LemmaRef {
  bool globally;
  bool sure;
  Id entry;
  Id exit;

  auto operator<=>(const LemmaRef&) const = default;
};

// The lemmas of one file, section by section.
class LemmaBook {
 public:
  // `shortest`: with shortest paths.
  LemmaBook(const Model& model, bool shortest);
  ~LemmaBook();

  // The bytes of a section with those of `needed` that no earlier section has, and all they rest on.
  // Empty if there is nothing new. Throws what `on_tick` throws, and from then on std::logic_error: what
  // was cut short is in no section. Needs: lemmas about this model.
  std::string section(std::span<const LemmaRef> needed, std::function<void(std::size_t)> on_tick);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  Exclusive exclusive_;
};

} // namespace pigro::core
