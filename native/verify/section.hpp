// What does a section of a certificate say? Its bytes (docs/certificates.md), decoded and checked for
// form: after that every number is in range.
//
// Arguments, instances, links and blocks of all levels stand in one array each and are numbered
// through; a level has a range of each. The free arguments and the instances *none* that the rules
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

// Where something is true and where it is false; where neither, it is unknown.
struct Truth {
  const Word* yes = nullptr;
  const Word* no = nullptr;
};

struct Argument {
  Id component;
  Id level;
  Id lower;               // in Section::lowers: an instance or kNone for each child of the level
  Id first_link = kNone;  // its links, by Link::next
  Id first_block = kNone; // its blocks, by Block::next
  bool known = false;     // are these worked out?
  Truth first, last;      // phi1 of EU; phi2 of EU, phi of EX and EG
};

struct Instance {
  Id argument;
  bool root;
  Truth masks;        // over the exits: T and F
  bool known = false; // is this worked out?
  Truth value;        // over the nodes
};

// Between arguments or between instances. The box is counted from the first of the component.
struct Link {
  Id source, box, target;
  Id next; // of the same argument
};

struct Block {
  Id argument;
  bool sure;
  Id entry; // kNone, or a node; nodes are counted from the first of the component
  const Word* exits;
  const Word* set;            // the nodes, if their order does not matter, else null, and then:
  std::size_t list, list_end; // the nodes in Section::listed
  Id next;                    // of the same argument
};

// Half-open.
struct Range {
  Id begin = 0;
  Id end = 0;
};

struct Level {
  Range arguments, links, instances, instance_links, blocks;
  Range hot_ids;             // in Section::hot_ids
  const Word* hot = nullptr; // over the components; null if all are hot
};

struct Section {
  bool holds = false;
  std::vector<Id> initial;
  std::vector<Level> levels;
  Range top; // the arguments of the top

  std::vector<Argument> arguments;
  std::vector<Id> lowers;
  std::vector<Instance> instances;
  std::vector<Link> links;
  std::vector<Link> instance_links;
  std::vector<Block> blocks;
  std::vector<Id> listed;
  std::vector<Id> hot_ids;

  Table link_of;          // argument, box: argument
  Table instance_link_of; // instance, box: instance
  Table free_argument;    // level, component: the first argument without lower instances
  Table free_instance;    // level, component: the instance that stands for *none*
  Table top_argument;     // 0, component: the argument of the top

  void clear();
  bool cold(Id level, Id component) const {
    const Word* const hot = levels[level].hot;
    return hot != nullptr && !core::test_bit(hot, static_cast<std::size_t>(component));
  }
};

// What all sections are read with.
struct Surroundings {
  const Model& model;
  const Word* calls; // over all nodes: the call nodes; with a word to spare
  const Word* empty; // a set of nodes or exits with no member
  Pool& pool;        // takes the other sets
  Pulse& pulse;
};

enum class Kind : std::uint8_t { formula, lemmas };

// Decodes a body into `section`; throws Malformed. Linear in the bytes and in the sets they stand for.
void read_section(const Surroundings& around, const Cut& cut, Kind kind, std::span<const std::uint8_t> body,
                  Section& section);

} // namespace pigro::verify
