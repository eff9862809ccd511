#pragma once

#include "etrecord/record.h"
#include "runtime/core/mapped_file.h"

#include <optional>
#include <vector>

namespace et::inspector::detail {

/// The debug handles that delegate metadata name: those of et-inspect's own delegates are JSON with
/// "debug_handles". Nothing where they name none: metadata are bytes of any kind.
[[nodiscard]] std::optional<std::vector<core::DebugHandle>> metadataHandles(core::Bytes metadata);

}  // namespace et::inspector::detail
