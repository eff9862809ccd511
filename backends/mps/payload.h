#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>

namespace et::backends::mps {

/// Where the parts of a payload lie in it. Its header says so; the oldest payloads have none, and their
/// constants are inside of the flatbuffer.
struct PayloadParts {
    core::Bytes flatbuffer;
    std::uint64_t flatbufferAt = 0;
    core::Bytes constants;
};

/// Errors: Format.
[[nodiscard]] core::Result<PayloadParts> findParts(core::Bytes payload);

}  // namespace et::backends::mps
