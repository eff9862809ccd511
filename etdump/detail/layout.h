#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>

namespace et::etdump::detail {

/// Position of an ETDump's flatbuffer in its file.
struct Layout {
    core::Bytes bytes;            ///< from the first byte of the file; all that offsets may reference
    std::uint32_t rootField = 0;  ///< position of the root's offset: 4 after a size prefix, else 0
};

/// Finds the flatbuffer: after a u32 size prefix (identifier at byte 8), or plain (identifier at byte 4).
/// Bytes after a prefixed flatbuffer are ignored; a device that saves its whole buffer writes some. Errors:
/// Format (empty, cut short, no ETDump), Limit (2 GiB or more, which no flatbuffer can address).
[[nodiscard]] core::Result<Layout> locate(core::Bytes file);

}  // namespace et::etdump::detail
