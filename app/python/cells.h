#pragma once

#include "inspector/format/table.h"

#include <nanobind/nanobind.h>

#include <string_view>

namespace et::python {

/// Text that came from a file: bytes that are no UTF-8 become surrogates, as os.fsdecode() has it, so that
/// nothing raises and nothing is lost.
[[nodiscard]] nanobind::object text(std::string_view bytes);

/// A cell as Python's own value: None, bool, int, float, str, list or dict.
[[nodiscard]] nanobind::object value(const inspector::report::Cell& cell);

}  // namespace et::python
