#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/strong_id.h"

#include <cstdint>
#include <string_view>

namespace et::program {

/// Position of a segment in its file.
using SegmentId = core::StrongId<struct SegmentIdTag, std::uint32_t>;

/// What a program refers to a segment for.
enum class SegmentUse : std::uint8_t {
    Unused,
    Constants,     ///< constant tensors
    MutableState,  ///< initial values of mutable tensors
    Delegate,      ///< a delegate's payload
    NamedData      ///< a blob by name, most often a delegate's weights
};

/// "constants", "mutable state", …, for people.
[[nodiscard]] std::string_view segmentUseName(SegmentUse use);

/// Bytes behind the flatbuffer of a file.
struct Segment {
    std::uint64_t offset = 0;  ///< in the file that errors speak of; 0 for an empty segment
    core::Bytes data;
    SegmentUse use = SegmentUse::Unused;  ///< the first use in the order above, where a segment has several
};

/// A blob that delegates (or external tensors) find by name.
struct NamedData {
    std::string_view key;
    SegmentId segment;
    core::Bytes data;
};

}  // namespace et::program
