// Reads what a level over a path formula has in place of blocks: states, and claims about vertices.
#pragma once

#include "verify/bytes.hpp"

namespace pigro::verify {

// A set of numbers below `width`.
const Word* read_set(const Surroundings& around, Bytes& bytes, Id width);
// How many pairs of a state and an exit there are.
Id pairs_of(const Surroundings& around, const Bytes& bytes, Id component, Id states);

class PathReader {
 public:
  PathReader(const Surroundings& around, const Cut& cut, Id level, Bytes& bytes, Section& section)
      : around_(around), model_(around.model), piece_(cut.pieces[level]), cut_(cut), bytes_(bytes), section_(section) {}

  void read_states();
  Id states() const { return static_cast<Id>(level().states.size()); }
  void read_claims(const Range& operand_contexts);

 private:
  PathLevel& level() const { return section_.path_levels.back(); }
  void read_sure();
  void read_bound(Id block);
  void read_bound_row(BoundBlock& block, Id state);
  void read_part(Id number);
  // Appends a list of vertices. `operands` is that of all of them, or kNone.
  std::size_t read_vertices(Id operands);
  Id read_operand_context();
  Id read_state() { return bytes_.below(states(), "no such state"); }
  Id vertex(Id operands, Id state, Id node);
  Id exit_pair(const Vertex& at) const;

  const Surroundings& around_;
  const Model& model_;
  const Piece& piece_;
  const Cut& cut_;
  Bytes& bytes_;
  Section& section_;
  Range operand_contexts_;
};

} // namespace pigro::verify
