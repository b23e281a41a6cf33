#include "core/proofs/lemmas.hpp"

#include "core/proofs/proofs.hpp"

namespace pigro::core {

struct LemmaBook::Parts {
  Parts(const Model& model, bool shortest)
      : query(model, nullptr, nullptr, {}, DeadEnds::stutter, Policy{.certify = true, .shortest = shortest}, {}),
        until(query, kReach, {}),
        globally(query, kStay, {}),
        until_proof(task, until, {}),
        globally_proof(task, globally, {}) {}

  Query query;
  UntilLevel until;
  GloballyLevel globally;
  ProofTask task{.query = query, .of_lemmas = true};
  UntilProof until_proof;
  GloballyProof globally_proof;
};

LemmaBook::LemmaBook(const Model& model, bool shortest) : parts_(std::make_unique<Parts>(model, shortest)) {}
LemmaBook::~LemmaBook() = default;

std::string LemmaBook::section(std::span<const LemmaRef> needed, std::function<void(std::size_t)> on_tick) {
  Exclusive::Use use(exclusive_);
  use.spoil_on_failure();
  Parts& parts = *parts_;
  assert(!parts.query.on_tick); // it is set for the time of a call
  parts.query.on_tick = std::move(on_tick);
  for (const LemmaRef& lemma : needed) {
    LevelProof& proof =
        lemma.globally ? static_cast<LevelProof&>(parts.globally_proof) : static_cast<LevelProof&>(parts.until_proof);
    proof.prove_lemma(lemma);
  }
  ByteWriter body;
  const bool is_new = parts.until_proof.has_blocks() || parts.globally_proof.has_blocks();
  for (LevelProof* proof :
       {static_cast<LevelProof*>(&parts.until_proof), static_cast<LevelProof*>(&parts.globally_proof)}) {
    if (is_new) proof->write(body);
    proof->next_section();
  }
  parts.query.on_tick = nullptr;
  return body.take();
}

} // namespace pigro::core
