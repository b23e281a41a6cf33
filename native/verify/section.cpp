#include "verify/section.hpp"

#include <algorithm>
#include <bit>

#include "verify/paths/path_reader.hpp"

namespace pigro::verify {

namespace {

template <typename T>
Id size_of(const std::vector<T>& things) {
  return static_cast<Id>(things.size());
}

class Reader {
 public:
  Reader(const Surroundings& around, const Cut& cut, Kind kind, std::span<const std::uint8_t> body, Section& section)
      : around_(around), model_(around.model), cut_(cut), kind_(kind), bytes_(body), section_(section) {}

  void run() {
    section_.clear();
    bytes_.require(bytes_.left() < std::size_t{1} << 31, "the section is too long");
    if (kind_ == Kind::formula) read_head();
    for (Id level = 0; level < cut_.levels(); ++level) read_level(level);
    if (kind_ == Kind::formula) read_top();
    bytes_.require(bytes_.at_end(), "bytes are left over");
    assert(size_of(section_.levels) == cut_.levels() && section_.initial.empty() == (kind_ == Kind::lemmas));
  }

 private:
  void read_head() {
    bytes_.run(bytes_.number()); // the text. The caller has parsed it
    const std::uint8_t verdict = bytes_.byte();
    bytes_.require(verdict <= 1, "no verdict");
    section_.holds = verdict == 1;
    const Id count = bytes_.count(1);
    bytes_.require(count > 0, "no initial node");
    for (Id i = 0; i < count; ++i) {
      const Id node = bytes_.below(model_.nodes(), "no number below that of nodes");
      bytes_.require(model_.subject(node) == node, "the initial node is not declared");
      section_.initial.push_back(node);
    }
  }

  void read_level(Id number) {
    Level level;
    section_.path_levels.emplace_back();
    PathReader paths(around_, cut_, number, bytes_, section_);
    const bool has_path = cut_.pieces[number].op == Op::exists;
    if (has_path) paths.read_states();
    level.operand_contexts = read_operand_contexts(number);
    level.links = read_links(level.operand_contexts);
    level.instances = read_instances(level.operand_contexts, has_path ? paths.states() : 1);
    level.instance_links = read_instance_links(level.instances);
    if (has_path) {
      level.relevant_ids.begin = level.relevant_ids.end = size_of(section_.relevant_ids);
      level.blocks.begin = level.blocks.end = size_of(section_.blocks);
      paths.read_claims(level.operand_contexts);
      section_.levels.push_back(level);
      return;
    }
    read_relevant(number, level);
    level.blocks = read_blocks(number, level.operand_contexts);
    assert(level.operand_contexts.end == size_of(section_.operand_contexts) &&
           level.instances.end == size_of(section_.instances));
    assert(level.relevant == nullptr || cut_.pieces[number].op != Op::next);
    section_.levels.push_back(level);
  }

  Range read_operand_contexts(Id level) {
    const Piece& piece = cut_.pieces[level];
    Range made{size_of(section_.operand_contexts), 0};
    const auto children = static_cast<std::size_t>(piece.children_end - piece.children);
    for (Id rest = bytes_.count(1 + children); rest > 0; --rest) {
      const Id component = bytes_.below(model_.components(), "no such component");
      const Id lower = size_of(section_.lowers);
      bool free = true;
      for (Id child = piece.children; child < piece.children_end; ++child) {
        section_.lowers.push_back(read_lower(cut_.children[child]));
        free = free && section_.lowers.back() == kNone;
      }
      add_operand_context({component, level, lower, kNone, kNone, false, {}, {}}, free);
    }
    made.end = size_of(section_.operand_contexts);
    return made;
  }

  // An instance of a level, or kNone.
  Id read_lower(Id level) {
    assert(level < size_of(section_.levels)); // children are lower levels, and those are read
    const Range& instances = section_.levels[level].instances;
    const Id number = bytes_.number();
    bytes_.require(number <= instances.end - instances.begin, "no such instance");
    return number == 0 ? kNone : instances.begin + number - 1;
  }

  void add_operand_context(const OperandContext& operands, bool free) {
    const Id number = size_of(section_.operand_contexts);
    section_.operand_contexts.push_back(operands);
    if (operands.level == cut_.levels()) {
      Id& known = section_.top_operands(0, operands.component);
      bytes_.require(known == kNone, "the top has two operand contexts for one component");
      known = number;
    } else if (free) {
      Id& known = section_.free_operands(operands.level, operands.component);
      if (known == kNone) known = number;
    }
    around_.ticker.poll(1);
  }

  Id read_operand_context(const Range& operand_contexts) {
    return operand_contexts.begin +
           bytes_.below(operand_contexts.end - operand_contexts.begin, "no such operand context");
  }

  Range read_links(const Range& operand_contexts) {
    Range made{size_of(section_.links), 0};
    for (Id rest = bytes_.count(3); rest > 0; --rest) {
      const Id source = read_operand_context(operand_contexts);
      OperandContext& operands = section_.operand_contexts[source];
      const Id box = bytes_.below(model_.box_count(operands.component), "no such box");
      const Id target = read_operand_context(operand_contexts);
      add_link(section_.link_of, source, box, target);
      section_.links.push_back({source, box, target, operands.first_link});
      operands.first_link = size_of(section_.links) - 1;
    }
    made.end = size_of(section_.links);
    return made;
  }

  void add_link(Table& link_of, Id source, Id box, Id target) {
    Id& known = link_of(source, box);
    bytes_.require(known == kNone, "a second link by the same box");
    known = target;
    around_.ticker.poll(1);
  }

  // `states`: how many bits each exit has.
  Range read_instances(const Range& operand_contexts, Id states) {
    Range made{size_of(section_.instances), 0};
    const Id count = bytes_.count(4);
    bytes_.require(count == 0 || kind_ == Kind::formula, "lemmas have instances");
    for (Id i = 0; i < count; ++i) {
      const Id operands = read_operand_context(operand_contexts);
      const bool root = bytes_.below(2, "neither root nor not") == 1;
      const Id width = pairs_of(around_, bytes_, section_.operand_contexts[operands].component, states);
      const Word* const yes = read_set(around_, bytes_, width);
      const Word* const no = read_set(around_, bytes_, width);
      section_.instances.push_back({operands, root, {yes, no}, false, {}});
    }
    made.end = size_of(section_.instances);
    return made;
  }

  const Word* read_exits(Id operands) {
    const Id component = section_.operand_contexts[operands].component;
    return read_set(around_, bytes_, model_.exit_count(component));
  }

  Range read_instance_links(const Range& instances) {
    Range made{size_of(section_.instance_links), 0};
    const Id end = instances.end - instances.begin;
    for (Id rest = bytes_.count(3); rest > 0; --rest) {
      const Id source = instances.begin + bytes_.below(end, "no such instance");
      const Id component = section_.operand_contexts[section_.instances[source].operands].component;
      const Id box = bytes_.below(model_.box_count(component), "no such box");
      const Id target = instances.begin + bytes_.below(end, "no such instance");
      add_link(section_.instance_link_of, source, box, target);
      section_.instance_links.push_back({source, box, target, kNone});
    }
    made.end = size_of(section_.instance_links);
    return made;
  }

  void read_relevant(Id number, Level& level) {
    const Id head = bytes_.number();
    bytes_.require(head == 0 || cut_.pieces[number].op != Op::next, "EX has relevant components");
    bytes_.require(head == 1 || kind_ == Kind::formula, "lemmas are not all irrelevant");
    level.relevant_ids.begin = level.relevant_ids.end = size_of(section_.relevant_ids);
    if (head == 0) return;
    bytes_.require(static_cast<std::size_t>(head) - 1 <= bytes_.left(), "more relevant components than bytes");
    Word* const relevant = around_.pool.zeros(core::words_for(static_cast<std::size_t>(model_.components())));
    Id before = kNone;
    for (Id rest = head - 1; rest > 0; --rest) {
      const Id component = bytes_.below(model_.components(), "no such component");
      bytes_.require(component > before, "relevant components do not ascend");
      before = component;
      core::set_bit(relevant, static_cast<std::size_t>(component));
      section_.relevant_ids.push_back(component);
    }
    level.relevant_ids.end = size_of(section_.relevant_ids);
    level.relevant = relevant;
  }

  Range read_blocks(Id level, const Range& operand_contexts) {
    Range made{size_of(section_.blocks), 0};
    const Id count = bytes_.count(5);
    const Op op = cut_.pieces[level].op;
    bytes_.require(count == 0 || op != Op::next, "EX has blocks");
    for (Id i = 0; i < count; ++i) read_block(op, operand_contexts);
    made.end = size_of(section_.blocks);
    return made;
  }

  void read_block(Op op, const Range& operand_contexts) {
    const Id operands = read_operand_context(operand_contexts);
    const Id component = section_.operand_contexts[operands].component;
    const bool sure = bytes_.below(2, "neither sure nor bound") == 1;
    const Id entry = bytes_.number() - 1;
    bytes_.require(entry < model_.width(component), "no such entry");
    Block block{operands, sure, entry, read_exits(operands),
                nullptr,  0,    0,     section_.operand_contexts[operands].first_block};
    bytes_.require(!sure || entry == kNone || members(block.exits, model_.exit_words(component)) <= 1,
                   "a sure block with an entry has several exits");
    if (sure == (op == Op::until)) {
      read_list(component, block);
    } else {
      read_nodes(component, block);
    }
    assert((block.set == nullptr) == (sure == (op == Op::until)) && block.list <= block.list_end);
    section_.blocks.push_back(block);
    section_.operand_contexts[operands].first_block = size_of(section_.blocks) - 1;
  }

  static int members(const Word* bits, std::size_t words) {
    int found = 0;
    for (std::size_t i = 0; i < words; ++i) found += std::popcount(bits[i]);
    return found;
  }

  void read_list(Id component, Block& block) {
    block.list = section_.listed.size();
    bool has_entry = block.entry == kNone;
    bytes_.list(model_.width(component), [&](Id node) {
      bytes_.require(model_.kind(model_.first(component) + node) != core::NodeKind::call, "a block has a call node");
      has_entry = has_entry || node == block.entry;
      section_.listed.push_back(node);
    });
    bytes_.require(has_entry, "the entry is not in its block");
    block.list_end = section_.listed.size();
    around_.ticker.poll(1 + block.list_end - block.list);
  }

  void read_nodes(Id component, Block& block) {
    block.set = read_set(around_, bytes_, model_.width(component));
    const auto first = static_cast<std::size_t>(model_.first(component));
    for (std::size_t i = 0; i < model_.words(component); ++i) {
      const Word calls = core::word_at(around_.calls, first + i * core::kWordBits);
      bytes_.require((block.set[i] & calls) == 0, "a block has a call node");
    }
    bytes_.require(block.entry == kNone || core::test_bit(block.set, static_cast<std::size_t>(block.entry)),
                   "the entry is not in its block");
  }

  void read_top() { section_.top = read_operand_contexts(cut_.levels()); }

  const Surroundings& around_;
  const Model& model_;
  const Cut& cut_;
  Kind kind_;
  Bytes bytes_;
  Section& section_;
};

} // namespace

void Section::clear() {
  initial.clear();
  levels.clear();
  operand_contexts.clear();
  lowers.clear();
  instances.clear();
  links.clear();
  instance_links.clear();
  blocks.clear();
  listed.clear();
  relevant_ids.clear();
  paths.clear();
  path_levels.clear();
  leaf_values.clear();
  for (Table* table : {&link_of, &instance_link_of, &free_operands, &free_instance, &top_operands}) table->clear();
}

void read_section(const Surroundings& around, const Cut& cut, Kind kind, std::span<const std::uint8_t> body,
                  Section& section) {
  Reader(around, cut, kind, body, section).run();
}

} // namespace pigro::verify
