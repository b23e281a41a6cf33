#include "core/model/rsm_file.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "core/base/json.hpp"
#include "core/base/names.hpp"

namespace pigro::core {

namespace {

using RsmTexts = std::vector<std::string_view>;

// Hash tables of known sizes, behind each other: one for each component, which stays in the cache while it is filled.
class RsmTables {
 public:
  struct Table {
    std::size_t begin;
    std::size_t mask;
  };

  Table make(std::size_t most) {
    const std::size_t size = std::bit_ceil(2 * most + 1);
    assert(size > most); // so every search ends at a free slot
    const Table made{slots_.size(), size - 1};
    slots_.resize(slots_.size() + size);
    return made;
  }
  void clear() { slots_.clear(); }

  // The number for which `same` holds, or `fresh` after having taken it in.
  template <typename Same>
  Id find_or_add(Table table, std::uint32_t hash, Id fresh, Same same) {
    std::uint64_t& slot = slots_[place(table, hash, same)];
    if (slot == 0) slot = std::uint64_t{hash} << 32 | (static_cast<std::uint32_t>(fresh) + 1);
    return number(slot);
  }
  // kNone if there is none.
  template <typename Same>
  Id find(Table table, std::uint32_t hash, Same same) const {
    return number(slots_[place(table, hash, same)]);
  }

 private:
  static Id number(std::uint64_t slot) { return static_cast<Id>(static_cast<std::uint32_t>(slot)) - 1; }

  template <typename Same>
  std::size_t place(Table table, std::uint32_t hash, Same same) const {
    for (std::size_t at = hash;; ++at) {
      const std::size_t found = table.begin + (at & table.mask);
      assert(found < slots_.size() && at - hash <= table.mask);
      const std::uint64_t slot = slots_[found];
      if (slot == 0 || (slot >> 32 == hash && same(number(slot)))) return found;
    }
  }

  std::vector<std::uint64_t> slots_;
};

// A node of the component, or a node of one of its boxes.
struct RsmReference {
  std::string_view name;
  std::string_view box;
  bool is_box_node = false;
};

class RsmReader {
 public:
  RsmReader(std::string_view text, Ticker& ticker) : json_(text), ticker_(ticker) {}

  NamedArrays read() {
    bool has_start = false;
    bool has_components = false;
    json_.object([&](std::string_view key) {
      if (key == "initial_component") {
        start_component_ = json_.string();
        has_start = true;
      } else if (key == "initial_node") {
        read_start();
      } else if (key == "semantics") {
        made_.semantics = read_word({"standard", "rsmcheck", "rmv"});
      } else if (key == "dead_ends") {
        made_.dead_ends = read_word({"stutter", "stop", "error"});
      } else if (key == "components") {
        json_.list([&] { read_component(); });
        has_components = true;
      } else {
        skip(key);
      }
    });
    json_.finish();
    require(has_start && has_components && !starts_.empty() && !components_.empty());
    assert(components_.size() == node_tables_.size() && nodes_.size() == made_.arrays.node_flags.size());
    find_components();
    link_boxes();
    number_box_nodes();
    find_starts();
    collect_labels();
    made_.components = JoinedTexts::of(components_);
    made_.nodes = JoinedTexts::of(nodes_);
    made_.boxes = JoinedTexts::of(boxes_);
    assert(boxes_.size() == callees_.size() && boxes_.size() == made_.arrays.box_callee.size());
    return std::move(made_);
  }

 private:
  static constexpr std::size_t kMostOthers = 32;

  static void require(bool fine) {
    if (!fine) throw JsonReader::Unusual();
  }

  // A value whose key does not matter. Source positions do.
  void skip(std::string_view key) {
    const auto seen = [](std::string_view each) { require(each != "at"); };
    seen(key);
    note(key);
    json_.skip(seen);
  }

  void note(std::string_view key) {
    std::vector<std::string>& others = made_.other_keys;
    for (const std::string& each : others) {
      if (each == key) return;
    }
    if (others.size() < kMostOthers) others.emplace_back(key);
  }

  std::string_view read_word(std::initializer_list<std::string_view> known) {
    const std::string_view word = json_.string();
    require(std::find(known.begin(), known.end(), word) != known.end());
    return word;
  }

  // Strings of a list, behind those before.
  void read_strings(RsmTexts& to) {
    json_.list([&] { to.push_back(json_.string()); });
  }

  static Id size_of(const RsmTexts& texts) {
    require(texts.size() < static_cast<std::size_t>(std::numeric_limits<Id>::max()));
    return static_cast<Id>(texts.size());
  }

  void read_start() {
    if (json_.is_list()) return read_strings(starts_);
    starts_.push_back(json_.string());
  }

  void read_component() {
    references_.clear();
    target_counts_.clear();
    bool has_name = false;
    json_.object([&](std::string_view key) {
      if (key == "name") {
        components_.push_back(json_.string());
        has_name = true;
      } else if (key == "nodes") {
        json_.list([&] { read_node(); });
      } else if (key == "boxes") {
        json_.list([&] { read_box(); });
      } else if (key == "transitions") {
        json_.list([&] { read_transition(); });
      } else {
        skip(key);
      }
    });
    require(has_name);
    index_component();
    resolve_transitions();
  }

  void read_node() {
    bool is_entry = false;
    bool is_exit = false;
    bool has_name = false;
    const Id node = size_of(nodes_);
    ticker_.poll();
    json_.object([&](std::string_view key) {
      if (key == "name") {
        nodes_.push_back(json_.string());
        has_name = true;
      } else if (key == "is_entry") {
        is_entry = json_.boolean();
      } else if (key == "is_exit") {
        is_exit = json_.boolean();
      } else if (key == "labels") {
        json_.list([&] {
          label_.push_back(labels_.number(json_.string()));
          labelled_.push_back(node);
        });
      } else {
        skip(key);
      }
    });
    require(has_name);
    made_.arrays.node_flags.push_back(
        static_cast<std::uint8_t>((is_entry ? kEntryFlag : 0) | (is_exit ? kExitFlag : 0)));
  }

  void read_box() {
    bool has_name = false;
    bool has_callee = false;
    json_.object([&](std::string_view key) {
      if (key == "name") {
        boxes_.push_back(json_.string());
        has_name = true;
      } else if (key == "component") {
        callees_.push_back(json_.string());
        has_callee = true;
      } else if (key == "call_nodes") {
        read_strings(calls_);
      } else if (key == "return_nodes") {
        read_strings(returns_);
      } else {
        skip(key);
      }
    });
    require(has_name && has_callee);
    made_.arrays.call_offsets.push_back(size_of(calls_));
    made_.arrays.return_offsets.push_back(size_of(returns_));
  }

  // Keeps the source, then the targets: boxes may come later.
  void read_transition() {
    const std::size_t source = references_.size();
    ticker_.poll();
    references_.emplace_back();
    bool has_source = false;
    json_.object([&](std::string_view key) {
      if (key == "source") {
        const RsmReference found = read_reference();
        references_[source] = found;
        has_source = true;
      } else if (key == "targets") {
        json_.list([&] { references_.push_back(read_reference()); });
      } else {
        skip(key);
      }
    });
    require(has_source);
    target_counts_.push_back(references_.size() - source - 1);
  }

  RsmReference read_reference() {
    std::optional<std::string_view> type, name, node, node_name, box_name;
    json_.object([&](std::string_view key) {
      if (key == "type") {
        type = json_.string();
      } else if (key == "name") {
        if (!json_.null()) name = json_.string();
      } else if (key == "node") {
        if (!json_.null()) node = json_.string();
      } else if (key == "node_name") {
        node_name = json_.string();
      } else if (key == "box_name") {
        box_name = json_.string();
      } else {
        skip(key);
      }
    });
    require(type.has_value());
    if (*type == "box_node") {
      require(node_name && box_name);
      return {.name = *node_name, .box = *box_name, .is_box_node = true};
    }
    require(*type == "node" && (name || node));
    return {.name = name ? *name : *node, .box = {}};
  }

  // The names of the component that was just read, which must be distinct.
  void index_component() {
    RawArrays& made = made_.arrays;
    scratch_.clear();
    const Id node = made.component_offsets.back();
    const Id box = made.box_offsets.back();
    made.component_offsets.push_back(size_of(nodes_));
    made.box_offsets.push_back(size_of(boxes_));
    node_tables_.push_back(index_names(tables_, nodes_, node));
    box_table_ = index_names(scratch_, boxes_, box);
    call_table_ = index_listed(calls_, made.call_offsets, box);
    return_table_ = index_listed(returns_, made.return_offsets, box);
  }

  RsmTables::Table index_names(RsmTables& tables, const RsmTexts& names, Id first) {
    const RsmTables::Table table = tables.make(names.size() - static_cast<std::size_t>(first));
    for (Id i = first; i < static_cast<Id>(names.size()); ++i) {
      ticker_.poll();
      const auto same = [&](Id other) { return names[other] == names[i]; };
      require(tables.find_or_add(table, hash_of(names[i]), i, same) == i);
    }
    return table;
  }

  // What boxes from the given one on list, by box and name. Of equal names the last one counts.
  RsmTables::Table index_listed(const RsmTexts& names, const std::vector<Id>& offsets, Id box) {
    const Id begin = offsets[box];
    assert(offsets.back() == static_cast<Id>(names.size()) && begin <= offsets.back());
    const RsmTables::Table table = scratch_.make(names.size() - static_cast<std::size_t>(begin));
    for (Id b = static_cast<Id>(offsets.size()) - 2; b >= box; --b) {
      for (Id i = offsets[b + 1] - 1; i >= offsets[b]; --i) {
        ticker_.poll();
        scratch_.find_or_add(table, hash_in(b, names[i]), i, [&](Id other) {
          return other >= offsets[b] && other < offsets[b + 1] && names[other] == names[i];
        });
      }
    }
    return table;
  }

  static std::uint32_t hash_in(Id box, std::string_view name) {
    return hash_of(name) ^ mixed(static_cast<std::uint64_t>(box));
  }

  Id find_node(Id component, std::string_view name) const {
    return tables_.find(node_tables_[component], hash_of(name), [&](Id other) { return nodes_[other] == name; });
  }

  // The number of a node, or ~k for the k-th listed call or return.
  Id resolve(const RsmReference& reference, RsmTables::Table listed, const RsmTexts& names,
             const std::vector<Id>& offsets) {
    const std::string_view name = reference.name;
    if (!reference.is_box_node) {
      const Id found = find_node(static_cast<Id>(node_tables_.size()) - 1, name);
      require(found != kNone);
      return found;
    }
    const Id box =
        scratch_.find(box_table_, hash_of(reference.box), [&](Id other) { return boxes_[other] == reference.box; });
    require(box != kNone);
    const Id found = scratch_.find(listed, hash_in(box, name), [&](Id other) {
      return other >= offsets[box] && other < offsets[box + 1] && names[other] == name;
    });
    require(found != kNone);
    return ~found;
  }

  void resolve_transitions() {
    RawArrays& made = made_.arrays;
    const RsmReference* at = references_.data();
    for (const std::size_t targets : target_counts_) {
      const RsmReference& from = *at++;
      assert(at + targets <= references_.data() + references_.size());
      if (targets == 0) continue;
      const Id source = resolve(from, return_table_, returns_, made.return_offsets);
      require(source < 0 || (made.node_flags[source] & kExitFlag) == 0);
      for (const RsmReference* const end = at + targets; at != end; ++at) {
        ticker_.poll();
        made.edge_sources.push_back(source);
        made.edge_targets.push_back(resolve(*at, call_table_, calls_, made.call_offsets));
      }
    }
  }

  void find_components() {
    scratch_.clear();
    component_table_ = index_names(scratch_, components_, 0);
  }

  Id find_component(std::string_view name) const {
    const Id found =
        scratch_.find(component_table_, hash_of(name), [&](Id other) { return components_[other] == name; });
    require(found != kNone);
    return found;
  }

  void link_boxes() {
    RawArrays& made = made_.arrays;
    const auto link = [&](Id callee, const RsmTexts& names, Id begin, Id end, std::uint8_t flag, std::vector<Id>& to) {
      for (Id i = begin; i < end; ++i) {
        const Id node = find_node(callee, names[i]);
        require(node != kNone && (made.node_flags[node] & flag) != 0);
        to.push_back(node);
      }
    };
    for (std::size_t b = 0; b < boxes_.size(); ++b) {
      ticker_.poll();
      const Id callee = find_component(callees_[b]);
      made.box_callee.push_back(callee);
      link(callee, calls_, made.call_offsets[b], made.call_offsets[b + 1], kEntryFlag, made.call_entries);
      link(callee, returns_, made.return_offsets[b], made.return_offsets[b + 1], kExitFlag, made.return_exits);
    }
  }

  // Listed calls are numbered after the nodes, listed returns after those.
  void number_box_nodes() {
    RawArrays& made = made_.arrays;
    const std::int64_t first_call = size_of(nodes_);
    const std::int64_t first_return = first_call + size_of(calls_);
    require(first_return + size_of(returns_) <= std::numeric_limits<Id>::max());
    assert(made.call_entries.size() == calls_.size() && made.return_exits.size() == returns_.size());
    for (Id& each : made.edge_sources) each = each >= 0 ? each : static_cast<Id>(first_return + ~each);
    for (Id& each : made.edge_targets) each = each >= 0 ? each : static_cast<Id>(first_call + ~each);
  }

  void find_starts() {
    const Id component = find_component(start_component_);
    for (const std::string_view name : starts_) {
      made_.initial.push_back(find_node(component, name));
      require(made_.initial.back() != kNone);
    }
  }

  // The nodes of each label, in their order.
  void collect_labels() {
    std::vector<Id>& offsets = made_.arrays.label_offsets;
    std::vector<Id>& nodes = made_.arrays.label_nodes;
    require(label_.size() < static_cast<std::size_t>(std::numeric_limits<Id>::max()));
    offsets.assign(static_cast<std::size_t>(labels_.size()) + 2, 0);
    for (const Id label : label_) ++offsets[label + 2];
    for (std::size_t i = 2; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    nodes.resize(label_.size());
    for (std::size_t i = 0; i < label_.size(); ++i) nodes[offsets[label_[i] + 1]++] = labelled_[i];
    offsets.pop_back();
    assert(offsets.back() == static_cast<Id>(nodes.size()));
    RsmTexts names;
    for (Id label = 0; label < labels_.size(); ++label) names.push_back(labels_[label]);
    made_.labels = JoinedTexts::of(names);
  }

  JsonReader json_;
  Ticker& ticker_;
  NamedArrays made_{.arrays = {.component_offsets = {0},
                               .node_flags = {},
                               .box_offsets = {0},
                               .box_callee = {},
                               .call_offsets = {0},
                               .call_entries = {},
                               .return_offsets = {0},
                               .return_exits = {},
                               .edge_sources = {},
                               .edge_targets = {},
                               .label_offsets = {},
                               .label_nodes = {}},
                    .initial = {},
                    .components = {},
                    .nodes = {},
                    .boxes = {},
                    .labels = {},
                    .other_keys = {},
                    .semantics = {},
                    .dead_ends = {}};
  std::string_view start_component_;
  RsmTexts starts_, components_, nodes_, boxes_;
  RsmTexts callees_, calls_, returns_; // of boxes, as they are listed
  NameTable labels_;
  std::vector<Id> label_, labelled_; // labels and the nodes that carry them, in the order of the file
  RsmTables tables_;                 // nodes of each component
  std::vector<RsmTables::Table> node_tables_;
  RsmTables scratch_; // of one component: boxes, and what they list. At the end: components
  RsmTables::Table box_table_{}, call_table_{}, return_table_{}, component_table_{};
  std::vector<RsmReference> references_; // of one component
  std::vector<std::size_t> target_counts_;
};

} // namespace

std::optional<NamedArrays> read_rsm_file(std::string_view text, Ticker& ticker) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<Id>::max())) return std::nullopt; // offsets are ids
  try {
    return RsmReader(text, ticker).read();
  } catch (const JsonReader::Unusual&) {
    return std::nullopt;
  }
}

} // namespace pigro::core
