// A component for each procedure: the translation of pushdown systems that model control flow.
//
// Nodes are heads. Heads that are connected without a call make a component: by rules that replace one symbol by one,
// and by what a call comes back to. A rule that pushes is a call of what comes on top. Its box is the rest of the word.
// A head that pops is an exit, and the step of the pop is that from the return node: after the box w, an exit that pops
// into control state q leads to the configuration q <w>. For a longer w that is a call again, with the rest of w as the
// box.
//
// Component 0 holds the initial configuration, whose stack may have any number of symbols, and the configurations with
// the empty stack. The empty word is its box for the bottom of the stack.
//
// Needs: the rules of a head either all pop or none does, since an exit has no other successors. Labels stay exact: a
// node stands for one head. Cost: linear but for the edges from return nodes, one for each box and pop of its callee.
// These are counted while they are made. Beyond a bound the work ends, and there is no model.
//
// With one working control state the components are the procedures. With more, a call is taken to come back in any
// control state that any rule pops into: components may then be larger than needed, which changes no answer.
#pragma once

#include <vector>

#include "core/base/ticker.hpp"
#include "core/model/named_arrays.hpp"
#include "core/pushdown/pushdown.hpp"

namespace pigro::core {

// Why a system can't be split, or that it can.
enum class SplitOutcome : std::uint8_t { done, mixed_head, too_many_returns };

struct SplitModel {
  SplitOutcome outcome = SplitOutcome::done;
  NamedArrays file;
  // Lines of the file, from 1 on, or 0: of a node that of the first rule of its head, of a box that of the rule that
  // pushes its word, of a component that of the node which it is called after.
  std::vector<Id> node_lines, box_lines, component_lines;
};

// Needs: at most kMostReturns edges from return nodes are allowed, otherwise std::invalid_argument. Adds heads to the
// system, for heads that rules call and that have no rules. Throws what the ticker throws, and ModelFault if the labels
// of all nodes, or the bytes of all names, are more than fit into 32 bits.
inline constexpr std::int64_t kMostReturns = std::int64_t{1} << 30; // so that nodes and edges have numbers
SplitModel split(Pushdown& system, std::int64_t most_returns, Ticker& ticker);

} // namespace pigro::core
