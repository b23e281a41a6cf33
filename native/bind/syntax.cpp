// The Python face of SMV texts: tokens, and expressions made of them.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind/shared.hpp"
#include "core/smv/grammar.hpp"

namespace pigro::bind {

namespace {

using namespace nb::literals;
using core::Id;
using core::kNone;
using core::smv::Grammar;
using core::smv::Mistake;
using core::smv::SyntaxNode;
using core::smv::Tokens;
using core::smv::Vocabulary;
using core::smv::WordRules;

std::vector<std::string> words_with(const Vocabulary& self, bool WordRules::* flag) {
  std::vector<std::string> found;
  for (std::size_t word = 0; word < self.words.size(); ++word) {
    if (self.rules[word].*flag) found.push_back(self.words[word]);
  }
  return found;
}

std::map<std::string, std::string> closing(const Vocabulary& self) {
  std::map<std::string, std::string> found;
  for (std::size_t word = 0; word < self.words.size(); ++word) {
    if (self.rules[word].closing != kNone) found[self.words[word]] = self.words[self.rules[word].closing];
  }
  return found;
}

// A text that is read. Python has each word as one string.
struct BoundTokens {
  BoundTokens(nb::str of, const Vocabulary& vocabulary) : text(std::move(of)), grammar(vocabulary, tokens) {
    const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr()));
    if (size > kLargest) throw nb::value_error("the text is too large");
    const void* const data = PyUnicode_DATA(text.ptr());
    const auto read = [&](const auto* letters) { core::smv::tokenize(letters, size, vocabulary.words, tokens); };
    switch (PyUnicode_KIND(text.ptr())) {
      case PyUnicode_1BYTE_KIND:
        read(static_cast<const std::uint8_t*>(data));
        break;
      case PyUnicode_2BYTE_KIND:
        read(static_cast<const std::uint16_t*>(data));
        break;
      default:
        read(static_cast<const std::uint32_t*>(data));
    }
    strings.resize(tokens.kinds.size());
    for (std::size_t word = 0; word < strings.size(); ++word) {
      const Id first = tokens.first[word];
      if (word < vocabulary.words.size()) {
        strings[word] = nb::str(vocabulary.words[word].c_str());
      } else {
        const Py_ssize_t begin = tokens.begins[first];
        strings[word] = nb::steal(PyUnicode_Substring(text.ptr(), begin, begin + tokens.lengths[word]));
      }
    }
  }
  BoundTokens(const BoundTokens&) = delete;
  BoundTokens& operator=(const BoundTokens&) = delete;

  static constexpr std::size_t kLargest = std::size_t{1} << 30U;
  nb::str text;
  Tokens tokens;
  Grammar grammar;
  std::vector<nb::object> strings;
  std::vector<Py_ssize_t> line_ends; // found when they are asked for
};

nb::list listed(const BoundTokens& self) {
  const std::vector<Id>& words = self.tokens.words;
  nb::list found = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(words.size())));
  for (std::size_t i = 0; i < words.size(); ++i) {
    PyList_SET_ITEM(found.ptr(), static_cast<Py_ssize_t>(i), self.strings[words[i]].inc_ref().ptr());
  }
  return found;
}

void check_place(const BoundTokens& self, Id place) {
  if (place < 0 || static_cast<std::size_t>(place) >= self.tokens.words.size()) throw nb::index_error("no such token");
}

// Where a token begins, and its length. Of the end, the place after the last token.
std::tuple<Id, Id> span_of(const BoundTokens& self, Id place) {
  check_place(self, place);
  const Id word = self.tokens.words[place];
  return {self.tokens.begins[place], word == core::smv::kEnd ? 1 : self.tokens.lengths[word]};
}

// The line of a range of tokens, where it begins and where it ends.
std::tuple<Py_ssize_t, Id, Id> extent_of(BoundTokens& self, Id begin, Id end) {
  check_place(self, begin);
  check_place(self, end - 1);
  if (self.line_ends.empty()) {
    Py_ssize_t at = -1;
    const Py_ssize_t size = PyUnicode_GET_LENGTH(self.text.ptr());
    while ((at = PyUnicode_FindChar(self.text.ptr(), '\n', at + 1, size, 1)) >= 0) self.line_ends.push_back(at);
    self.line_ends.push_back(size);
  }
  const auto [start, width] = span_of(self, begin);
  const auto [last, last_width] = span_of(self, end - 1);
  const auto line = std::ranges::lower_bound(self.line_ends, static_cast<Py_ssize_t>(start));
  return {line - self.line_ends.begin() + 1, start, last + last_width};
}

// New nodes as four lists.
class Columns {
 public:
  Columns(const BoundTokens& of, Py_ssize_t begin, const std::vector<nb::object>& bits)
      : of_(of), begin_(begin), bits_(bits) {}

  void append(nb::list& ops, nb::list& args, nb::list& at, nb::list& first) {
    const std::vector<SyntaxNode>& nodes = of_.grammar.nodes;
    extend(ops, [&](std::size_t i) { return PyLong_FromLong(nodes[i].op); });
    extend(args, [&](std::size_t i) { return argument(nodes[i]); });
    extend(at, [&](std::size_t i) { return PyLong_FromLong(nodes[i].at); });
    extend(first, [&](std::size_t i) { return PyLong_FromSsize_t(begin_ + nodes[i].first); });
  }

 private:
  template <typename Make>
  void extend(nb::list& list, const Make& make) const {
    const auto size = static_cast<Py_ssize_t>(of_.grammar.nodes.size());
    const nb::object more = nb::steal(PyList_New(size));
    for (Py_ssize_t i = 0; i < size; ++i) {
      PyObject* const made = make(static_cast<std::size_t>(i));
      if (made == nullptr) nb::raise_python_error();
      PyList_SET_ITEM(more.ptr(), i, made);
    }
    const Py_ssize_t end = PyList_GET_SIZE(list.ptr());
    if (PyList_SetSlice(list.ptr(), end, end, more.ptr()) != 0) nb::raise_python_error();
  }

  PyObject* argument(const SyntaxNode& node) {
    switch (node.leaf) {
      case SyntaxNode::Leaf::word:
        return nb::object(of_.strings[static_cast<std::size_t>(node.value)]).release().ptr();
      case SyntaxNode::Leaf::number:
        return PyLong_FromLongLong(node.value);
      case SyntaxNode::Leaf::truth:
        return PyBool_FromLong(static_cast<long>(node.value));
      case SyntaxNode::Leaf::bits:
        return nb::object(bits_[next_++]).release().ptr();
      case SyntaxNode::Leaf::none:
        break;
    }
    PyObject* const made = PyTuple_New(node.count);
    if (made == nullptr) return made;
    Id child = node.last;
    for (Py_ssize_t i = node.count; i-- > 0; child = of_.grammar.nodes[child].before) {
      PyTuple_SET_ITEM(made, i, PyLong_FromSsize_t(begin_ + child));
    }
    return made;
  }

  const BoundTokens& of_;
  const Py_ssize_t begin_;
  const std::vector<nb::object>& bits_;
  std::size_t next_ = 0;
};

std::tuple<Py_ssize_t, Id> read_expression(BoundTokens& self, Id place, nb::list& ops, nb::list& args, nb::list& at,
                                           nb::list& first, const nb::callable& bits, bool chains, bool grouped,
                                           bool in_type) {
  check_place(self, place);
  std::vector<nb::object> constants;
  self.grammar.on_bits = [&](Id found) { constants.push_back(bits(self.strings[self.tokens.words[found]], found)); };
  const Id end = self.grammar.read(place, {.chains = chains, .grouped = grouped, .in_type = in_type});
  Columns(self, PyList_GET_SIZE(ops.ptr()), constants).append(ops, args, at, first);
  return {PyList_GET_SIZE(ops.ptr()) - 1, end};
}

// Reads an expression, and more of them as long as the section that it stands in comes again without a name. A `;` may
// stand after each but the last. Roots, with the tokens where each begins and ends.
std::vector<std::tuple<Py_ssize_t, Id, Id>> read_sections(BoundTokens& self, Id place, nb::list& ops, nb::list& args,
                                                          nb::list& at, nb::list& first, const nb::callable& bits,
                                                          Id name, Id separator) {
  check_place(self, place);
  if (place == 0) throw nb::index_error("no section");
  const std::vector<Id>& words = self.tokens.words;
  const Id section = words[place - 1];
  std::vector<std::tuple<Py_ssize_t, Id, Id>> found;
  while (true) {
    const auto [root, end] = read_expression(self, place, ops, args, at, first, bits, false, true, false);
    found.emplace_back(root, place, end);
    const Id next = end + (words[end] == separator ? 1 : 0);
    if (words[next] != section || words[next + 1] == name) return found;
    place = next + 1;
  }
}

const char* word_of(Mistake::Kind kind) {
  constexpr const char* kWords[] = {"expression", "name",     "sign",   "steps",     "no_step", "far_step", "refused",
                                    "unfinished", "grouping", "joined", "arguments", "number",  "missing",  "real"};
  return kWords[static_cast<std::size_t>(kind)];
}

} // namespace

void bind_syntax(nb::module_& m) {
  static nb::exception<Mistake> mistake(m, "SyntaxMistake");
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Mistake& e) {
      const nb::object args = nb::make_tuple(word_of(e.kind), e.place, e.other, e.word, e.low, e.high);
      PyErr_SetObject(mistake.ptr(), args.ptr());
    }
  });
  nb::class_<Vocabulary>(m, "Vocabulary", "The words of SMV, and how operators bind.")
      .def(nb::init<std::vector<std::string>, std::vector<std::string>, std::int64_t, bool>(), "foreign"_a, "missing"_a,
           "steps"_a, "modal"_a)
      .def_ro("words", &Vocabulary::words, "All words. The first is the end.")
      .def("reserved", [](const Vocabulary& self) { return words_with(self, &WordRules::is_reserved); })
      .def("sections", [](const Vocabulary& self) { return words_with(self, &WordRules::is_section); })
      .def("closing", &closing, "Each opening bracket, or word, with the closing one.");
  nb::class_<BoundTokens>(m, "Tokens", "The tokens of a text.")
      .def(nb::init<nb::str, const Vocabulary&>(), "text"_a, "vocabulary"_a, nb::keep_alive<1, 3>())
      .def("listed", &listed, "All tokens, ended by an empty one.", nb::sig("def listed(self) -> list[str]"))
      .def("span", &span_of, "token"_a, "Where a token begins, and its length.")
      .def("extent", &extent_of, "begin"_a, "end"_a, "The line of a range of tokens, its begin and end in the text.")
      .def("expression", &read_expression, "token"_a, "ops"_a, "args"_a, "at"_a, "first"_a, "bits"_a, "chains"_a,
           "grouped"_a, "in_type"_a,
           "Reads an expression and adds its nodes. Returns its root, and the token after it. Raises SyntaxMistake if "
           "it is not an expression.",
           nb::sig("def expression(self, token: int, ops: list[int], args: list[object], at: list[int], "
                   "first: list[int], bits: collections.abc.Callable[[str, int], tuple[int, int]], chains: bool, "
                   "grouped: bool, in_type: bool) -> tuple[int, int]"))
      .def("sections", &read_sections, "token"_a, "ops"_a, "args"_a, "at"_a, "first"_a, "bits"_a, "name"_a,
           "separator"_a,
           "Reads the formula of a section, and those of the same sections after it. Returns roots, first and last "
           "tokens.",
           nb::sig("def sections(self, token: int, ops: list[int], args: list[object], at: list[int], "
                   "first: list[int], bits: collections.abc.Callable[[str, int], tuple[int, int]], name: int, "
                   "separator: int) -> list[tuple[int, int, int]]"));
}

} // namespace pigro::bind
