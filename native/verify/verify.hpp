// Is a certificate right? Checks sections of certificates on one model, many of them and fast.
//
// What certificates claim, the rules and their proof: docs/certificate-rules.md. The bytes:
// docs/certificate-format.md. The checker in Python (pigro.certificates) is the one to read and to trust. This
// one says the same, word for word, and is for files with many formulas.
//
// It is written apart from the engines whose verdicts it checks: of native/core it has the model and
// the bit sets, nothing else.
//
// Cost: a section is read once. The values of operand contexts and instances are bit sets over a component,
// made when first asked for. Linear in the model are only passes over the words of bit sets: the
// labels of a formula (kept between formulas), and R9. All memory is kept for the next section.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "verify/rules.hpp"

namespace pigro::verify {

class Verifier {
 public:
  // `on_tick` is called every few thousand steps, and may throw to stop. The model must outlive this.
  Verifier(const Model& model, DeadEnds dead_ends, std::function<void()> on_tick = {});
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  // Checks the body of a section of lemmas, which then count for later sections. Nothing if it is
  // accepted, else the first fault. Throws Malformed.
  std::optional<std::string> lemmas(std::span<const std::uint8_t> body);

  // Checks the body of a section about a formula. Its text is skipped, `form` says what it means.
  // Throws std::invalid_argument if that is no formula.
  std::optional<std::string> formula(std::span<const std::uint8_t> body, const Form& form);

 private:
  std::optional<std::string> check(const Cut& cut, std::span<const Id> labels, Kind kind,
                                   std::span<const std::uint8_t> body);
  void keep_lemmas(const Cut& cut);

  const Model& model_;
  core::Zeroed<Word> calls_;
  core::Zeroed<Word> empty_;
  Pool pool_;
  Ticker ticker_;
  Surroundings around_;
  Labels labels_;
  Section section_;
  Values values_;
  Known lemmas_; // by operator and entry node
  Pool lemma_sets_;
  Rules rules_;
  Cutter cutter_;
};

} // namespace pigro::verify
