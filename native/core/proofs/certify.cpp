#include "core/proofs/certify.hpp"

#include <algorithm>

#include "core/levels/boolean_top.hpp"
#include "core/proofs/path_proof.hpp"
#include "core/proofs/proofs.hpp"

namespace pigro::core {

namespace {

template <typename Links, typename NumberOf>
void write_links(ByteWriter& to, const Links& links, NumberOf&& number_of) {
  to.number(links.size());
  for (const auto& link : links) {
    to.number(number_of(link.source));
    to.number(link.box);
    to.number(number_of(link.target));
  }
}

} // namespace

std::unique_ptr<LevelProof> LevelProof::make(ProofTask& task, Level& level, std::vector<LevelProof*> children) {
  switch (level.spec_.op) {
    case Op::next:
      return std::make_unique<NextProof>(task, static_cast<NextLevel&>(level), std::move(children));
    case Op::until:
      return std::make_unique<UntilProof>(task, static_cast<UntilLevel&>(level), std::move(children));
    case Op::exists:
      return std::make_unique<PathProof>(task, static_cast<PathLevel&>(level), std::move(children));
    default:
      return std::make_unique<GloballyProof>(task, static_cast<GloballyLevel&>(level), std::move(children));
  }
}

// ---- operand contexts, instances and their links

Id LevelProof::operands_of(Id found) {
  if (static_cast<std::size_t>(found) >= operands_of_.size()) {
    operands_of_.resize(static_cast<std::size_t>(found) + 1, kNone);
  }
  if (operands_of_[found] != kNone) return operands_of_[found];
  const Id component = level_.operand_contexts_[found].component;
  const std::size_t words = model_.words(component);
  const Id id = static_cast<Id>(operand_contexts_.size());
  operand_contexts_.push_back({.found = found,
                               .component = component,
                               .first = query_.arena.make<Word>(words),
                               .second = query_.arena.make<Word>(words),
                               .links = query_.arena.make_ids(static_cast<std::size_t>(model_.box_count(component)))});
  return operands_of_[found] = id;
}

Id LevelProof::link(Id id, Id box) {
  const OperandContext& caller = operand_contexts_[id];
  Id& known = caller.links[box - model_.first_box(caller.component)];
  if (known != kNone) return known;
  assert(model_.box_component(box) == caller.component);
  const Id found = level_.callee_operands(caller.found, box);
  const Id target = operands_of(found);
  links_.push_back({id, box - model_.first_box(caller.component), target});
  for (std::size_t i = 0; i < children_.size(); ++i) {
    const Id lower = level_.operand_contexts_[found].lower[i];
    if (lower == kNone) continue;
    const Id above = level_.operand_contexts_[caller.found].lower[i];           // N2: needed there as well
    assert(above != kNone && level_.children_[i]->callee(above, box) == lower); // L4
    children_[i]->join(children_[i]->instance(above), box, children_[i]->instance(lower));
  }
  return known = target;
}

Id LevelProof::new_instance(Id operands, Id low, Id high) {
  assert(!finished_); // C2
  const std::size_t words = model_.exit_words(operand_contexts_[operands].component);
  instances_.push_back({.operands = operands,
                        .low = low,
                        .high = high,
                        .yes = query_.arena.make<Word>(words),
                        .no = query_.arena.make<Word>(words)});
  return static_cast<Id>(instances_.size() - 1);
}

Id LevelProof::instance(Id found) {
  if (static_cast<std::size_t>(found) >= instance_of_.size()) {
    instance_of_.resize(static_cast<std::size_t>(found) + 1, kNone);
  }
  if (instance_of_[found] == kNone) {
    instance_of_[found] = new_instance(operands_of(level_.instances_[found].operands), found, found);
  }
  return instance_of_[found];
}

Id LevelProof::free_instance(Id component) {
  if (const auto known = free_.find(component); known != free_.end()) return known->second;
  Id low = kNone;
  Id high = kNone;
  if (spec_.op != Op::exists) std::tie(low, high) = level_.bounding_instances(component);
  const Id id = new_instance(operands_of(level_.context_free_operands(component)), low, high);
  instances_[id].free = true;
  return free_[component] = id;
}

Id LevelProof::start_instance(Id component) {
  if (const auto known = starts_.find(component); known != starts_.end()) return known->second;
  const Id id = new_instance(operands_of(level_.root_operands(component)), kNone, kNone);
  make_root(id);
  return starts_[component] = id;
}

Id LevelProof::prove_start(Id node, bool value) {
  const Id component = model_.component(node);
  if (query_.policy.everything) {
    const Id id = instance(level_.root(component));
    make_root(id);
    want(id, node);
    return id;
  }
  const Id id = start_instance(component);
  start(id, node, value);
  return id;
}

bool LevelProof::starts_irrelevant(Id id, bool value) {
  const Id component = operand_contexts_[instances_[id].operands].component;
  if (!level_.is_irrelevant(component)) return false;
  irrelevant_used_ = true;
  for (Id exit = 0; exit < model_.exit_count(component); ++exit) want_exit(id, exit, value);
  return true;
}

void LevelProof::join(Id caller, Id box, Id callee) {
  Instance& from = instances_[caller];
  const Id component = operand_contexts_[from.operands].component;
  if (from.links == nullptr) {
    from.links = query_.arena.make_ids(static_cast<std::size_t>(model_.box_count(component)));
  }
  Id& known = from.links[box - model_.first_box(component)];
  assert(known == kNone || known == callee); // R1: one link for each box
  if (known != kNone) return;
  known = callee;
  [[maybe_unused]] const Id target = link(from.operands, box); // R1
  assert(target == instances_[callee].operands);               // L4
  instance_links_.push_back({caller, box - model_.first_box(component), callee});
  Instance& to = instances_[callee];
  callers_.push_back({caller, box, to.callers});
  to.callers = static_cast<Id>(callers_.size() - 1);
  carry_masks(Caller(callers_.back()), callee);
}

void LevelProof::carry_masks(const Caller& caller, Id id) {
  const Instance& at = instances_[id];
  const std::size_t words = model_.exit_words(operand_contexts_[at.operands].component);
  for_each_bit(at.yes, words, [&](std::size_t exit) { carry_exit(caller, id, static_cast<Id>(exit)); });
  for_each_bit(at.no, words, [&](std::size_t exit) { carry_exit(caller, id, static_cast<Id>(exit)); });
}

void LevelProof::make_root(Id id) {
  Instance& at = instances_[id];
  if (at.root) return;
  at.root = true;
  carry_to_root(id);
}

void LevelProof::carry_to_root(Id id) {
  const Instance& at = instances_[id];
  const std::size_t words = model_.exit_words(operand_contexts_[at.operands].component);
  for_each_bit(at.yes, words, [&](std::size_t exit) { need_loop(id, static_cast<Id>(exit)); });
  for_each_bit(at.no, words, [&](std::size_t exit) { need_loop(id, static_cast<Id>(exit)); });
}

// ---- masks (R7)

void LevelProof::want_exit(Id id, Id exit, bool value) {
  const Instance& at = instances_[id];
  assert(!finished_ && !test_bit(value ? at.no : at.yes, static_cast<std::size_t>(exit))); // C2. No exit has two values
  if (!insert_bit(value ? at.yes : at.no, static_cast<std::size_t>(exit))) return;
  if (at.root) need_loop(id, exit);
  for (Id caller = at.callers; caller != kNone; caller = callers_[caller].next) carry_exit(callers_[caller], id, exit);
}

// The value at the exit is the caller's at the return node.
void LevelProof::carry_exit(const Caller& caller, Id id, Id exit) {
  assert(model_.callee(caller.box) == operand_contexts_[instances_[id].operands].component);
  const Id back = model_.return_node(caller.box, exit);
  if (back != kNone) return want(caller.instance, back);
  if (spec_.op != Op::next || query_.dead_ends == DeadEnds::stutter) need_loop(id, exit);
}

void LevelProof::need_loop(Id id, Id exit) {
  const Id at = instances_[id].operands;
  const Id node = model_.exits(operand_contexts_[at].component)[exit];
  need(spec_.op == Op::until ? &OperandContext::second : &OperandContext::first, at, node);
}

void LevelProof::need(Word* OperandContext::* which, Id id, Id node) {
  const OperandContext& at = operand_contexts_[id];
  assert(model_.component(node) == at.component && model_.kind(node) != NodeKind::call);
  set_bit(at.*which, static_cast<std::size_t>(node - model_.first(at.component)));
}

// ---- claims about called entries

Id& LevelProof::section_of(Id key_id, bool sure, Id exit) {
  if (static_cast<std::size_t>(key_id) >= claim_sections_.size())
    claim_sections_.resize(static_cast<std::size_t>(key_id) + 1);
  ClaimSections& sections = claim_sections_[key_id];
  if (!sure) return sections.bound;
  if (sections.sure == nullptr) {
    sections.sure =
        query_.arena.make<Id>(static_cast<std::size_t>(model_.exit_count(model_.component(entry_of(key_id)))) + 1);
  }
  return sections.sure[exit + 1];
}

bool LevelProof::is_earlier(Id key_id, bool sure, Id exit) {
  const Id section = section_of(key_id, sure, exit);
  return section != 0 && section != section_;
}

Summary LevelProof::called(Id id, Id call) {
  const Id box = model_.box(call);
  if (level_.calls_irrelevant(box)) {
    return spec_.op == Op::until ? query_.statics->reach(call, query_) : query_.statics->stay(call, query_);
  }
  return summary(key(level_.callee_operands(operand_contexts_[id].found, box), model_.subject(call)));
}

void LevelProof::prove_call(Id id, Id call, bool sure, Id exit) {
  assert(model_.kind(call) == NodeKind::call && (sure || exit == kNone));
  const Id box = model_.box(call);
  if (level_.calls_irrelevant(box)) {
    irrelevant_used_ = true;
    task_.lemmas.push_back(
        {.globally = spec_.op == Op::globally, .sure = sure, .entry = model_.subject(call), .exit = exit});
    return;
  }
  const Id callee = key(level_.callee_operands(operand_contexts_[id].found, box), model_.subject(call));
  if (is_earlier(callee, sure, exit)) return; // a lemma before this section
  link(id, box);
  prove_key(callee, sure, exit);
}

// Depth-first, so that a block comes after those it rests on (C3).
void LevelProof::prove_tasks() {
  while (!tasks_.empty()) {
    query_.poll();
    const std::size_t at = tasks_.size() - 1;
    if (tasks_[at].open) {
      blocks_.push_back(std::move(tasks_[at].block));
      tasks_.pop_back();
      continue;
    }
    const Id key_id = tasks_[at].key;
    const Id exit = tasks_[at].exit;
    const bool sure = tasks_[at].sure;
    Id& section = section_of(key_id, sure, exit);
    if (section != 0) {
      tasks_.pop_back();
      continue;
    }
    section = section_;
    tasks_[at].open = true;
    Block block{.operands = kNone, .sure = sure, .entry = kNone, .exits = nullptr, .nodes = nullptr, .order = {}};
    open(block, key_id, exit); // may add tasks
    assert(block.operands != kNone && block.exits != nullptr && block.sure == sure);
    assert(is_ordered(sure) || block.nodes != nullptr);
    assert(tasks_[at].key == key_id); // C3: what it rests on comes above it
    tasks_[at].block = std::move(block);
  }
}

void LevelProof::prove_lemma(const LemmaRef& lemma) {
  assert(task_.of_lemmas && model_.is_entry(lemma.entry) && (lemma.sure || lemma.exit == kNone));
  const Id found = level_.root_operands(model_.component(lemma.entry));
  const Id id = key(found, lemma.entry);
  summary(id);
  prove_key(id, lemma.sure, lemma.exit);
  prove_tasks();
}

void LevelProof::next_section() {
  ++section_;
  operand_contexts_.clear();
  std::ranges::fill(operands_of_, kNone);
  links_.clear();
  blocks_.clear();
}

// ---- from one level to the next

void LevelProof::grow(Growth& growth, Id id) {
  if (growth.nodes != nullptr) return;
  const Id component = operand_contexts_[id].component;
  growth.nodes = query_.arena.make<Word>(model_.words(component));
  growth.exits = query_.arena.make<Word>(model_.exit_words(component));
}

void LevelProof::finish() {
  prove_tasks();
  while (!wanted_.empty()) {
    query_.poll();
    const Wanted next = wanted_.back();
    wanted_.pop_back();
    settle(next.instance, next.node);
    prove_tasks();
  }
  close();
  close_growths();
  ask_children();
  number_instances();
  assert(tasks_.empty() && wanted_.empty());
  finished_ = true;
}

// What grew for an instance becomes a block, after all blocks of keys.
void LevelProof::close_growths() {
  for (Instance& at : instances_) {
    for (const bool sure : {true, false}) {
      Growth& growth = sure ? at.sure : at.bound;
      if (growth.nodes == nullptr) continue;
      if (is_ordered(sure)) put_in_order(at, growth);
      blocks_.push_back({at.operands, sure, kNone, growth.exits, growth.nodes, std::move(growth.order)});
    }
  }
}

void LevelProof::ask_children() {
  if (children_.empty()) return;
  for (std::size_t i = 0; i < operand_contexts_.size(); ++i) {
    const OperandContext& at = operand_contexts_[i];
    for (std::size_t w = 0; w < model_.words(at.component); ++w) {
      const Word open = needed(static_cast<Id>(i), w);
      if (open != 0) ask_children_at(at.component, level_.operand_contexts_[at.found].lower, w, open);
    }
  }
  if (irrelevant_used_) ask_children_in_irrelevant();
  for (const Instance& at : instances_) {
    if (!at.root) continue;
    for (std::size_t i = 0; i < children_.size(); ++i) { // R1
      const Id lower = level_.operand_contexts_[operand_contexts_[at.operands].found].lower[i];
      if (lower != kNone) children_[i]->make_root(children_[i]->instance(lower));
    }
  }
}

Word LevelProof::needed(Id id, std::size_t w) {
  const OperandContext& at = operand_contexts_[id];
  const std::size_t node = static_cast<std::size_t>(model_.first(at.component)) + w * kWordBits;
  Word open = 0;
  if (at.first[w] != 0) open |= at.first[w] & left_open(spec_.first, node);
  if (at.second[w] != 0) open |= at.second[w] & left_open(spec_.second, node);
  return open;
}

// Of 64 nodes from `node` on, those at which labels alone do not decide the program.
Word LevelProof::left_open(const Program& program, std::size_t node) {
  slots_.resize(std::max(slots_.size(), program.steps.size()));
  std::pair<Word, Word>* slot = slots_.data(); // where it is true, where it is false
  for (const Step& step : program.steps) {
    query_.poll();
    switch (step.kind) {
      case Step::Kind::truth:
        *slot = {~Word{0}, 0};
        break;
      case Step::Kind::atom: {
        const Word atom = query_.atom_word(step.left, node);
        *slot = {atom, ~atom};
        break;
      }
      case Step::Kind::child:
        *slot = {0, 0};
        break;
      case Step::Kind::negation:
        *slot = {slots_[step.left].second, slots_[step.left].first};
        break;
      case Step::Kind::conjunction:
        *slot = {slots_[step.left].first & slots_[step.right].first,
                 slots_[step.left].second | slots_[step.right].second};
        break;
      case Step::Kind::disjunction:
        *slot = {slots_[step.left].first | slots_[step.right].first,
                 slots_[step.left].second & slots_[step.right].second};
        break;
    }
    ++slot;
  }
  const auto& [yes, no] = slots_[program.steps.size() - 1];
  return ~(yes | no);
}

void LevelProof::ask_children_at(Id component, const Id* lower, std::size_t word, Word nodes) {
  const Relevance& relevant = level_.relevance();
  const Id first_node = model_.first(component) + static_cast<Id>(word * kWordBits);
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (!relevant.uses_child(i, component)) continue;
    const bool with_context = lower != nullptr && lower[i] != kNone;
    const Id instance_id = with_context ? children_[i]->instance(lower[i]) : children_[i]->free_instance(component);
    Word known = nodes;
    if (!with_context) known &= children_[i]->certain_without_context(instance_id, word);
    for_each_bit(&known, 1,
                 [&](std::size_t bit) { children_[i]->want(instance_id, first_node + static_cast<Id>(bit)); });
  }
}

// R9: what labels leave open in irrelevant components must be certain without any context.
void LevelProof::ask_children_in_irrelevant() {
  const auto nodes = static_cast<std::size_t>(model_.nodes());
  for (std::size_t node = 0; node < nodes; node += kWordBits) {
    Word open = left_open(spec_.first, node);
    if (spec_.op == Op::until) open |= left_open(spec_.second, node);
    if (node + kWordBits > nodes) open &= tail_mask(nodes);
    for_each_bit(&open, 1, [&](std::size_t bit) {
      const Id at = static_cast<Id>(node + bit);
      const Id component = model_.component(at);
      if (model_.kind(at) == NodeKind::call || level_.relevance().relevant(component)) return;
      const auto local = static_cast<std::size_t>(at - model_.first(component));
      ask_children_at(component, nullptr, local / kWordBits, Word{1} << (local % kWordBits));
    });
  }
}

// ---- writing

void LevelProof::number_instances() {
  Id next = 0;
  for (Instance& at : instances_) {
    if (!at.free) at.number = next++;
  }
}

void LevelProof::write(ByteWriter& to) const {
  assert(finished_ || task_.of_lemmas);
  write_operand_contexts(to);
  write_instances(to);
  write_relevant(to);
  to.number(blocks_.size());
  for (const Block& block : blocks_) write_block(to, block);
}

// With their links.
void LevelProof::write_operand_contexts(ByteWriter& to) const {
  to.number(operand_contexts_.size());
  for (const OperandContext& at : operand_contexts_) {
    to.number(at.component);
    for (std::size_t i = 0; i < children_.size(); ++i) {
      const Id lower = level_.operand_contexts_[at.found].lower[i];
      to.number(lower == kNone ? 0 : 1 + children_[i]->number_of_found(lower));
    }
  }
  write_links(to, links_, [](Id id) { return id; });
}

void LevelProof::write_instances(ByteWriter& to) const {
  to.number(static_cast<std::size_t>(
      std::ranges::count_if(instances_, [](const Instance& instance) { return !instance.free; })));
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    if (instances_[i].free) continue;
    to.number(instances_[i].operands);
    to.number(Id{instances_[i].root});
    write_masks(to, static_cast<Id>(i));
  }
  write_links(to, instance_links_, [this](Id id) { return number(id); });
}

void LevelProof::write_masks(ByteWriter& to, Id id) const {
  const Instance& at = instances_[id];
  const std::size_t words = model_.exit_words(operand_contexts_[at.operands].component);
  to.set(at.yes, words);
  to.set(at.no, words);
}

void LevelProof::write_relevant(ByteWriter& to) const {
  if (task_.of_lemmas) return to.number(Id{1});
  if (!irrelevant_used_) return to.number(Id{0});
  std::vector<Id> relevant;
  for (Id component = 0; component < model_.components(); ++component) {
    if (level_.relevance().relevant(component)) relevant.push_back(component);
  }
  to.number(1 + relevant.size());
  for (const Id component : relevant) to.number(component);
}

void LevelProof::write_block(ByteWriter& to, const Block& block) const {
  const Id component = operand_contexts_[block.operands].component;
  const Id first_node = model_.first(component);
  assert(block.entry == kNone || model_.component(block.entry) == component);
  assert(is_ordered(block.sure) || block.order.empty() || block.entry == kNone);
  to.number(block.operands);
  to.number(Id{block.sure});
  to.number(block.entry == kNone ? 0 : 1 + block.entry - first_node);
  to.set(block.exits, model_.exit_words(component));
  if (!is_ordered(block.sure)) return to.set(block.nodes, model_.words(component));
  std::vector<Id> local(block.order);
  for (Id& node : local) node -= first_node;
  to.list(local);
}

// ---- a whole formula

namespace {

// The operand contexts of the top, and what they need of its children.
class TopProof {
 public:
  TopProof(BooleanTop& level, const Model& model, std::vector<Level*> levels, std::vector<LevelProof*> proofs)
      : level_(level), model_(model), levels_(std::move(levels)), proofs_(std::move(proofs)) {}

  void prove(Id node) {
    const Id component = model_.component(node);
    auto at = std::ranges::find(operand_contexts_, component, &OperandContext::component);
    if (at == operand_contexts_.end()) {
      operand_contexts_.push_back({component, std::vector<Id>(proofs_.size(), kNone)});
      at = operand_contexts_.end() - 1;
    }
    std::vector<Id> asked;
    level_.value_at(node, &asked);
    for (const Id child : asked) {
      const Id root = proofs_[child]->prove_start(node, levels_[child]->holds_at(node));
      assert(at->lower[child] == kNone || at->lower[child] == root); // one root for each component
      at->lower[child] = root;
    }
  }

  void write(ByteWriter& to) const {
    to.number(operand_contexts_.size());
    for (const OperandContext& at : operand_contexts_) {
      to.number(at.component);
      for (std::size_t i = 0; i < proofs_.size(); ++i) {
        to.number(at.lower[i] == kNone ? 0 : 1 + proofs_[i]->number(at.lower[i]));
      }
    }
  }

 private:
  struct OperandContext {
    Id component;
    std::vector<Id> lower;
  };

  BooleanTop& level_;
  const Model& model_;
  std::vector<Level*> levels_;
  std::vector<LevelProof*> proofs_;
  std::vector<OperandContext> operand_contexts_;
};

} // namespace

Certificate certify(Query& query, const std::vector<std::unique_ptr<Level>>& levels,
                    const std::vector<LevelSpec>& specs, std::span<const Id> starts, const std::vector<bool>& holds) {
  assert(levels.size() == specs.size() && starts.size() == holds.size() && query.policy.certify);
  ProofTask task{query};
  std::vector<std::unique_ptr<LevelProof>> proofs;
  const auto children_of = [&](const LevelSpec& spec, const auto& all) {
    std::vector<typename std::remove_cvref_t<decltype(all)>::value_type::pointer> found;
    for (const Id child : spec.children) found.push_back(all[child].get());
    return found;
  };
  for (std::size_t j = 0; j + 1 < levels.size(); ++j) {
    proofs.push_back(LevelProof::make(task, *levels[j], children_of(specs[j], proofs)));
  }
  TopProof top(static_cast<BooleanTop&>(*levels.back()), query.model, children_of(specs.back(), levels),
               children_of(specs.back(), proofs));
  const auto failing = std::ranges::find(holds, false);
  if (failing != holds.end()) { // one is enough
    top.prove(starts[static_cast<std::size_t>(failing - holds.begin())]);
  } else {
    for (const Id start : starts) top.prove(start);
  }
  for (std::size_t j = proofs.size(); j-- > 0;) proofs[j]->finish(); // C2
  ByteWriter body;
  body.number(Id{failing == holds.end()});
  body.number(starts.size());
  for (const Id start : starts) body.number(start);
  for (const auto& proof : proofs) proof->write(body);
  top.write(body);
  std::ranges::sort(task.lemmas);
  task.lemmas.erase(std::unique(task.lemmas.begin(), task.lemmas.end()), task.lemmas.end());
  return {body.take(), std::move(task.lemmas), query.model.serial()};
}

} // namespace pigro::core
