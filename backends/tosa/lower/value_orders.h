#pragma once

#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <vector>

namespace et::backends::tosa {

/// The values inside a delegate, with the order of their dimensions: compilers move the channels of images to
/// the end by TRANSPOSE, and move them back. Errors: those of readPayload().
[[nodiscard]] core::Result<std::vector<executor::InnerValue>> innerValues(const program::Delegate& delegate);

}  // namespace et::backends::tosa
