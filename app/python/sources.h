#pragma once

#include "runtime/core/mapped_file.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace et::python {

/// What a path names, or the bytes themselves, which are copied. Raises FileError.
[[nodiscard]] std::shared_ptr<const core::MappedFile> contents(const nanobind::object& source);

}  // namespace et::python
