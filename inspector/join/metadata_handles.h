#pragma once

#include "etrecord/record.h"
#include "runtime/core/mapped_file.h"

#include <optional>
#include <vector>

namespace et::inspector::join::detail {

/// Returns the debug handles in delegate metadata: et-inspect's own delegates write JSON with
/// "debug_handles". Returns nothing if there are none, since metadata can be arbitrary bytes.
[[nodiscard]] std::optional<std::vector<core::DebugHandle>> metadataHandles(core::Bytes metadata);

}  // namespace et::inspector::join::detail
