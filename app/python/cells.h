#pragma once

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

/// Converts a cell to a Python value: None, bool, int, float, str, list or dict.
[[nodiscard]] nanobind::object value(const inspector::format::Cell& cell);

}  // namespace et::python
