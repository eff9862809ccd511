#pragma once

#include "app/serve/value.h"
#include "runtime/core/mapped_file.h"

#include <memory>

namespace et::serve {

/// Returns the content of a path, or a copy of the given bytes. Throws FileError, ValueError, TypeError.
[[nodiscard]] std::shared_ptr<const core::MappedFile> contents(Value& source);

}  // namespace et::serve
