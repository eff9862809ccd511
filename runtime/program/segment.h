#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/strong_id.h"

#include <cstdint>
#include <string_view>

namespace et::program {

/// Index of a segment in its file.
using SegmentId = core::StrongId<struct SegmentIdTag, std::uint32_t>;

/// Purpose for which a program refers to a segment.
enum class SegmentUse : std::uint8_t {
    Unused,
    Constants,     ///< constant tensors
    MutableState,  ///< initial values of mutable tensors
    Delegate,      ///< a delegate's payload
    NamedData      ///< a named blob, usually a delegate's weights
};

/// Display name: "constants", "mutable state", …
[[nodiscard]] std::string_view segmentUseName(SegmentUse use);

/// Bytes after the flatbuffer of a file.
struct Segment {
    std::uint64_t offset = 0;  ///< in the file, as used in error messages; 0 for an empty segment
    core::Bytes data;
    SegmentUse use = SegmentUse::Unused;  ///< the first use in the order above if a segment has several
};

/// A named blob for delegates (or external tensors).
struct NamedData {
    std::string_view key;
    SegmentId segment;
    core::Bytes data;
};

}  // namespace et::program
