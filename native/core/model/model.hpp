// The recursive state machine in flat normal form: built once, immutable, shared by all formulas.
//
// Node ids are contiguous by component. Within a component: the declared nodes in their given order,
// then box by box its call nodes, its return nodes (by exit ordinal) and its stubs.
//
// Invariants (cited as M1 ... where used, checked by Model::check_invariants in debug builds):
//   M1  exits have no successors. Call nodes have none in the graph (their step is the entry's).
//   M2  a call node's subject is an entry that is not an exit: calls of entry-exit nodes are
//       redirected to the return node when the model is built (they are one moment).
//   M3  the return nodes of a box are consecutive ids, ascending by exit ordinal.
//   M4  the call nodes of a box are consecutive ids. Every call node is the target of some edge.
//   M5  successor and predecessor rows are sorted, without repeats, and inside one component.
//   M6  the labels of a node are those of its subject.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/bits.hpp"

namespace pigro::core {

class Ticker;

enum class NodeKind : std::uint8_t { plain, exit, call, ret };
enum class Semantics : std::uint8_t { standard, rsmcheck };
enum class DeadEnds : std::uint8_t { stutter, stop };

inline constexpr std::uint8_t kEntryFlag = 1;
inline constexpr std::uint8_t kExitFlag = 2;

// Rows of ids: row i is ids[offsets[i] .. offsets[i + 1]).
struct Rows {
  Column<Id> offsets{0};
  Column<Id> ids;

  std::span<const Id> operator[](Id row) const { return {ids.data() + offsets[row], ids.data() + offsets[row + 1]}; }
  std::size_t size() const { return offsets.size() - 1; }
};

// Rows that do not change any more. Copies share them.
class SharedRows {
 public:
  SharedRows() : SharedRows(Rows{}) {}
  SharedRows(Rows&& made) : SharedRows(std::make_shared<const Rows>(std::move(made))) {}
  explicit SharedRows(std::shared_ptr<const Rows> made)
      : rows_(std::move(made)), offsets_(rows_->offsets.data()), ids_(rows_->ids.data()) {}

  std::span<const Id> operator[](Id row) const { return {ids_ + offsets_[row], ids_ + offsets_[row + 1]}; }
  const Rows& rows() const { return *rows_; }

 private:
  std::shared_ptr<const Rows> rows_;
  const Id* offsets_;
  const Id* ids_;
};

// A model as programs hand it over. Declared nodes are numbered 0..N-1 by component. A *reference*
// is a declared node, or N + i for the i-th listed call, or N + calls + j for the j-th listed return.
struct RawModel {
  std::span<const Id> component_offsets; // components + 1
  std::span<const std::uint8_t> node_flags;
  std::span<const Id> box_offsets; // components + 1
  std::span<const Id> box_callee;
  std::span<const Id> call_offsets;   // boxes + 1
  std::span<const Id> call_entries;   // declared nodes of the callee
  std::span<const Id> return_offsets; // boxes + 1
  std::span<const Id> return_exits;
  std::span<const Id> edge_sources;  // references: nodes or listed returns
  std::span<const Id> edge_targets;  // references: nodes or listed calls
  std::span<const Id> label_offsets; // labels + 1
  std::span<const Id> label_nodes;
  // In place of edges: the successors of each node, which become the model's own. Needs: one component without boxes,
  // and rows that are sorted, without repeats. Exits have no successors.
  std::shared_ptr<const Rows> steps = {};
};

// The fault of a raw model: a word for the rule, and the ids it is about.
struct ModelFault : std::runtime_error {
  ModelFault(const char* rule, std::int64_t first, std::int64_t second = -1)
      : std::runtime_error(rule), first(first), second(second) {}
  std::int64_t first;
  std::int64_t second;
};

class Model {
 public:
  // Validates and flattens. Throws ModelFault, and what the ticker throws.
  Model(const RawModel& raw, Semantics semantics, Ticker& ticker);

  std::uint64_t serial() const { return serial_; } // no other model of this process has the same

  Id components() const { return static_cast<Id>(first_.size()) - 1; }
  Id nodes() const { return first_.back(); }
  Id boxes() const { return static_cast<Id>(box_callee_.size()); }
  Id labels() const { return static_cast<Id>(label_nodes_.size()); }
  Id edges() const { return static_cast<Id>(successors_.rows().ids.size()); }
  Id declared_nodes() const { return declared_.back(); }

  Id first(Id component) const { return first_[component]; }
  Id width(Id component) const { return first_[component + 1] - first_[component]; }
  std::size_t words(Id component) const { return words_for(static_cast<std::size_t>(width(component))); }

  NodeKind kind(Id node) const { return kind_[node]; }
  bool is_entry(Id node) const { return (flags_[node] & kEntryFlag) != 0; }
  Id component(Id node) const { return component_[node]; }
  Id subject(Id node) const { return subject_[node]; } // the declared node that gives the labels
  Id box(Id node) const { return box_[node]; }         // of call and return nodes and stubs
  // Of an exit, or of a return node's exit: its number in the component. Of a call node: the number
  // of the called entry among all called entries of the model.
  Id ordinal(Id node) const { return ordinal_[node]; }
  Id called_entries() const { return called_entries_.back(); }
  Id called_entries(Id component) const { return called_entries_[component + 1] - called_entries_[component]; }
  std::span<const Id> successors(Id node) const { return successors_[node]; }
  std::span<const Id> predecessors(Id node) const { return predecessors_[node]; }

  std::span<const Id> exits(Id component) const { return exits_[component]; }
  Id exit_count(Id component) const { return exits_.offsets[component + 1] - exits_.offsets[component]; }
  std::size_t exit_words(Id component) const { return words_for(static_cast<std::size_t>(exit_count(component))); }

  Id first_box(Id component) const { return box_offsets_[component]; }
  Id box_count(Id component) const { return box_offsets_[component + 1] - box_offsets_[component]; }
  Id box_component(Id box) const { return box_component_[box]; }
  Id callee(Id box) const { return box_callee_[box]; }
  // Some edge goes to a call of the box, calls of entry-exit nodes included.
  bool is_called(Id box) const { return called_[box]; }
  Id first_call(Id box) const { return first_call_[box]; }
  Id call_count(Id box) const { return call_count_[box]; }
  Id first_return(Id box) const { return first_return_[box]; }
  Id return_count(Id box) const { return return_count_[box]; }
  // The return node (box, exit with this ordinal), or kNone. Logarithmic in the box's returns.
  Id return_node(Id box, Id exit_ordinal) const;

  std::span<const Id> calls_of_entry(Id node) const { return calls_of_[node]; }
  std::span<const Id> returns_of_exit(Id node) const { return returns_of_[node]; }
  std::span<const Id> boxes_calling(Id component) const { return callers_[component]; }
  std::span<const Id> listed_calls(Id box) const { return listed_calls_[box]; } // entry nodes

  std::span<const Id> labelled(Id label) const { return label_nodes_[label]; } // declared nodes only
  // Sets the bit of every node that carries the label, call and return nodes included (M6).
  void mark_label(Id label, Word* bits) const;

  // The components that calls lead to from these nodes, as bits.
  std::vector<Word> reachable_components(std::span<const Id> starts) const;

  // A copy with more labels after the others, which shares the graph: row l of (offsets, declared) lists the declared
  // nodes of the l-th new one. Node ids stay as they are. Throws ModelFault.
  Model with_labels(std::span<const Id> offsets, std::span<const Id> declared) const;

  // The arrays that make up the model with its first `labels` labels, as bytes in an order that never
  // changes. For digests.
  std::vector<std::span<const std::byte>> parts(Id labels) const;

  Id node_of_declared(Id declared) const;
  Id declared_of_node(Id node) const { return node - first_[component_[node]] + declared_[component_[node]]; }

 private:
  struct Flattening;
  void check_invariants() const;

  const std::uint64_t serial_;
  std::vector<Id> first_;    // components + 1: first node of each component
  std::vector<Id> declared_; // components + 1: first declared node of each component
  Column<NodeKind> kind_;
  Column<std::uint8_t> flags_;
  Column<Id> component_, subject_, box_, ordinal_;
  SharedRows successors_, predecessors_;
  Rows exits_;
  Column<Id> box_offsets_, box_component_, box_callee_;
  Column<Id> first_call_, call_count_, first_return_, return_count_;
  std::vector<bool> called_;
  std::vector<Id> called_entries_; // components + 1: how many before each
  SharedRows calls_of_, returns_of_;
  Rows callers_, listed_calls_, label_nodes_;
};

} // namespace pigro::core
