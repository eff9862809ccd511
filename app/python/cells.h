#pragma once

#include "inspector/format/table.h"

#include <nanobind/nanobind.h>

#include <span>
#include <string>
#include <string_view>

namespace et::python {

/// Text that came from a file: bytes that are no UTF-8 become surrogates, as os.fsdecode() has it, so that
/// nothing raises and nothing is lost.
[[nodiscard]] nanobind::str text(std::string_view bytes);
/// text() of each.
[[nodiscard]] nanobind::typed<nanobind::list, nanobind::str> texts(std::span<const std::string> all);
/// Text for people: bytes that are no UTF-8 as `\\xNN`, so that every file and terminal takes it.
[[nodiscard]] nanobind::str printed(std::string_view bytes);
/// The bytes that text() made `text` of.
[[nodiscard]] std::string encodedText(nanobind::handle text);

/// A cell as Python's own value: None, bool, int, float, str, list or dict.
[[nodiscard]] nanobind::object value(const inspector::report::Cell& cell);

}  // namespace et::python
