#pragma once

#include "backends/tosa/payload.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <memory>

namespace et::backends::tosa {

/// A record with one method that computes what the payload does, in operators of ATen. Integers are computed
/// exactly, RESCALE in 64 bits as the specification has it. The node and value named "n7" compute node n7 of
/// describe(). Borrows the payload. Errors: those of readPayload(); Unsupported (an operator, a datatype or a
/// variable that cannot be computed; it is named).
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> recordOf(
    const program::Delegate& delegate, const executor::NamedDataSource& namedData);
/// The same for the first block of a payload, which is borrowed.
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> recordOf(const Payload& payload);

}  // namespace et::backends::tosa
