#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>

namespace et::etdump::detail {

/// Where the flatbuffer of an ETDump lies in its file.
struct Layout {
    core::Bytes bytes;            ///< all that offsets may reach, from the file's first byte on
    std::uint32_t rootField = 0;  ///< position of the root's offset: 4 behind a size prefix, else 0
};

/// Finds the flatbuffer: behind a u32 size prefix (identifier at byte 8), or plain (identifier at byte 4).
/// Bytes behind a prefixed flatbuffer are no part of it; a device that saves its whole buffer leaves some.
/// Errors: Format (empty, cut short, no ETDump), Limit (2 GiB or more, which no flatbuffer can address).
[[nodiscard]] core::Result<Layout> locate(core::Bytes file);

}  // namespace et::etdump::detail
