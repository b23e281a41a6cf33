// What does a section of a certificate say? Its bytes (docs/certificate-format.md), decoded and checked for
// form: after that every number is in range.
//
// Operand contexts, instances, links and blocks of all levels stand in one array each and are numbered
// through. A level has a range of each. The free operand contexts and the instances *none* that the rules
// ask for are added behind them.
#pragma once

#include <stdexcept>
#include <vector>

#include "core/model/model.hpp"
#include "verify/cut.hpp"
#include "verify/store.hpp"

namespace pigro::verify {

using core::Model;

// The bytes are no section. Says where.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Where something is true and where it is false. Where neither, it is unknown.
struct Truth {
  const Word* yes = nullptr;
  const Word* no = nullptr;
};

struct OperandContext {
  Id component;
  Id level;
  Id lower;               // in Section::lowers: an instance or kNone for each child of the level
  Id first_link = kNone;  // its links, by Link::next
  Id first_block = kNone; // its blocks, by Block::next
  bool known = false;     // are these worked out?
  Truth first, last;      // phi1 of EU. Phi2 of EU, phi of EX and EG
  Id leaves = kNone;      // of path formulas: the values of the leaves, in Section::leaf_values
};

struct Instance {
  Id operands;
  bool root;
  Truth masks;        // over the exits: T and F
  bool known = false; // is this worked out?
  Truth value;        // over the nodes
};

// Between operand contexts or between instances. The box is counted from the first of the component.
struct Link {
  Id source, box, target;
  Id next; // of the same operand context
};

struct Block {
  Id operands;
  bool sure;
  Id entry; // kNone, or a node. Nodes are counted from the first of the component
  const Word* exits;
  const Word* set;            // the nodes, if their order does not matter, else null, and then:
  std::size_t list, list_end; // the nodes in Section::listed
  Id next;                    // of the same operand context
};

// Half-open.
struct Range {
  Id begin = 0;
  Id end = 0;
};

struct Level {
  Range operand_contexts, links, instances, instance_links, blocks;
  Range relevant_ids;             // in Section::relevant_ids
  const Word* relevant = nullptr; // over the components. Null if all are relevant
};

// The claims of path formulas (verify/paths/path_rules.hpp).

// A node with the state before it is read. Exits where runs stay have their place after the nodes.
struct Vertex {
  Id operands;
  Id state;
  Id node;
  Id part = kNone;   // the part that it is in,
  Id place = kNone;  // and where
  bool live = false; // so far
};

enum class SureKind : std::uint8_t { value, way, live, loop };

struct SureBlock {
  SureKind kind;
  Id operands;                // of values and ways
  const Word* exits;          // of those: over pairs of a state and an exit
  std::size_t list, list_end; // in PathClaims::listed
};

struct BoundBlock {
  Id operands;
  Id entry;                   // a vertex, or kNone
  Word* exits;                // those of its vertices
  std::size_t list, list_end; // in PathClaims::listed
  std::size_t marks;          // of each of them, if there is an entry: in PathClaims::marks
};

struct PathPart {
  Id mark; // or kNone
  std::size_t list, list_end;
};

// Of all levels. A level has ranges.
struct PathClaims {
  std::vector<Vertex> vertices;
  std::vector<Id> listed; // vertices
  std::vector<SureBlock> sure;
  std::vector<BoundBlock> bound;
  std::vector<PathPart> parts;
  std::vector<Word> marks;
  Table row;         // operand context, state
  Table number;      // row, node: vertex
  Table in_sure;     // block, vertex: 0
  Table in_bound;    // block, vertex: the place in the list
  Table table_of;    // 0, entry: the first bound block about it
  Table sure_first;  // 0, operand context: its last sure block, by `sure_next`
  Table bound_first; // 0, operand context
  std::vector<Id> sure_next, bound_next;

  void clear();
  Id find(Id operands, Id state, Id node) const {
    const Id at = row.find(operands, state);
    return at == kNone ? kNone : number.find(at, node);
  }
};

struct PathLevel {
  std::vector<const Word*> states; // sets of members
  Range sure, bound, parts, vertices;
  std::size_t mark_words = 0;
  Id marks = 0;
};

struct Section {
  bool holds = false;
  std::vector<Id> initial;
  std::vector<Level> levels;
  Range top; // the operand contexts of the top

  std::vector<OperandContext> operand_contexts;
  std::vector<Id> lowers;
  std::vector<Instance> instances;
  std::vector<Link> links;
  std::vector<Link> instance_links;
  std::vector<Block> blocks;
  std::vector<Id> listed;
  std::vector<Id> relevant_ids;

  Table link_of;          // operand context, box: operand context
  Table instance_link_of; // instance, box: instance
  Table free_operands;    // level, component: the first operand context without lower instances
  Table free_instance;    // level, component: the instance that stands for *none*
  Table top_operands;     // 0, component: the operand context of the top

  PathClaims paths;
  std::vector<PathLevel> path_levels; // by level. Empty for other operators
  std::vector<Truth> leaf_values;

  void clear();
  bool irrelevant(Id level, Id component) const {
    const Word* const relevant = levels[level].relevant;
    return relevant != nullptr && !core::test_bit(relevant, static_cast<std::size_t>(component));
  }
};

// What all sections are read with.
struct Surroundings {
  const Model& model;
  const Word* calls; // over all nodes: the call nodes. With a word to spare
  const Word* empty; // a set of nodes or exits with no member
  Pool& pool;        // takes the other sets
  Ticker& ticker;
};

enum class Kind : std::uint8_t { formula, lemmas };

// Decodes a body into `section`. Throws Malformed. Linear in the bytes and in the sets they stand for.
void read_section(const Surroundings& around, const Cut& cut, Kind kind, std::span<const std::uint8_t> body,
                  Section& section);

} // namespace pigro::verify
