#pragma once

#include "runtime/core/flat_view.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/segment.h"

#include <cstdint>
#include <vector>

namespace et::program::detail {

/// Base of segment offsets in the bytes of an artifact.
struct SegmentSpace {
    core::Bytes artifact;     ///< the whole program or tensor data
    std::uint64_t start = 0;  ///< offset of `artifact` in the file, for error messages
    bool hasBase = false;     ///< false if there is no header: only empty segments are valid
    std::uint64_t base = 0;   ///< within `artifact`, at most its size
};

/// Resolves a segment of either format to bytes. Errors: Format (outside the file, no header).
[[nodiscard]] core::Result<Segment> resolveSegment(const SegmentSpace& space, std::uint64_t offset,
                                                   std::uint64_t size, const core::FlatView& view,
                                                   const core::FieldPath& path, const void* place);

/// Reads all segments of `tables`, whose rows have offset() and size().
template <class Table>
[[nodiscard]] core::Result<std::vector<Segment>> readSegments(
    core::FlatView& view, const SegmentSpace& space,
    const flatbuffers::Vector<flatbuffers::Offset<Table>>* tables) {
    const core::FieldPath root;
    const core::FieldPath path = root.field("segments");
    return view.map(tables, path, [&](const Table* row, const core::FieldPath& at) {
        return resolveSegment(space, row->offset(), row->size(), view, at, row);
    });
}

/// Returns the id for an index into `segments` and records its use. Errors: Format (out of range).
[[nodiscard]] core::Result<SegmentId> useSegment(std::vector<Segment>& segments, std::uint32_t index,
                                                 SegmentUse use, const core::FlatView& view,
                                                 const core::FieldPath& path, const void* place);

}  // namespace et::program::detail
