#pragma once

#include "etdump/trace.h"
#include "runtime/core/mapped_file.h"

#include <expected>
#include <string>

namespace et::inspector {

/// The bytes of a logged tensor in the debug buffer; the reason as text where there are none.
[[nodiscard]] std::expected<core::Bytes, std::string> debugTensorBytes(const etdump::DebugTensor& tensor,
                                                                       const core::MappedFile& buffer);

}  // namespace et::inspector
