#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <string_view>

namespace et::backends {

/// The bytes [offset, offset + size) of a payload; `field`: the header field that refers to them. Errors:
/// Format (out of bounds).
[[nodiscard]] core::Result<core::Bytes> payloadPart(core::Bytes payload, std::uint64_t offset,
                                                    std::uint64_t size, std::string_view field);

}  // namespace et::backends
