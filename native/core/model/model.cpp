#include "core/model/model.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/ticker.hpp"

namespace pigro::core {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<Id>::max();

void require(bool fine, const char* rule, std::int64_t first, std::int64_t second = -1) {
  if (!fine) throw ModelFault(rule, first, second);
}

// Offsets start at 0, never fall, and end at `end`. There are `rows` + 1 of them.
void check_offsets(std::span<const Id> offsets, std::size_t rows, std::size_t end, const char* rule) {
  require(offsets.size() == rows + 1, rule, static_cast<std::int64_t>(offsets.size()),
          static_cast<std::int64_t>(rows + 1));
  require(offsets.front() == 0, rule, offsets.front(), 0);
  for (std::size_t i = 0; i < rows; ++i) {
    require(offsets[i] <= offsets[i + 1], rule, static_cast<std::int64_t>(i));
  }
  require(static_cast<std::size_t>(offsets.back()) == end, rule, offsets.back(), static_cast<std::int64_t>(end));
}

// Out of line, so that the loops stay small.
[[gnu::noinline]] void look(Ticker& ticker, int steps) { ticker.poll(steps); }

// Runs `step` for each number below `end` from `begin` on. The ticker may stop it every few thousand steps.
template <typename Number, typename Step>
void sweep(Ticker& ticker, Number begin, Number end, Step&& step) {
  constexpr Number kSteps = 1 << 12;
  while (begin < end) {
    const Number stop = begin + std::min<Number>(kSteps, end - begin);
    look(ticker, static_cast<int>(stop - begin));
    for (; begin < stop; ++begin) step(begin);
  }
}

// Pairs (row, id) as sorted rows without repeats.
template <typename Each>
Rows make_rows(Ticker& ticker, std::size_t rows, Each&& each) {
  std::vector<Id> ends(rows, 0); // counts, then where the next id goes, then where the row ends
  std::int64_t total = 0;
  each([&](Id row, Id) {
    ++total;
    require(total <= kMost, "too-large", total);
    ++ends[row];
  });
  Id before = 0;
  for (Id& end : ends) before += std::exchange(end, before);
  Column<Id> ids(static_cast<std::size_t>(total));
  each([&](Id row, Id id) { ids[ends[row]++] = id; });
  Rows result;
  result.offsets.assign(rows + 1, 0);
  Id* out = ids.data();
  Id* begin = out;
  sweep(ticker, std::size_t{0}, rows, [&](std::size_t row) {
    Id* end = ids.data() + ends[row];
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
    for (Id* at = begin; at != end; ++at) {
      if (at == begin || *at != at[-1]) *out++ = *at;
    }
    begin = end;
    result.offsets[row + 1] = static_cast<Id>(out - ids.data());
  });
  ids.resize(static_cast<std::size_t>(out - ids.data()));
  result.ids = std::move(ids);
  return result;
}

} // namespace

// Builds the normal form out of a raw model, step by step.
struct Model::Flattening {
  const RawModel& raw;
  Model& model;
  const Semantics semantics;
  Ticker& ticker;
  std::size_t components = 0, nodes = 0, boxes = 0, calls = 0, returns = 0;
  std::vector<Id> node_of_declared; // empty if there is one component
  std::vector<Id> declared_ordinal; // of declared exits
  std::vector<Id> node_of_listed;   // listed calls, then listed returns -> node id
  std::vector<Id> call_order;       // listed calls of each box, by entry
  std::vector<Id> return_order;     // listed returns of each box, by exit
  std::vector<Id> call_leader;      // listed call -> the first one of the box with the same entry
  std::vector<bool> targeted;       // listed call leaders that some edge goes to

  Flattening(const RawModel& raw, Model& model, Semantics semantics, Ticker& ticker)
      : raw(raw), model(model), semantics(semantics), ticker(ticker) {}

  void run() {
    check_shapes();
    announce();
    check_boxes();
    call_order = ordered(raw.call_offsets, raw.call_entries);
    return_order = ordered(raw.return_offsets, raw.return_exits);
    find_leaders();
    number_nodes();
    link_edges();
    index_callers();
    index_labels();
  }

  // At least so much is taken for nodes, edges and labels.
  void announce() const {
    constexpr std::size_t kNode = sizeof(NodeKind) + sizeof(std::uint8_t) + 7 * sizeof(Id); // 4 columns, 3 offsets
    const std::size_t ids = raw.edge_sources.size() + raw.edge_targets.size() + raw.label_nodes.size();
    const std::size_t shared = raw.steps ? raw.steps->ids.size() : 0; // the steps back are the model's own
    ticker.before_allocating(nodes * kNode + (ids + shared) * sizeof(Id));
  }

  bool is_exit(Id declared) const { return (raw.node_flags[declared] & kExitFlag) != 0; }

  void check_shapes() {
    require(raw.component_offsets.size() >= 2, "no-components", 0);
    components = raw.component_offsets.size() - 1;
    nodes = raw.node_flags.size();
    boxes = raw.box_callee.size();
    calls = raw.call_entries.size();
    returns = raw.return_exits.size();
    require(nodes + calls + returns <= static_cast<std::size_t>(kMost), "too-large",
            static_cast<std::int64_t>(nodes + calls + returns));
    check_offsets(raw.component_offsets, components, nodes, "component-offsets");
    check_offsets(raw.box_offsets, components, boxes, "box-offsets");
    check_offsets(raw.call_offsets, boxes, calls, "call-offsets");
    check_offsets(raw.return_offsets, boxes, returns, "return-offsets");
    require(!raw.label_offsets.empty(), "label-offsets", 0, 1);
    check_offsets(raw.label_offsets, raw.label_offsets.size() - 1, raw.label_nodes.size(), "label-offsets");
    require(raw.edge_sources.size() == raw.edge_targets.size(), "edge-lengths",
            static_cast<std::int64_t>(raw.edge_sources.size()), static_cast<std::int64_t>(raw.edge_targets.size()));
    declared_ordinal.assign(nodes, kNone);
    sweep(ticker, std::size_t{0}, nodes, [&](std::size_t n) {
      require(raw.node_flags[n] <= (kEntryFlag | kExitFlag), "node-flags", static_cast<std::int64_t>(n),
              raw.node_flags[n]);
    });
    for (std::size_t c = 0; c < components; ++c) {
      Id exits = 0;
      for (Id n = raw.component_offsets[c]; n < raw.component_offsets[c + 1]; ++n) {
        if (is_exit(n)) declared_ordinal[n] = exits++;
      }
    }
  }

  void check_boxes() {
    model.box_offsets_.assign(raw.box_offsets.begin(), raw.box_offsets.end());
    model.box_callee_.assign(raw.box_callee.begin(), raw.box_callee.end());
    model.box_component_.resize(boxes);
    for (std::size_t c = 0; c < components; ++c) {
      for (Id b = raw.box_offsets[c]; b < raw.box_offsets[c + 1]; ++b) model.box_component_[b] = static_cast<Id>(c);
    }
    sweep(ticker, Id{0}, model.boxes(), [&](Id b) { check_box(b); });
  }

  void check_box(Id b) {
    const Id callee = raw.box_callee[b];
    require(callee >= 0 && static_cast<std::size_t>(callee) < components, "box-callee", b, callee);
    const auto declared_in_callee = [&](Id node) {
      return node >= raw.component_offsets[callee] && node < raw.component_offsets[callee + 1];
    };
    for (Id i = raw.call_offsets[b]; i < raw.call_offsets[b + 1]; ++i) {
      const Id entry = raw.call_entries[i];
      require(declared_in_callee(entry) && (raw.node_flags[entry] & kEntryFlag) != 0, "call-entry", i, entry);
    }
    for (Id i = raw.return_offsets[b]; i < raw.return_offsets[b + 1]; ++i) {
      const Id exit = raw.return_exits[i];
      require(declared_in_callee(exit) && is_exit(exit), "return-exit", i, exit);
    }
  }

  // The indices of each row, stably sorted by their value.
  std::vector<Id> ordered(std::span<const Id> offsets, std::span<const Id> value) {
    std::vector<Id> order(value.size());
    std::iota(order.begin(), order.end(), 0);
    sweep(ticker, std::size_t{1}, offsets.size(), [&](std::size_t end) {
      std::stable_sort(order.begin() + offsets[end - 1], order.begin() + offsets[end],
                       [&](Id x, Id y) { return value[x] < value[y]; });
    });
    return order;
  }

  std::span<const Id> calls_of(Id b) const { return row(call_order, raw.call_offsets, b); }
  std::span<const Id> returns_of(Id b) const { return row(return_order, raw.return_offsets, b); }
  static std::span<const Id> row(const std::vector<Id>& order, std::span<const Id> offsets, Id b) {
    return {order.data() + offsets[b], order.data() + offsets[b + 1]};
  }

  // Listed calls of one box with the same entry are one call node. The first stands for all.
  void find_leaders() {
    call_leader.resize(calls);
    sweep(ticker, std::size_t{0}, boxes, [&](std::size_t b) {
      Id before = kNone;
      for (const Id i : calls_of(static_cast<Id>(b))) {
        const bool repeat = before != kNone && raw.call_entries[i] == raw.call_entries[before];
        call_leader[i] = repeat ? call_leader[before] : i;
        before = i;
      }
    });
    targeted.assign(calls, false);
    sweep(ticker, std::size_t{0}, raw.edge_targets.size(), [&](std::size_t i) {
      const Id target = raw.edge_targets[i];
      require(target >= 0 && static_cast<std::size_t>(target) < nodes + calls, "edge-target",
              static_cast<std::int64_t>(i), target);
      if (static_cast<std::size_t>(target) >= nodes) targeted[call_leader[target - static_cast<Id>(nodes)]] = true;
    });
  }

  void number_nodes() {
    model.first_.resize(components + 1);
    model.declared_.assign(raw.component_offsets.begin(), raw.component_offsets.end());
    model.first_call_.resize(boxes);
    model.call_count_.resize(boxes);
    model.first_return_.resize(boxes);
    model.return_count_.resize(boxes);
    model.exits_.offsets.assign(components + 1, 0);
    node_of_listed.assign(calls + returns, kNone);
    const std::size_t guess = nodes + calls + returns;
    for (auto* column : {&model.component_, &model.subject_, &model.box_, &model.ordinal_}) column->reserve(guess);
    model.kind_.reserve(guess);
    model.flags_.reserve(guess);
    number_subjects();
    for (std::size_t c = 0; c < components; ++c) number_component(static_cast<Id>(c));
    model.first_[components] = next();
    assert(model.exits_.offsets.back() == static_cast<Id>(model.exits_.ids.size()));
  }

  // Call and return nodes point at subjects of later components: where will those be?
  void number_subjects() {
    std::int64_t at = 0;
    if (components > 1) node_of_declared.resize(nodes);
    for (std::size_t c = 0; c < components; ++c) {
      model.first_[c] = static_cast<Id>(at);
      if (components > 1) {
        const auto row = std::span(node_of_declared).subspan(raw.component_offsets[c]);
        std::iota(row.begin(), row.begin() + (raw.component_offsets[c + 1] - raw.component_offsets[c]),
                  model.first_[c]);
      }
      at += raw.component_offsets[c + 1] - raw.component_offsets[c];
      for (Id b = raw.box_offsets[c]; b < raw.box_offsets[c + 1]; ++b) at += box_nodes(b);
      require(at <= kMost, "too-large", at);
    }
  }

  std::int64_t box_nodes(Id b) const {
    std::int64_t count = 0;
    for (Id i = raw.call_offsets[b]; i < raw.call_offsets[b + 1]; ++i) {
      if (call_leader[i] != i || !targeted[i]) continue;
      const bool to_return = is_exit(raw.call_entries[i]) && semantics == Semantics::standard &&
                             listed_return(b, raw.call_entries[i]) != kNone;
      count += to_return ? 0 : 1;
    }
    return count + distinct_returns(b);
  }

  std::int64_t distinct_returns(Id b) const {
    std::int64_t count = 0;
    Id before = kNone;
    for (const Id i : returns_of(b)) {
      count += before == kNone || raw.return_exits[i] != raw.return_exits[before] ? 1 : 0;
      before = i;
    }
    return count;
  }

  Id listed_return(Id b, Id exit) const {
    const auto order = returns_of(b);
    const auto at = std::ranges::lower_bound(order, exit, {}, [&](Id i) { return raw.return_exits[i]; });
    return at != order.end() && raw.return_exits[*at] == exit ? *at : kNone;
  }

  Id next() const { return static_cast<Id>(model.kind_.size()); }
  Id subject_of(Id declared) const { return components == 1 ? declared : node_of_declared[declared]; }

  Id add(NodeKind kind, std::uint8_t flags, Id component, Id subject, Id box, Id ordinal) {
    model.kind_.push_back(kind);
    model.flags_.push_back(flags);
    model.component_.push_back(component);
    model.subject_.push_back(subject);
    model.box_.push_back(box);
    model.ordinal_.push_back(ordinal);
    return next() - 1;
  }

  void number_component(Id c) {
    assert(model.first_[c] == next());
    sweep(ticker, raw.component_offsets[c], raw.component_offsets[c + 1], [&](Id n) {
      const Id id =
          add(is_exit(n) ? NodeKind::exit : NodeKind::plain, raw.node_flags[n], c, next(), kNone, declared_ordinal[n]);
      if (is_exit(n)) model.exits_.ids.push_back(id);
    });
    model.exits_.offsets[c + 1] = static_cast<Id>(model.exits_.ids.size());
    sweep(ticker, raw.box_offsets[c], raw.box_offsets[c + 1], [&](Id b) { number_box(c, b); });
  }

  void number_box(Id c, Id b) {
    const auto order = calls_of(b);
    model.first_call_[b] = next();
    for (const Id i : order) {
      const Id entry = raw.call_entries[i];
      if (call_leader[i] != i || !targeted[i] || is_exit(entry)) continue;
      node_of_listed[i] = add(NodeKind::call, 0, c, subject_of(entry), b, kNone);
    }
    model.call_count_[b] = next() - model.first_call_[b];
    number_returns(c, b);
    for (const Id i : order) {
      if (call_leader[i] == i && targeted[i] && is_exit(raw.call_entries[i])) redirect_call(c, b, i);
    }
    assert(model.first_return_[b] == model.first_call_[b] + model.call_count_[b]);
    for (const Id i : order) node_of_listed[i] = node_of_listed[call_leader[i]];
  }

  void number_returns(Id c, Id b) {
    model.first_return_[b] = next();
    Id before = kNone;
    for (const Id i : returns_of(b)) {
      const Id exit = raw.return_exits[i];
      const bool repeat = before != kNone && exit == raw.return_exits[before];
      node_of_listed[calls + i] =
          repeat ? next() - 1 : add(NodeKind::ret, 0, c, subject_of(exit), b, declared_ordinal[exit]);
      before = i;
    }
    model.return_count_[b] = next() - model.first_return_[b];
  }

  // A call of an entry-exit node (M2): being at the return node at once. A stub where there is none.
  void redirect_call(Id c, Id b, Id call) {
    const Id entry = raw.call_entries[call];
    const Id listed = semantics == Semantics::standard ? listed_return(b, entry) : kNone;
    node_of_listed[call] =
        listed != kNone ? node_of_listed[calls + listed] : add(NodeKind::plain, 0, c, subject_of(entry), b, kNone);
  }

  Id node_of(Id reference) const {
    const std::size_t at = static_cast<std::size_t>(reference);
    assert(at < nodes || node_of_listed[at - nodes] != kNone); // what an edge goes to has a node (M4)
    return at < nodes ? subject_of(reference) : node_of_listed[at - nodes];
  }

  void check_source(std::size_t i) const {
    const Id source = raw.edge_sources[i];
    const auto edge = static_cast<std::int64_t>(i);
    require(source >= 0 && static_cast<std::size_t>(source) < nodes + calls + returns, "edge-source", edge, source);
    if (static_cast<std::size_t>(source) < nodes) {
      require(!is_exit(source), "exit-successors", source, edge);
    } else {
      require(static_cast<std::size_t>(source) >= nodes + calls, "edge-source", edge, source);
    }
  }

  void check_steps(const Rows& steps) {
    const bool alone = components == 1 && boxes == 0 && raw.edge_sources.empty() && steps.size() == nodes;
    require(alone, "edge-lengths", static_cast<std::int64_t>(steps.size()), static_cast<std::int64_t>(nodes));
    check_offsets(steps.offsets, nodes, steps.ids.size(), "edge-lengths");
    sweep(ticker, std::size_t{0}, nodes, [&](std::size_t n) {
      const std::span<const Id> row = steps[static_cast<Id>(n)];
      const auto node = static_cast<std::int64_t>(n);
      if (row.empty()) return;
      require(!is_exit(static_cast<Id>(n)), "exit-successors", node);
      require(std::ranges::adjacent_find(row, std::greater_equal{}) == row.end(), "edge-lengths", node);
      require(row.front() >= 0 && static_cast<std::size_t>(row.back()) < nodes, "edge-target", node, row.back());
    });
  }

  void link_edges() {
    if (raw.steps) {
      check_steps(*raw.steps);
      model.successors_ = SharedRows(raw.steps);
    } else {
      collect_edges();
    }
    model.predecessors_ = make_rows(ticker, static_cast<std::size_t>(model.nodes()), [&](auto&& put) {
      sweep(ticker, 0, model.nodes(), [&](Id n) {
        for (const Id m : model.successors_[n]) put(m, n);
      });
    });
  }

  void collect_edges() {
    const std::size_t count = raw.edge_sources.size();
    sweep(ticker, std::size_t{0}, count, [&](std::size_t i) {
      check_source(i);
      const Id from = model.component_[node_of(raw.edge_sources[i])];
      const Id to = model.component_[node_of(raw.edge_targets[i])];
      require(from == to, "edge-crosses", static_cast<std::int64_t>(i));
    });
    const auto total = static_cast<std::size_t>(model.nodes());
    model.successors_ = make_rows(ticker, total, [&](auto&& put) {
      sweep(ticker, std::size_t{0}, count,
            [&](std::size_t i) { put(node_of(raw.edge_sources[i]), node_of(raw.edge_targets[i])); });
    });
  }

  void index_callers() {
    const auto total = static_cast<std::size_t>(model.nodes());
    const auto by_subject = [&](bool returns_wanted) {
      return make_rows(ticker, total, [&](auto&& put) {
        sweep(ticker, 0, model.nodes(), [&](Id n) {
          // A stub stands for its entry-exit node as a return node would.
          const bool is_call = model.kind_[n] == NodeKind::call;
          if (model.box_[n] != kNone && is_call != returns_wanted) put(model.subject_[n], n);
        });
      });
    };
    model.calls_of_ = by_subject(false);
    model.returns_of_ = boxes == 0 ? model.calls_of_ : by_subject(true);
    model.called_.assign(boxes, false);
    sweep(ticker, 0, model.nodes(), [&](Id n) {
      if (model.box_[n] != kNone && !model.predecessors(n).empty()) model.called_[model.box_[n]] = true;
    });
    model.called_entries_.assign(components + 1, 0);
    sweep(ticker, 0, model.nodes(), [&, called = 0](Id n) mutable {
      if (model.calls_of_[n].empty()) return;
      for (const Id call : model.calls_of_[n]) model.ordinal_[call] = called;
      model.called_entries_[model.component_[n] + 1] = ++called;
    });
    for (std::size_t c = 0; c < components; ++c) {
      model.called_entries_[c + 1] = std::max(model.called_entries_[c + 1], model.called_entries_[c]);
    }
    model.callers_ = make_rows(ticker, components, [&](auto&& put) {
      sweep(ticker, 0, model.boxes(), [&](Id b) { put(model.box_callee_[b], b); });
    });
    model.listed_calls_ = make_rows(ticker, boxes, [&](auto&& put) {
      sweep(ticker, 0, model.boxes(), [&](Id b) {
        for (Id i = raw.call_offsets[b]; i < raw.call_offsets[b + 1]; ++i) put(b, subject_of(raw.call_entries[i]));
      });
    });
  }

  void index_labels() {
    sweep(ticker, std::size_t{0}, raw.label_nodes.size(), [&](std::size_t i) {
      const Id node = raw.label_nodes[i];
      require(node >= 0 && static_cast<std::size_t>(node) < nodes, "label-node", node);
    });
    const std::size_t labels = raw.label_offsets.size() - 1;
    model.label_nodes_ = make_rows(ticker, labels, [&](auto&& put) {
      for (std::size_t l = 0; l < labels; ++l) {
        sweep(ticker, raw.label_offsets[l], raw.label_offsets[l + 1],
              [&](Id i) { put(static_cast<Id>(l), subject_of(raw.label_nodes[i])); });
      }
    });
  }
};

static std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

Model::Model(const RawModel& raw, Semantics semantics, Ticker& ticker) : serial_(next_serial()) {
  Flattening(raw, *this, semantics, ticker).run();
#ifndef NDEBUG
  check_invariants();
#endif
}

Id Model::return_node(Id box, Id exit_ordinal) const {
  assert(exit_ordinal >= 0 && exit_ordinal < exit_count(callee(box)));
  Id low = first_return_[box];
  Id high = low + return_count_[box];
  if (exit_ordinal < return_count_[box] && ordinal_[low + exit_ordinal] == exit_ordinal)
    return low + exit_ordinal; // M3
  while (low < high) {         // M3
    const Id middle = low + (high - low) / 2;
    if (ordinal_[middle] < exit_ordinal) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < first_return_[box] + return_count_[box] && ordinal_[low] == exit_ordinal ? low : kNone;
}

std::vector<Word> Model::reachable_components(std::span<const Id> starts) const {
  std::vector<Word> seen(words_for(static_cast<std::size_t>(components())), 0);
  std::vector<Id> pending;
  const auto reach = [&](Id component) {
    if (insert_bit(seen.data(), static_cast<std::size_t>(component))) pending.push_back(component);
  };
  for (const Id start : starts) reach(component_[start]);
  while (!pending.empty()) {
    const Id component = pending.back();
    pending.pop_back();
    for (Id box = box_offsets_[component]; box < box_offsets_[component + 1]; ++box) {
      if (called_[box]) reach(box_callee_[box]);
    }
  }
  return seen;
}

Model Model::with_labels(std::span<const Id> offsets, std::span<const Id> declared) const {
  require(!offsets.empty(), "label-offsets", 0, 1);
  check_offsets(offsets, offsets.size() - 1, declared.size(), "label-offsets");
  for (const Id node : declared) require(node >= 0 && node < declared_nodes(), "label-node", node);
  const auto known = static_cast<std::size_t>(labels());
  Model made = *this;
  Ticker never_stopped({});
  made.label_nodes_ = make_rows(never_stopped, known + offsets.size() - 1, [&](auto&& put) {
    for (std::size_t l = 0; l < known; ++l) {
      for (const Id node : labelled(static_cast<Id>(l))) put(static_cast<Id>(l), node);
    }
    for (std::size_t l = 0; l + 1 < offsets.size(); ++l) {
      for (Id i = offsets[l]; i < offsets[l + 1]; ++i) put(static_cast<Id>(known + l), node_of_declared(declared[i]));
    }
  });
#ifndef NDEBUG
  made.check_invariants();
#endif
  return made;
}

std::vector<std::span<const std::byte>> Model::parts(Id labels) const {
  const auto rows = static_cast<std::size_t>(labels) + 1;
  // Not those that follow from these: predecessors, callers, counts.
  return {std::as_bytes(std::span(first_)),
          std::as_bytes(std::span(kind_)),
          std::as_bytes(std::span(flags_)),
          std::as_bytes(std::span(subject_)),
          std::as_bytes(std::span(box_)),
          std::as_bytes(std::span(ordinal_)),
          std::as_bytes(std::span(successors_.rows().offsets)),
          std::as_bytes(std::span(successors_.rows().ids)),
          std::as_bytes(std::span(box_offsets_)),
          std::as_bytes(std::span(box_callee_)),
          std::as_bytes(std::span(label_nodes_.offsets).first(rows)),
          std::as_bytes(std::span(label_nodes_.ids).first(static_cast<std::size_t>(label_nodes_.offsets[labels])))};
}

Id Model::node_of_declared(Id declared) const {
  const auto after = std::upper_bound(declared_.begin(), declared_.end(), declared);
  const auto component = static_cast<std::size_t>(after - declared_.begin()) - 1;
  assert(declared < declared_[component + 1]);
  return first_[component] + declared - declared_[component];
}

void Model::mark_label(Id label, Word* bits) const {
  for (const Id node : label_nodes_[label]) {
    set_bit(bits, static_cast<std::size_t>(node));
    for (const Id call : calls_of_[node]) set_bit(bits, static_cast<std::size_t>(call));
    for (const Id ret : returns_of_[node]) set_bit(bits, static_cast<std::size_t>(ret));
  }
}

void Model::check_invariants() const {
  for (Id n = 0; n < nodes(); ++n) {
    const NodeKind k = kind_[n];
    assert((k != NodeKind::exit && k != NodeKind::call) || successors(n).empty());                      // M1
    assert(k != NodeKind::call || (is_entry(subject_[n]) && kind_[subject_[n]] != NodeKind::exit));     // M2
    assert(k != NodeKind::call || !predecessors(n).empty());                                            // M4
    assert(std::ranges::all_of(successors(n), [&](Id m) { return component_[m] == component_[n]; }));   // M5
    assert(std::ranges::adjacent_find(successors(n), std::greater_equal{}) == successors(n).end());     // M5
    assert(subject_[subject_[n]] == subject_[n]);                                                       // M6
    assert(std::ranges::adjacent_find(predecessors(n), std::greater_equal{}) == predecessors(n).end()); // M5
    assert(std::ranges::all_of(predecessors(n), [&](Id m) { return component_[m] == component_[n]; })); // M5
    assert(n >= first(component_[n]) && n < first(component_[n]) + width(component_[n]));
    assert(k != NodeKind::exit || exits(component_[n])[ordinal_[n]] == n);
    assert(k != NodeKind::ret || exits(callee(box_[n]))[ordinal_[n]] == subject_[n]); // M3
    assert(k != NodeKind::call || (ordinal_[n] >= 0 && ordinal_[n] < called_entries()));
    assert(box_[n] == kNone ? subject_[n] == n : component_[subject_[n]] == callee(box_[n])); // M6
    assert(box_[n] == kNone || box_component(box_[n]) == component_[n]);
    (void)k;
  }
  for (Id l = 0; l < labels(); ++l) {
    assert(std::ranges::all_of(labelled(l), [&](Id n) { return subject_[n] == n; })); // M6
  }
  for (Id b = 0; b < boxes(); ++b) {
    for (Id r = first_return_[b]; r < first_return_[b] + return_count_[b]; ++r) { // M3
      assert(kind_[r] == NodeKind::ret && box_[r] == b);
      assert(r == first_return_[b] || ordinal_[r - 1] < ordinal_[r]);
    }
    for (Id c = first_call_[b]; c < first_call_[b] + call_count_[b]; ++c) { // M4
      assert(kind_[c] == NodeKind::call && box_[c] == b);
    }
  }
}

} // namespace pigro::core
