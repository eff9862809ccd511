#pragma once

#include "backends/stored_constants.h"

namespace et::backends::tosa {

/// backends::storedConstants() for a TOSA payload: constants of the delegate's block, without those of bodies
/// of control flow.
[[nodiscard]] std::vector<StoredConstant> storedConstants(core::Bytes payload);

}  // namespace et::backends::tosa
