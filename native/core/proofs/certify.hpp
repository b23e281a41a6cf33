// Proves a verdict: from what the searches found, the claims that the verdict needs, and no others.
//
// Question: which claims (docs/certificate-rules.md) make this verdict checkable without a search?
// Idea: the tables of the searches are the proof. A key that was not hit is a bound block: its visited
// nodes. A key that was hit, or an exit it reaches, is a sure block: the path that the search took. The
// values of an instance are blocks of their own, followed through the trail that its pass left.
// We go from the verdict down: first the claims of the top-most levels, then what their operands need of
// the levels below, and only where labels leave an operand open (N1 of core/levels/relevance.hpp says that the
// searches know it there).
//
// Invariants:
//   C1  every claim comes from the engine's tables. The certifier runs no search of its own. A wrong engine gives a
//       wrong certificate, which a checker rejects.
//   C2  when a level is finished, all levels above it are: no level wants anything of it any more.
//   C3  blocks whose order matters are written after those they rest on: they are made depth-first, and the
//       searches found what a claim rests on before the claim itself.
// Cost: linear in the size of the proof, and two bit-parallel passes over all nodes for a level with
// irrelevant components.
#pragma once

#include <deque>
#include <unordered_map>

#include "core/base/bytes.hpp"
#include "core/levels/level.hpp"
#include "core/proofs/lemmas.hpp"

namespace pigro::core {

struct Certificate {
  std::string body; // verdict, initial nodes, levels and top, as docs/certificate-format.md has them
  std::vector<LemmaRef> lemmas;
  std::uint64_t model = 0; // its serial number
};

// What the proofs of all levels share.
struct ProofTask {
  Query& query;
  bool of_lemmas = false; // of a LemmaBook: to lemmas, all components are irrelevant
  std::vector<LemmaRef> lemmas = {};
};

// The claims of one level.
class LevelProof {
 public:
  LevelProof(ProofTask& task, Level& level, std::vector<LevelProof*> children)
      : task_(task),
        query_(task.query),
        model_(task.query.model),
        spec_(level.spec_),
        children_(std::move(children)),
        level_(level) {}
  virtual ~LevelProof() = default;
  LevelProof(const LevelProof&) = delete;
  LevelProof& operator=(const LevelProof&) = delete;

  static std::unique_ptr<LevelProof> make(ProofTask& task, Level& level, std::vector<LevelProof*> children);

  // Proves the value at a node with the empty stack. Returns a root instance of this proof.
  Id prove_start(Id node, bool value);
  // The proof's instance for one that the level built, or for *none* in a component.
  Id instance(Id found);
  Id free_instance(Id component);
  // Asks for a proof of the value at a node, which is no call node.
  void want(Id instance, Id node) {
    assert(!finished_ && model_.kind(node) != NodeKind::call); // C2
    assert(model_.component(node) == operand_contexts_[instances_[instance].operands].component);
    query_.push(wanted_, {instance, node});
  }
  // Asks for the link between two instances.
  void join(Id caller, Id box, Id callee);
  void make_root(Id instance);

  // Proves all that was asked for, and asks the children for what that needs.
  void finish();
  virtual void write(ByteWriter& to) const;
  // After finish(): the number in the file of an instance.
  Id number(Id instance) const {
    assert(finished_ && instances_[instance].number != kNone);
    return instances_[instance].number;
  }

  // The file number of an instance that the level built. `kNone` if the proof does not use it.
  Id number_of_found(Id found) const {
    const bool known = static_cast<std::size_t>(found) < instance_of_.size() && instance_of_[found] != kNone;
    return known ? number(instance_of_[found]) : kNone;
  }
  // Of 64 nodes, those at which the value is the same in every context. Needs: a free instance.
  Word certain_without_context(Id instance, std::size_t word) {
    assert(instances_[instance].free);
    const Level::Bounds found = level_.bounds(operand_contexts_[instances_[instance].operands].component);
    return ~(found.least[word] ^ found.most[word]);
  }

  // Lemmas: proves a claim about an entry unless an earlier section has it. Starts a new section.
  void prove_lemma(const LemmaRef& lemma);
  bool has_blocks() const { return !blocks_.empty(); }
  void next_section();

 protected:
  // Nodes and exits of a block that grows.
  struct Growth {
    Word* nodes = nullptr;
    Word* exits = nullptr;
    std::vector<Id> order; // of blocks whose order matters
  };
  struct Instance {
    Id operands;
    Id low, high; // the level's instances whose true, and whose false values are certain. kNone at a start
    bool free = false;
    bool root = false;
    Word* yes = nullptr; // masks, as far as they are wanted
    Word* no = nullptr;
    Id* links = nullptr;
    Id callers = kNone; // list in callers_
    Id number = kNone;
    Growth sure = {};
    Growth bound = {};
  };
  struct OperandContext {
    Id found; // the level's
    Id component;
    Word* first; // nodes where the value of phi1 or phi is needed
    Word* second;
    Id* links;
  };
  struct Caller {
    Id instance;
    Id box;
    Id next;
  };
  struct Block {
    Id operands;
    bool sure;
    Id entry;
    const Word* exits;
    const Word* nodes;     // a set
    std::vector<Id> order; // or a list
  };

  // Proves the value at a node of an instance: exits by masks where there are any.
  virtual void settle(Id instance, Id node) = 0;
  // The same at a start, by the shortest way.
  virtual void start(Id instance, Id node, bool value) = 0;
  // The summaries of called entries, as keys of the level. EX has none.
  virtual Id key(Id /*operands*/, Id /*entry*/) { return kNone; }
  virtual Id entry_of(Id /*key*/) const { return kNone; }
  virtual Summary summary(Id /*key*/) { return {}; }
  // Fills in the block of a key. Asks for all that it rests on.
  virtual void open(Block& /*block*/, Id /*key*/, Id /*exit*/) {}
  virtual bool is_ordered(bool /*sure*/) const { return false; }
  virtual void put_in_order(const Instance& /*instance*/, Growth& /*growth*/) {}

  // What the masks of an instance claim is so for a new caller, or with the empty stack.
  virtual void carry_masks(const Caller& caller, Id instance);
  virtual void carry_to_root(Id instance);
  // Proves the remaining claims before the children are asked.
  virtual void close() {}
  // Of 64 nodes of an operand context, those where labels alone do not decide.
  virtual Word needed(Id operands, std::size_t word);

  Id operands_of(Id found);
  Id known_operands(Id found) const { return operands_of_[found]; }
  Id link(Id operands, Id box);
  bool is_set(const Word* words, Id component, Id node) const {
    return test_bit(words, static_cast<std::size_t>(node - model_.first(component)));
  }
  void need(Word* OperandContext::* which, Id operands, Id node);
  void want_exit(Id instance, Id exit, bool value);
  // The summary of a call.
  Summary called(Id operands, Id call);
  // Asks for the proof that the callee does no more than its summary says. Returns the exits it reaches.
  const Word* bound_call(Id operands, Id call) {
    prove_call(operands, call, false, kNone);
    return called(operands, call).exits;
  }
  // Asks for the proof that the callee reaches an exit, or that it decides alone (kNone).
  void sure_call(Id operands, Id call, Id exit) { prove_call(operands, call, true, exit); }
  void prove_key(Id key, bool sure, Id exit) { tasks_.push_back({.key = key, .exit = exit, .sure = sure}); }
  void grow(Growth& growth, Id operands);
  // At a start in an irrelevant component: the masks that decide it. False if the component is relevant.
  bool starts_irrelevant(Id instance, bool value);
  const Word* first(Id operands) { return level_.first(operand_contexts_[operands].found); }
  const Word* second(Id operands) { return level_.second(operand_contexts_[operands].found); }
  const Word* values(Id found) { return level_.values(found); }
  const Id* trail(Id found) { return level_.instances_[found].trail; }

  ProofTask& task_;
  Query& query_;
  const Model& model_;
  const LevelSpec& spec_;
  std::vector<LevelProof*> children_;
  std::deque<OperandContext> operand_contexts_;
  std::deque<Instance> instances_;
  std::vector<Caller> callers_;

  Word left_open(const Program& program, std::size_t node);
  void write_operand_contexts(ByteWriter& to) const;
  void write_instances(ByteWriter& to) const;
  virtual void write_masks(ByteWriter& to, Id instance) const;

 private:
  struct Wanted {
    Id instance;
    Id node;
  };
  struct Link {
    Id source;
    Id box;
    Id target;
  };
  struct Task {
    Id key;
    Id exit;
    bool sure;
    bool open = false;
    Block block = {};
  };
  // In which section the claims about a key are. 0: in none yet.
  struct ClaimSections {
    Id bound = 0;
    Id* sure = nullptr; // index exit + 1. Index 0 is for a claim without an exit
  };

  Id new_instance(Id operands, Id low, Id high);
  Id start_instance(Id component);
  Id& section_of(Id key, bool sure, Id exit);
  void prove_call(Id operands, Id call, bool sure, Id exit);
  bool is_earlier(Id key, bool sure, Id exit);
  void prove_tasks();
  void need_loop(Id instance, Id exit);
  void carry_exit(const Caller& caller, Id instance, Id exit);
  void ask_children();
  // `lower`: instances of the children's levels. Null where all are none.
  void ask_children_at(Id component, const Id* lower, std::size_t word, Word nodes);
  void ask_children_in_irrelevant();
  void number_instances();
  void close_growths();
  void write_relevant(ByteWriter& to) const;
  void write_block(ByteWriter& to, const Block& block) const;

  Level& level_;
  std::vector<Id> operands_of_, instance_of_; // by the level's numbers
  std::unordered_map<Id, Id> starts_, free_;  // component to instance
  std::vector<Wanted> wanted_;
  std::vector<Link> links_, instance_links_;
  std::vector<Block> blocks_;
  std::vector<Task> tasks_;
  std::vector<ClaimSections> claim_sections_; // by key
  std::vector<std::pair<Word, Word>> slots_;
  Id section_ = 1;
  bool irrelevant_used_ = false;
  bool finished_ = false; // for C2
};

// Proves the verdict that the levels reached at these starts. The last level is the top.
Certificate certify(Query& query, const std::vector<std::unique_ptr<Level>>& levels,
                    const std::vector<LevelSpec>& specs, std::span<const Id> starts, const std::vector<bool>& holds);

} // namespace pigro::core
