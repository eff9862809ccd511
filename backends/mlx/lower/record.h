#pragma once

#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <memory>

namespace et::backends::mlx {

/// A record with one method that computes what the payload does, in operators of ATen and of MLX (mlx_node).
/// The arguments of a delegate call are its user inputs and outputs; mutable buffers are its buffers. The
/// node and value named "n7" compute node n7 of describe(). Borrows the payload and the named data. Errors:
/// those of readPayload(); NotFound (a constant without data), Unsupported (a node that cannot be computed;
/// both are named), Limit.
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> recordOf(
    const program::Delegate& delegate, const executor::NamedDataSource& namedData);

}  // namespace et::backends::mlx
