#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>

namespace et::backends::mps {

/// Locations of the sections in a payload, from its header. The oldest payloads have no header and store
/// constants in the flatbuffer.
struct PayloadParts {
    core::Bytes flatbuffer;
    std::uint64_t flatbufferAt = 0;
    core::Bytes constants;
};

/// Errors: Format.
[[nodiscard]] core::Result<PayloadParts> findParts(core::Bytes payload);

}  // namespace et::backends::mps
