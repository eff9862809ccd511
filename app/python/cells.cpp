#include "app/python/cells.h"

#include <nanobind/stl/vector.h>

#include <type_traits>

namespace et::python {

namespace nb = nanobind;

namespace {

nb::str decoded(std::string_view bytes, const char* errors) {
    PyObject* const text = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), errors);
    if (text == nullptr) {
        throw nb::python_error();
    }
    return nb::steal<nb::str>(text);
}

nb::object dictionary(const inspector::format::Dict& entries) {
    nb::dict out;
    for (const auto& [key, cell] : entries) {
        out[text(key)] = value(cell);
    }
    return out;
}

nb::object list(const inspector::format::List& cells) {
    return pythonList(cells, [](const inspector::format::Cell& cell) { return value(cell); });
}

}  // namespace

nb::str text(std::string_view bytes) {
    return decoded(bytes, "surrogateescape");
}

nb::typed<nb::list, nb::str> texts(std::span<const std::string> all) {
    nb::typed<nb::list, nb::str> out;
    for (const std::string& each : all) {
        out.append(text(each));
    }
    return out;
}

nb::str printed(std::string_view bytes) {
    return decoded(bytes, "backslashreplace");
}

std::string encodedText(nb::handle text) {
    PyObject* const encoded = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
    if (encoded == nullptr) {
        throw nb::python_error();
    }
    const auto held = nb::steal<nb::bytes>(encoded);
    return {held.c_str(), held.size()};
}

nb::object value(const inspector::format::Cell& cell) {
    return std::visit(
        [](const auto& held) -> nb::object {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return nb::none();
            } else if constexpr (std::is_same_v<Held, std::string>) {
                return text(held);
            } else if constexpr (std::is_same_v<Held, inspector::format::List>) {
                return list(held);
            } else if constexpr (std::is_same_v<Held, inspector::format::Dict>) {
                return dictionary(held);
            } else {
                return nb::cast(held);
            }
        },
        static_cast<const inspector::format::Cell::variant&>(cell));
}

}  // namespace et::python
