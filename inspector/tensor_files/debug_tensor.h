#pragma once

#include "etdump/trace.h"
#include "runtime/core/mapped_file.h"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace et::inspector {

/// The bytes of a logged tensor in the debug buffer, or the reason why there are none.
[[nodiscard]] std::expected<core::Bytes, std::string> debugTensorBytes(const etdump::DebugTensor& tensor,
                                                                       const core::MappedFile& buffer);

/// Dimensions from outermost to innermost in memory, derived from the strides.
[[nodiscard]] std::vector<std::uint8_t> dimOrderOf(const etdump::DebugTensor& tensor);

}  // namespace et::inspector
