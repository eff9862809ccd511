#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <optional>

namespace et::program {

/// The header of a program file with segments, at byte 8: magic `eh00`.
struct ExtendedHeader {
    std::uint32_t length = 0;       ///< bytes of the header; unknown trailing fields are ignored
    std::uint64_t programSize = 0;  ///< bytes of the flatbuffer, which starts at byte 0
    std::uint64_t segmentBase = 0;  ///< base of segment offsets, in bytes from the program's start
    std::uint64_t segmentDataSize =
        0;  ///< bytes of all segments including padding; 0 if not given (older files)
};

/// The header of a tensor data file, at byte 8: magic `FH01`.
struct TensorDataHeader {
    std::uint32_t length = 0;  ///< bytes of the header; unknown trailing fields are ignored
    std::uint64_t flatbufferOffset =
        0;  ///< start of the tables; the flatbuffer's offsets are relative to byte 0
    std::uint64_t flatbufferSize = 0;   ///< as written before the header was inserted
    std::uint64_t segmentBase = 0;      ///< end of the flatbuffer and base of segment offsets
    std::uint64_t segmentDataSize = 0;  ///< bytes of all segments including padding
};

/// Reads the header of a program; empty if there is no magic. `base` is the offset of `bytes` in the file,
/// for error messages. Errors: Format (truncated, or sizes beyond the file).
[[nodiscard]] core::Result<std::optional<ExtendedHeader>> readProgramHeader(core::Bytes bytes,
                                                                            std::uint64_t base);

/// Errors: Format (no magic, truncated, or sizes beyond the file).
[[nodiscard]] core::Result<TensorDataHeader> readTensorDataHeader(core::Bytes bytes);

}  // namespace et::program
