// Texts, and files that are read without an object for each node.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/file_model.hpp"
#include "core/model/rsm_file.hpp"

using namespace nanobind::literals;
using namespace pigro::core;

namespace pigro::bind {

namespace {

// A lone surrogate is a character here, as in Python. Files are checked before.
nb::str decoded(std::string_view utf8) {
  PyObject* made = PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass");
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(made);
}

nb::bytes id_bytes(const std::vector<Id>& values) {
  return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Id));
}

nb::typed<nb::list, nb::str> decode_all(const HeldTexts& held) {
  nb::list made;
  for (std::size_t i = 0; i < held.texts.size(); ++i) made.append(decoded(held.texts[i]));
  return made;
}

void bind_texts(nb::module_& m) {
  nb::class_<HeldTexts>(m, "Texts", "Many short texts in one string of UTF-8.")
      .def(nb::init<const Ids&, const nb::bytes&, const std::optional<Ids>&>(), "offsets"_a, "text"_a,
           "order"_a = nb::none(),
           nb::sig("def __init__(self, offsets: memoryview, text: bytes, order: memoryview | None = None) -> None"))
      .def("__len__", [](const HeldTexts& held) { return held.texts.size(); })
      .def(
          "__getitem__",
          [](const HeldTexts& held, std::size_t index) {
            if (index >= held.texts.size()) throw nb::index_error("no such text");
            return decoded(held.texts[index]);
          },
          "index"_a)
      .def("tolist", &decode_all, "All of them, decoded.")
      .def(
          "find",
          [](const HeldTexts& held, const nb::bytes& text) { return held.texts.find({text.c_str(), text.size()}); },
          "text"_a, "The number of a text, -1 if there is none. Without an order, all are looked at.")
      .def_prop_ro("has_order", [](const HeldTexts& held) { return held.texts.has_order(); })
      .def_prop_ro("text", &HeldTexts::text)
      .def_prop_ro("offsets", [](const HeldTexts& held) { return id_bytes(held.texts.offsets()); })
      .def_prop_ro("order", [](const HeldTexts& held) { return id_bytes(held.texts.order()); });
}

std::optional<FileModel> read_rsm(const nb::bytes& data, std::optional<Semantics> semantics, const Tick& tick) {
  std::optional<NamedArrays> file;
  std::unique_ptr<SharedModel> model;
  {
    const WithoutLock unlocked;
    Ticker watched(ticker(unlocked, tick));
    file = read_rsm_file({data.c_str(), data.size()}, watched);
    if (!file) return std::nullopt;
    try {
      const Semantics said = file->semantics == "rsmcheck" ? Semantics::rsmcheck : Semantics::standard;
      model = std::make_unique<SharedModel>(raw_of(file->arrays), semantics.value_or(said), watched);
    } catch (const ModelFault&) {
      return std::nullopt;
    }
  }
  return FileModel(std::move(model), std::move(*file));
}

} // namespace

void bind_reading(nb::module_& m) {
  bind_texts(m);
  nb::class_<FileModel>(m, "FileModel", "A model with its names, as a file has them.")
      .def_ro("core", &FileModel::core, nb::sig("def core(self) -> Model"))
      .def_ro("initial", &FileModel::initial, "Declared nodes.")
      .def_ro("components", &FileModel::components)
      .def_ro("nodes", &FileModel::nodes)
      .def_ro("boxes", &FileModel::boxes)
      .def_ro("labels", &FileModel::labels)
      .def_ro("other_keys", &FileModel::other_keys, "Some keys that the reader does not know, each once.")
      .def_ro("semantics", &FileModel::semantics, "What the file says. Empty if it says nothing.")
      .def_ro("dead_ends", &FileModel::dead_ends, "As `semantics`.");
  m.def(
      "read_rsm", &read_rsm, "data"_a, "semantics"_a.none(), "tick"_a = nb::none(),
      "The model in an .rsm file, whose bytes are valid UTF-8, or None if it is wrong or unusual. Without `semantics` "
      "it is read in the one that the file says. `tick(bytes)` may raise to stop.",
      nb::sig("def read_rsm(data: bytes, semantics: Semantics | None, "
              "tick: collections.abc.Callable[[int], None] | None = None) -> FileModel | None"));
}

} // namespace pigro::bind
