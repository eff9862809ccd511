#pragma once

#include "runtime/executor/backend.h"

#include <span>

namespace et::backends {

/// Backends that run delegates in the tools: builtin(), and those whose payloads contain their whole graph,
/// which the reference operators compute. Static lifetime.
[[nodiscard]] std::span<const executor::Backend* const> runnable();

/// Whether a backend of runnable() only computes its payload, so that times are not those of the device.
[[nodiscard]] bool isInterpreted(const executor::Backend& backend);

/// Checks that such a backend can compute a payload; other backends always pass. Errors: Unsupported (an
/// operator that cannot be computed; it is named), as executor::Backend::load().
[[nodiscard]] core::Result<> checkComputable(const executor::Backend& backend,
                                             const program::Delegate& delegate,
                                             const executor::NamedDataSource& namedData);

}  // namespace et::backends
