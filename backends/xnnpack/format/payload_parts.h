#pragma once

#include "backends/payload_bytes.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <string_view>

namespace et::backends::xnnpack {

/// Sections of a payload.
struct PayloadParts {
    core::Bytes flatbuffer;
    std::uint64_t flatbufferAt = 0;
    core::Bytes constants;
};

/// Finds the sections by the header. The oldest payloads have none: they are a flatbuffer that contains
/// everything. Errors: Format.
[[nodiscard]] core::Result<PayloadParts> findParts(core::Bytes bytes);

/// The identifier of a flatbuffer. It changed once, but the tables were only extended.
[[nodiscard]] std::string_view identifierOf(core::Bytes flatbuffer);

/// Adds the header and the flatbuffer of a payload that readPayload() accepts. Errors: Format.
[[nodiscard]] core::Result<> addDescribed(core::Bytes bytes, ByteCoverage& described);

}  // namespace et::backends::xnnpack
