#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <optional>

namespace et::program {

/// The header of a program file with segments, at byte 8: magic `eh00`.
struct ExtendedHeader {
    std::uint32_t length = 0;       ///< bytes of the header; more than we know are ignored
    std::uint64_t programSize = 0;  ///< bytes of the flatbuffer, which starts at byte 0
    std::uint64_t segmentBase = 0;  ///< where segment offsets count from, in bytes from the program's start
    std::uint64_t segmentDataSize =
        0;  ///< bytes of all segments with their padding; 0: not said (older files)
};

/// The header of a tensor data file, at byte 8: magic `FH01`.
struct TensorDataHeader {
    std::uint32_t length = 0;  ///< bytes of the header; more than we know are ignored
    std::uint64_t flatbufferOffset =
        0;                             ///< where the tables start; the flatbuffer's offsets count from byte 0
    std::uint64_t flatbufferSize = 0;  ///< as the writer had it, before it put the header in
    std::uint64_t segmentBase = 0;     ///< where the flatbuffer ends and segment offsets count from
    std::uint64_t segmentDataSize = 0;  ///< bytes of all segments with their padding
};

/// The header of a program, nothing where there is no magic. `base` is the offset of `bytes` in the file that
/// errors speak of. Errors: Format (cut short, or it claims more than the file has).
[[nodiscard]] core::Result<std::optional<ExtendedHeader>> readProgramHeader(core::Bytes bytes,
                                                                            std::uint64_t base);

/// Errors: Format (no magic, cut short, or it claims more than the file has).
[[nodiscard]] core::Result<TensorDataHeader> readTensorDataHeader(core::Bytes bytes);

}  // namespace et::program
