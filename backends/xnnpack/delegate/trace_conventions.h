#pragma once

#include "runtime/executor/delegate_description.h"

namespace et::backends::xnnpack {

/// Parses the library's operator names ("Convolution (NHWC, F32) IGEMM #1"): type, layout and datatypes,
/// kernel, and a number if several have the same name. For all versions of the library.
[[nodiscard]] const executor::TraceConventions& traceConventions();

}  // namespace et::backends::xnnpack
