#pragma once

#include "etdump/trace.h"
#include "runtime/core/mapped_file.h"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace et::inspector {

/// The bytes of a logged tensor in the debug buffer; the reason as text where there are none.
[[nodiscard]] std::expected<core::Bytes, std::string> debugTensorBytes(const etdump::DebugTensor& tensor,
                                                                       const core::MappedFile& buffer);

/// Its dimensions from outermost to innermost in memory, as its strides say.
[[nodiscard]] std::vector<std::uint8_t> dimOrderOf(const etdump::DebugTensor& tensor);

}  // namespace et::inspector
