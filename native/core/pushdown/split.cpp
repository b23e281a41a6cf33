#include "core/pushdown/split.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace pigro::core {

namespace {

constexpr const char* root_name = "initial configuration"; // names in files have no blanks
constexpr std::size_t kMostPlaces = std::numeric_limits<Id>::max();

// Things in the order of their owners: offsets by owner, and the place of each thing.
struct Grouping {
  std::vector<Id> offsets, place;

  Grouping(const std::vector<Id>& owners, Id count) : offsets(count + 1), place(owners.size()) {
    for (const Id owner : owners) ++offsets[owner + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    assert(static_cast<std::size_t>(offsets.back()) == owners.size());
    std::vector<Id> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t i = 0; i < owners.size(); ++i) place[i] = next[owners[i]]++;
  }

  template <typename T>
  std::vector<T> ordered(const std::vector<T>& things) const {
    assert(things.size() == place.size());
    std::vector<T> made(things.size());
    for (std::size_t i = 0; i < things.size(); ++i) made[place[i]] = things[i];
    return made;
  }

  // The number of the thing at each place.
  std::vector<Id> order() const {
    std::vector<Id> made(place.size());
    for (std::size_t i = 0; i < place.size(); ++i) made[place[i]] = static_cast<Id>(i);
    return made;
  }
};

// Values in rows, in the order in which they come.
struct ValueRows {
  std::vector<Id> offsets, values;

  // Calls each(put) twice, which calls put(row, value) for the same `count` values. Throws ModelFault if the offsets of
  // so many values have more than 32 bits, and asks the ticker before it takes the memory.
  template <typename Each>
  ValueRows(Id rows, std::size_t count, Ticker& ticker, Each&& each) : offsets(static_cast<std::size_t>(rows) + 2) {
    if (count > kMostPlaces) throw ModelFault("too-large", static_cast<std::int64_t>(count));
    if (count * sizeof(Id) >= kLarge) ticker.before_allocating(count * sizeof(Id));
    each([&](Id row, Id) { ++offsets[row + 2]; });
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    assert(static_cast<std::size_t>(offsets.back()) == count);
    values.resize(count);
    each([&](Id row, Id value) { values[offsets[row + 1]++] = value; });
    assert(static_cast<std::size_t>(offsets[rows]) == count);
    offsets.pop_back();
  }

  std::span<const Id> operator[](Id row) const {
    return {values.data() + offsets[row], values.data() + offsets[row + 1]};
  }
};

// Makes one set of two, shortening the ways up. A parent is never greater than its child.
void join(std::vector<Id>& parent, Id one, Id two) {
  while (parent[one] != parent[two]) {
    assert(parent[one] <= one && parent[two] <= two);
    if (parent[one] < parent[two]) std::swap(one, two);
    const Id up = parent[one];
    parent[one] = parent[two];
    if (one == up) return;
    one = up;
  }
}

class Splitter {
 public:
  Splitter(Pushdown& system, Ticker& ticker) : system_(system), ticker_(ticker) { words_.number(0, 0); }

  bool has_mixed_head() const {
    std::vector<std::uint8_t> does(system_.heads.size());
    for (std::size_t i = 0; i < system_.sources.size(); ++i) does[system_.sources[i]] |= pops(i) ? 1 : 2;
    return std::find(does.begin(), does.end(), 3) != does.end();
  }

  // Nodes and components.
  void prepare() {
    find_popped();
    const auto& stack = system_.initial_stack;
    first_ = stack.empty() ? -1 : system_.heads.find(system_.initial_state, stack[0]);
    add_heads();
    alone_ = first_ >= 0 && !is_entered(system_.initial_state);
    number_components(procedures());
    choose_main();
    add_head_nodes();
    for (std::size_t i = 0; i < system_.sources.size(); ++i) {
      Id& line = node_lines_[system_.sources[i]];
      if (line == 0) line = system_.rule_lines[i];
    }
    initial_ = alone_ ? first_ : -1;
    if (initial_ < 0) {
      initial_ = add_node(system_.initial_state, stack.empty() ? 0 : stack[0]);
      owner_.push_back(0);
      if (first_ >= 0) node_lines_.back() = node_lines_[first_];
      assert(!alone_ && owner_.size() == state_.size());
    }
  }

  // Edges and boxes. False if more than `most_returns` edges lead from return nodes.
  bool run(std::int64_t most_returns) {
    edge_sources_.reserve(system_.sources.size() / 2 * 3);
    edge_targets_.reserve(system_.sources.size() / 2 * 3);
    add_moves();
    add_rules();
    after_box_ = make_zeroed<Id>(static_cast<std::size_t>(system_.names.size()));
    after_target_ = make_zeroed<Id>(static_cast<std::size_t>(system_.names.size()));
    while (!open_.empty()) {
      const Id box = open_.back();
      open_.pop_back();
      if (!add_returns(box, most_returns)) return false;
    }
    return true;
  }

  SplitModel finish() {
    SplitModel made;
    assert(owner_.size() == state_.size() && flags_.size() == state_.size() && open_.empty());
    assert(box_owner_.size() == box_callee_.size() && box_owner_.size() == static_cast<std::size_t>(box_keys_.size()));
    const Grouping nodes(owner_, components_);
    const Grouping boxes(box_owner_, components_);
    for (Id& box : call_box_) box = boxes.place[box];
    for (Id& box : return_box_) box = boxes.place[box];
    const Id box_count = static_cast<Id>(box_owner_.size());
    const Grouping calls(call_box_, box_count);
    const Grouping returns(return_box_, box_count);
    name_components(made);
    const std::vector<Id> order = nodes.order();
    name_nodes(made.file.nodes, order);
    name_boxes(made.file.boxes, boxes.order());
    for (Id& entry : call_entry_) entry = nodes.place[entry];
    for (Id& leave : return_exit_) leave = nodes.place[leave];
    const Id first_call = static_cast<Id>(owner_.size());
    const Id first_return = first_call + static_cast<Id>(call_box_.size());
    for (Id& source : edge_sources_) source = source >= 0 ? nodes.place[source] : first_return + returns.place[~source];
    for (Id& target : edge_targets_) target = target >= 0 ? nodes.place[target] : first_call + calls.place[~target];
    add_labels(made.file, order);
    RawArrays& arrays = made.file.arrays;
    arrays.component_offsets = nodes.offsets;
    arrays.node_flags = nodes.ordered(flags_);
    made.node_lines = nodes.ordered(node_lines_);
    made.box_lines = boxes.ordered(box_lines_);
    arrays.box_offsets = boxes.offsets;
    arrays.box_callee = boxes.ordered(box_callee_);
    arrays.call_offsets = calls.offsets;
    arrays.call_entries = calls.ordered(call_entry_);
    arrays.return_offsets = returns.offsets;
    arrays.return_exits = returns.ordered(return_exit_);
    arrays.edge_sources = std::move(edge_sources_);
    arrays.edge_targets = std::move(edge_targets_);
    made.file.initial = {nodes.place[initial_]};
    return made;
  }

 private:
  bool pops(std::size_t rule) const { return system_.targets[rule] < 0 && system_.word(system_.targets[rule]).empty(); }

  // The control states that some rule pops into.
  void find_popped() {
    popped_.resize(system_.names.size());
    for (std::size_t k = 0; k < system_.word_state.size(); ++k) {
      if (system_.word_offsets[k] == system_.word_offsets[k + 1]) popped_[system_.word_state[k]] = true;
    }
  }

  // Heads for what rules call, also what has no rules.
  void add_heads() {
    for (std::size_t k = 0; k < system_.word_state.size(); ++k) {
      const auto word = system_.word(~static_cast<Id>(k));
      if (!word.empty()) system_.heads.number(system_.word_state[k], word[0]);
    }
  }

  // Does any rule lead into this control state?
  bool is_entered(Id state) const {
    return std::any_of(system_.targets.begin(), system_.targets.end(), [&](Id target) {
      return (target >= 0 ? system_.heads.state(target) : system_.word_state[~target]) == state;
    });
  }

  // Of a symbol: the first head with it that a call can come back to, and whether a rule calls with the symbol below.
  struct Comeback {
    Id first = -1;
    bool is_used = false;
  };

  std::vector<Comeback> find_comebacks() const {
    std::vector<Comeback> made(system_.names.size());
    for (Id head = system_.heads.size(); head-- > 0;) {
      if (popped_[system_.heads.state(head)]) made[system_.heads.symbol(head)].first = head;
    }
    return made;
  }

  // For each head the first head of its component.
  std::vector<Id> procedures() {
    std::vector<Id> parent(system_.heads.size());
    std::iota(parent.begin(), parent.end(), 0);
    std::vector<Comeback> comebacks = find_comebacks();
    for (std::size_t i = 0; i < system_.sources.size(); ++i) {
      ticker_.poll();
      const Id source = system_.sources[i], target = system_.targets[i];
      if (alone_ && source == first_) continue;
      if (target >= 0) {
        join(parent, source, target);
        continue;
      }
      const auto word = system_.word(target);
      if (word.empty()) continue;
      Comeback& back = comebacks[word.back()];
      if (back.first < 0) continue;
      back.is_used = true;
      join(parent, source, back.first);
    }
    for (Id head = 0; head < system_.heads.size(); ++head) {
      const Comeback& back = comebacks[system_.heads.symbol(head)];
      if (back.is_used && popped_[system_.heads.state(head)]) join(parent, back.first, head);
    }
    for (Id& up : parent) up = parent[up];
    assert(std::ranges::all_of(parent, [&](Id up) { return parent[up] == up; }));
    return parent;
  }

  void number_components(const std::vector<Id>& roots) {
    std::vector<Id> component(roots.size(), -1);
    owner_.resize(roots.size());
    for (std::size_t head = 0; head < roots.size(); ++head) {
      if (alone_ && static_cast<Id>(head) == first_) continue;
      Id& number = component[roots[head]];
      if (number < 0) number = components_++;
      owner_[head] = number;
    }
  }

  // The nodes of the most frequent control state are called by their symbol alone.
  void choose_main() {
    std::vector<Id> count(system_.names.size());
    for (const Id state : system_.heads.states()) ++count[state];
    main_ = static_cast<Id>(std::max_element(count.begin(), count.end()) - count.begin());
  }

  Id add_node(Id state, Id symbol) {
    state_.push_back(state);
    symbol_.push_back(symbol);
    flags_.push_back(0);
    node_lines_.push_back(0);
    return static_cast<Id>(state_.size()) - 1;
  }

  // The nodes of heads, by number.
  void add_head_nodes() {
    heads_ = system_.heads.size();
    state_ = system_.heads.states();
    symbol_ = system_.heads.symbols();
    flags_.resize(heads_);
    node_lines_.resize(heads_);
  }

  // A node without rules of its own. Without an owner it is a component of its own.
  Id leaf(Id owner, Id state, Id symbol) {
    const Id fresh = leaves_.size();
    const Id found = leaves_.number(owner, leaf_heads_.number(state, symbol));
    if (found == fresh) {
      leaf_nodes_.push_back(add_node(state, symbol));
      owner_.push_back(owner == kNone ? components_++ : owner);
      assert(owner_.size() == state_.size() && leaf_nodes_.size() == static_cast<std::size_t>(leaves_.size()));
    }
    return leaf_nodes_[found];
  }

  // A word is a pair of its first symbol and the rest. 0 is the empty one.
  Id put(std::span<const Id> symbols, Id rest = 0) {
    for (std::size_t i = symbols.size(); i-- > 0;) rest = words_.number(symbols[i], rest);
    return rest;
  }

  void add_edge(Id source, Id target) {
    ticker_.push(edge_sources_, source);
    ticker_.push(edge_targets_, target);
  }

  // The rules of the initial configuration.
  void add_moves() {
    if (first_ < 0) return;
    const Id rest = put(std::span(system_.initial_stack).subspan(1));
    for (std::size_t i = 0; i < system_.sources.size(); ++i) {
      if (system_.sources[i] != first_) continue;
      line_ = system_.rule_lines[i];
      const Id target = system_.targets[i];
      if (target >= 0) {
        const Id symbol = system_.heads.symbol(target);
        add_edge(initial_, enter(0, system_.heads.state(target), put(std::span(&symbol, 1), rest)));
      } else {
        add_edge(initial_, enter(0, system_.word_state[~target], put(system_.word(target), rest)));
      }
    }
  }

  void add_rules() {
    for (std::size_t i = 0; i < system_.sources.size(); ++i) {
      ticker_.poll();
      const Id source = system_.sources[i], target = system_.targets[i];
      if (source == initial_) continue;
      if (target >= 0) {
        add_edge(source, target);
        continue;
      }
      const auto word = system_.word(target);
      if (word.empty()) {
        flags_[source] |= kExitFlag;
        pop_node_.push_back(source);
        pop_state_.push_back(system_.word_state[~target]);
      } else {
        line_ = system_.rule_lines[i];
        add_edge(source, enter(owner_[source], system_.word_state[~target], put(word)));
      }
    }
    sort_pops();
  }

  // Pops by component and node, those of a node in the order of their rules.
  void sort_pops() {
    const Grouping by_node(pop_node_, static_cast<Id>(state_.size()));
    pop_node_ = by_node.ordered(pop_node_);
    pop_state_ = by_node.ordered(pop_state_);
    std::vector<Id> owners;
    owners.reserve(pop_node_.size());
    for (const Id node : pop_node_) owners.push_back(owner_[node]);
    const Grouping by_owner(owners, components_);
    pop_node_ = by_owner.ordered(pop_node_);
    pop_state_ = by_owner.ordered(pop_state_);
    pop_offsets_ = by_owner.offsets;
  }

  // False if that would be too many.
  bool add_returns(Id box, std::int64_t most) {
    const Id owner = box_owner_[box], callee = box_callee_[box], word = box_word_[box];
    if (callee >= static_cast<Id>(pop_offsets_.size()) - 1) return true; // a leaf
    steps_back_ += pop_offsets_[callee + 1] - pop_offsets_[callee];
    if (steps_back_ > most) return false;
    line_ = box_lines_[box];
    for (Id i = pop_offsets_[callee]; i < pop_offsets_[callee + 1]; ++i) {
      ticker_.poll();
      if (i == pop_offsets_[callee] || pop_node_[i] != pop_node_[i - 1]) {
        ticker_.push(return_box_, box);
        ticker_.push(return_exit_, pop_node_[i]);
      }
      assert(return_box_.back() == box && return_exit_.back() == pop_node_[i] && owner_[pop_node_[i]] == callee);
      const Id state = pop_state_[i];
      if (after_box_[state] != box + 1) {
        after_box_[state] = box + 1;
        after_target_[state] = enter(owner, state, word);
      }
      add_edge(~(static_cast<Id>(return_box_.size()) - 1), after_target_[state]);
    }
    return true;
  }

  // Where a step into the configuration `state <word>` leads, seen from a component.
  Id enter(Id owner, Id state, Id word) {
    const Id symbol = words_.first(word), rest = words_.second(word);
    const bool calls = word != 0 && (rest != 0 || owner == 0);
    const Id head = calls || owner != 0 ? system_.heads.find(state, symbol) : kNone;
    if (!calls) return head >= 0 ? head : leaf(owner, state, symbol);
    return call(owner, head >= 0 ? head : leaf(kNone, state, symbol), rest);
  }

  // The target ~i for the i-th call.
  Id call(Id owner, Id entry, Id word) {
    assert(entry >= 0 && static_cast<std::size_t>(entry) < owner_.size());
    const Id callee = owner_[entry];
    const Id fresh_box = box_keys_.size();
    const Id box = box_keys_.number(box_sites_.number(owner, word), callee);
    if (box == fresh_box) {
      box_owner_.push_back(owner);
      box_callee_.push_back(callee);
      box_word_.push_back(word);
      box_lines_.push_back(line_);
      box_entry_.push_back(entry);
      open_.push_back(box);
    }
    const Id fresh_call = calls_.size();
    const Id found = calls_.number(box, entry);
    if (found == fresh_call) {
      call_box_.push_back(box);
      call_entry_.push_back(entry);
      flags_[entry] |= kEntryFlag;
    }
    assert(call_box_[found] == box && box_callee_[box] == owner_[call_entry_[found]]);
    return ~found;
  }

  // Adds to the names of nodes, boxes or components. Many nodes may have the same long control state, so the names may
  // be far longer than the file.
  void append(std::string& names, std::string_view more) const {
    const std::size_t size = names.size() + more.size();
    if (size > kMostPlaces) throw ModelFault("long-names", static_cast<std::int64_t>(size));
    if (size > names.capacity()) {
      const std::size_t grown = std::max(size, 2 * names.capacity());
      if (grown >= kLarge) ticker_.before_allocating(grown);
    }
    names += more;
  }

  // The node of a head of the main control state is called by its symbol alone.
  void name_node(std::string& text, Id node) const {
    const Id state = state_[node], symbol = symbol_[node];
    const bool is_short = state == main_ && symbol != 0;
    if (node >= heads_ && node == initial_) append(text, "start ");
    if (is_short && (node < heads_ || node == initial_)) {
      append(text, system_.names[symbol]);
      return;
    }
    append(text, system_.names[state]);
    append(text, " <");
    append(text, system_.names[symbol]);
    append(text, ">");
  }

  void name_nodes(JoinedTexts& made, const std::vector<Id>& order) {
    made.text.reserve(24 * order.size());
    made.offsets.reserve(order.size() + 1);
    for (std::size_t i = 0; i < order.size(); ++i) {
      ticker_.poll();
      if (i + 2 * kAhead < order.size()) system_.names.table().prefetch_entry(symbol_[order[i + 2 * kAhead]]);
      if (i + kAhead < order.size()) system_.names.table().prefetch_text(symbol_[order[i + kAhead]]);
      name_node(made.text, order[i]);
      made.end_text();
    }
  }

  // After the node that it calls first, and the word that waits for its return.
  void name_boxes(JoinedTexts& made, const std::vector<Id>& order) {
    made.offsets.reserve(order.size() + 1);
    for (const Id box : order) {
      ticker_.poll();
      name_node(made.text, box_entry_[box]);
      append(made.text, ", then ");
      name_word(made.text, box_word_[box]);
      made.end_text();
    }
  }

  void name_word(std::string& text, Id word) const {
    for (int i = 0; i < 4 && word != 0; ++i, word = words_.second(word)) {
      if (i > 0) append(text, " ");
      append(text, system_.names[words_.first(word)]);
    }
    if (word != 0) append(text, " ... " + std::to_string(word));
  }

  // After the first node that is called.
  void name_components(SplitModel& made) const {
    std::vector<Id> named(components_, -1);
    for (const Id entry : call_entry_) {
      if (named[owner_[entry]] < 0) named[owner_[entry]] = entry;
    }
    for (std::size_t node = 0; node < owner_.size(); ++node) {
      if (named[owner_[node]] < 0) named[owner_[node]] = static_cast<Id>(node);
    }
    JoinedTexts& names = made.file.components;
    names.text = root_name;
    names.end_text();
    for (Id c = 1; c < components_; ++c) {
      ticker_.poll();
      name_node(names.text, named[c]);
      names.end_text();
    }
    for (Id c = 0; c < components_; ++c) made.component_lines.push_back(named[c] < 0 ? 0 : node_lines_[named[c]]);
  }

  // The nodes of each label, sorted. Labels that no node carries come too.
  void add_labels(NamedArrays& made, const std::vector<Id>& order) {
    std::vector<Id> number(system_.names.size(), -1);
    made.labels = name_labels(number);
    const ValueRows by_name(system_.names.size(), system_.label.size(), ticker_, [&](auto&& put) {
      for (std::size_t i = 0; i < system_.label.size(); ++i) put(system_.label_owner[i], number[system_.label[i]]);
    });
    PairTable pairs;
    std::vector<Id> pair_of;
    for (std::size_t i = 0; i < system_.head_label.size(); ++i) {
      pair_of.push_back(pairs.number(system_.head_label_state[i], system_.head_label_symbol[i]));
    }
    const ValueRows by_pair(pairs.size(), pair_of.size(), ticker_, [&](auto&& put) {
      for (std::size_t i = 0; i < pair_of.size(); ++i) put(pair_of[i], number[system_.head_label[i]]);
    });
    // Calls each(place, labels) up to three times for each node: the labels of its state, of its symbol, and of both.
    const auto for_each_row = [&](auto&& each) {
      for (std::size_t place = 0; place < order.size(); ++place) {
        ticker_.poll();
        const Id state = state_[order[place]], symbol = symbol_[order[place]];
        each(static_cast<Id>(place), by_name[state]);
        each(static_cast<Id>(place), by_name[symbol]);
        const Id pair = pairs.size() > 0 ? pairs.find(state, symbol) : -1;
        if (pair >= 0) each(static_cast<Id>(place), by_pair[pair]);
      }
    };
    std::size_t count = 0; // may be far more than the file has: all nodes of a control state carry all its labels
    for_each_row([&](Id, std::span<const Id> labels) { count += labels.size(); });
    ValueRows nodes(static_cast<Id>(made.labels.offsets.size()) - 1, count, ticker_, [&](auto&& put) {
      for_each_row([&](Id place, std::span<const Id> labels) {
        ticker_.poll(static_cast<int>(labels.size()));
        for (const Id label : labels) put(label, place);
      });
    });
    made.arrays.label_offsets = std::move(nodes.offsets);
    made.arrays.label_nodes = std::move(nodes.values);
  }

  // Numbers the labels in the order in which they come.
  JoinedTexts name_labels(std::vector<Id>& number) const {
    std::vector<Id> labels;
    std::size_t size = 0;
    for (const std::vector<Id>* column : {&system_.label, &system_.head_label}) {
      for (const Id label : *column) {
        if (number[label] >= 0) continue;
        number[label] = static_cast<Id>(labels.size());
        labels.push_back(label);
        size += system_.names[label].size();
      }
    }
    JoinedTexts made;
    made.text.reserve(size);
    made.offsets.reserve(labels.size() + 1);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (i + kAhead < labels.size()) system_.names.table().prefetch_text(labels[i + kAhead]);
      made.text += system_.names[labels[i]];
      made.end_text();
    }
    return made;
  }

  static constexpr std::size_t kAhead = 16; // names that are fetched from memory before they are needed

  Pushdown& system_;
  Ticker& ticker_;
  std::vector<bool> popped_;    // of names: is it a control state that some rule pops into?
  std::int64_t steps_back_ = 0; // edges that lead from return nodes
  Id first_ = -1;               // the head of the initial configuration, if it has rules or is led into
  bool alone_ = false;          // nothing leads to it: its node is the initial one
  Id initial_ = -1;
  Id main_ = -1;
  Id components_ = 1;
  Id heads_ = 0;
  std::vector<Id> state_, symbol_, owner_; // of nodes. Heads come first, by number
  std::vector<std::uint8_t> flags_;
  PairTable words_, box_sites_, box_keys_, calls_, leaf_heads_, leaves_;
  std::vector<Id> leaf_nodes_, open_;
  std::vector<Id> node_lines_;
  Id line_ = 0;                                                               // of the rule that makes the next boxes
  std::vector<Id> box_owner_, box_callee_, box_word_, box_entry_, box_lines_; // a box is called after its first entry
  std::vector<Id> call_box_, call_entry_, return_box_, return_exit_;
  std::vector<Id> edge_sources_, edge_targets_;
  std::vector<Id> pop_node_, pop_state_, pop_offsets_;
  Zeroed<Id> after_box_, after_target_; // of control states popped into: the last box + 1, and where it goes on
};

} // namespace

SplitModel split(Pushdown& system, std::int64_t most_returns, Ticker& ticker) {
  if (most_returns < 0 || most_returns > kMostReturns) throw std::invalid_argument("a bound of 0 to 2^30 is needed");
  if (system.initial_state < 0) throw std::invalid_argument("the pushdown system has no initial configuration");
  Splitter splitter(system, ticker);
  SplitModel refused;
  if (splitter.has_mixed_head()) {
    refused.outcome = SplitOutcome::mixed_head;
    return refused;
  }
  splitter.prepare();
  if (!splitter.run(most_returns)) {
    refused.outcome = SplitOutcome::too_many_returns;
    return refused;
  }
  return splitter.finish();
}

} // namespace pigro::core
