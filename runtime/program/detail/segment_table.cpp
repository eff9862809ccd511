#include "runtime/program/detail/segment_table.h"

#include <fmt/format.h>

namespace et::program::detail {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

Result<Segment> resolveSegment(const SegmentSpace& space, std::uint64_t offset, std::uint64_t size,
                               const FlatView& view, const FieldPath& path, const void* place) {
    if (size == 0) {
        return Segment{};
    }
    if (!space.hasBase) {
        return view.fail(
            ErrorCode::Format, path, place,
            fmt::format("expected a header with the segment offset, got {} bytes at {} without one", size,
                        offset));
    }
    const std::uint64_t room = space.artifact.size() - space.base;
    if (offset > room || size > room - offset) {
        return view.fail(
            ErrorCode::Format, path, place,
            fmt::format("expected a segment within the {} bytes of segment data, got {} bytes at {}", room,
                        size, offset));
    }
    const std::uint64_t first = space.base + offset;
    return Segment{
        .offset = space.start + first,
        .data = space.artifact.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size)),
        .use = SegmentUse::Unused};
}

Result<SegmentId> useSegment(std::vector<Segment>& segments, std::uint32_t index, SegmentUse use,
                             const FlatView& view, const FieldPath& path, const void* place) {
    if (index >= segments.size()) {
        return view.fail(ErrorCode::Format, path, place,
                         fmt::format("expected one of {} segments, got {}", segments.size(), index));
    }
    if (segments[index].use == SegmentUse::Unused) {
        segments[index].use = use;
    }
    return SegmentId(index);
}

}  // namespace et::program::detail
