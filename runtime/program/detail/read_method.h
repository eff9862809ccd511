#pragma once

#include "runtime/core/flat_view.h"
#include "runtime/core/result.h"
#include "runtime/program/detail/tensor_source.h"
#include "runtime/program/method.h"
#include "runtime/program/segment.h"

#include <vector>

namespace et::program::schema {
struct Program;
}

namespace et::program::detail {

/// Reads all methods of a program; marks the segments that contain delegate payloads. Errors: Format,
/// Unsupported, Limit (more planned memory than a process can have).
[[nodiscard]] core::Result<std::vector<Method>> readMethods(core::FlatView& view,
                                                            const schema::Program& program,
                                                            const TensorSource& tensors,
                                                            std::vector<Segment>& segments);

}  // namespace et::program::detail
