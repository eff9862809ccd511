#pragma once

#include "backends/stored_constants.h"

namespace et::backends::xnnpack {

/// backends::storedConstants() for an XNNPACK payload.
[[nodiscard]] std::vector<StoredConstant> storedConstants(core::Bytes payload,
                                                          const executor::NamedDataSource& namedData);

}  // namespace et::backends::xnnpack
