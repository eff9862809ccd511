#pragma once

#include "runtime/core/mapped_file.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace et::python {

/// Returns the content of a path, or a copy of the given bytes. Raises FileError.
[[nodiscard]] std::shared_ptr<const core::MappedFile> contents(const nanobind::object& source);

}  // namespace et::python
