#pragma once

#include "runtime/executor/delegate_traits.h"

namespace et::backends::xnnpack {

/// What the library's names of operators say ("Convolution (NHWC, F32) IGEMM #1"): type, layout and
/// datatypes, kernel, and a number where several have one name. Of all versions of the library.
[[nodiscard]] const executor::TraceTraits& traceTraits();

}  // namespace et::backends::xnnpack
