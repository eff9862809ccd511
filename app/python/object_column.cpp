#include "app/python/object_column.h"

#include "app/python/cells.h"

#include <cstdint>

namespace et::python {

namespace nb = nanobind;

ObjectColumn::ObjectColumn(std::size_t length)
    : held(nb::module_::import_("numpy").attr("empty")(length, "O")) {
    if (PyObject_GetBuffer(held.ptr(), &view, PyBUF_WRITABLE) != 0) {
        throw nb::python_error();
    }
}

ObjectColumn::~ObjectColumn() {
    PyBuffer_Release(&view);
}

nb::object SharedTexts::of(std::string_view bytes) {
    // Names of a trace are interned, so their address identifies them.
    const auto place = reinterpret_cast<std::uintptr_t>(bytes.data());
    Known& candidate = known[(place ^ (place >> 10U)) % known.size()];
    if (!candidate.text.is_valid() || candidate.bytes.data() != bytes.data() ||
        candidate.bytes.size() != bytes.size()) {
        candidate = {.bytes = bytes, .text = text(bytes)};
    }
    return candidate.text;
}

}  // namespace et::python
