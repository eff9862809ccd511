#pragma once

#include "app/python/errors.h"
#include "inspector/format/table.h"

#include <nanobind/nanobind.h>

#include <span>
#include <string>
#include <string_view>

namespace et::python {

/// Converts text from a file: invalid UTF-8 bytes become surrogates, as in os.fsdecode(), so the conversion
/// never raises and is lossless.
[[nodiscard]] nanobind::str text(std::string_view bytes);
/// text() of each.
[[nodiscard]] nanobind::typed<nanobind::list, nanobind::str> texts(std::span<const std::string> all);
/// Text for people: invalid UTF-8 bytes are escaped as `\\xNN`, so it can be written to every file and
/// terminal.
[[nodiscard]] nanobind::str printed(std::string_view bytes);
/// The inverse of text().
[[nodiscard]] std::string encodedText(nanobind::handle text);

/// Returns a list with `describe(item)` for each item.
template <class Items, class Describe>
[[nodiscard]] nanobind::list pythonList(const Items& items, Describe describe) {
    nanobind::list out;
    for (const auto& item : items) {
        out.append(describe(item));
    }
    return out;
}

/// Returns a binding of a function that returns a text; it runs with the GIL released.
template <class T, class... Arguments>
[[nodiscard]] auto textBinding(std::string (T::*function)(Arguments...) const) {
    return [function](const T& self, Arguments... arguments) {
        return text(withoutGil([&] { return (self.*function)(arguments...); }));
    };
}
template <class T, class... Arguments>
[[nodiscard]] auto textBinding(std::string (*function)(const T&, Arguments...)) {
    return [function](const T& self, Arguments... arguments) {
        return text(withoutGil([&] { return function(self, arguments...); }));
    };
}

/// Converts a cell to a Python value: None, bool, int, float, str, list or dict.
[[nodiscard]] nanobind::object value(const inspector::format::Cell& cell);

}  // namespace et::python
