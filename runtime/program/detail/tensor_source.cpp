#include "runtime/program/detail/tensor_source.h"

#include "runtime/program/detail/segment_table.h"
#include "runtime/program/schema/program_generated.h"

#include <fmt/format.h>

namespace et::program::detail {

using core::Bytes;
using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

namespace {

Result<OffsetTable> readOffsets(FlatView& view, const schema::SubsegmentOffsets* row, SegmentUse use,
                                std::vector<Segment>& segments, const FieldPath& path) {
    OffsetTable table;
    if (row == nullptr || row->offsets() == nullptr || row->offsets()->size() == 0) {
        return table;  // no tensors: the segment index is meaningless
    }
    const FieldPath indexPath = path.field("segment_index");
    ET_ASSIGN(const SegmentId segment, useSegment(segments, row->segment_index(), use, view, indexPath, row));
    table.segment = segments[segment.value].data;
    const FieldPath offsetsPath = path.field("offsets");
    ET_ASSIGN(table.offsets, view.copy<std::uint64_t>(row->offsets(), offsetsPath));
    for (std::size_t i = 0; i < table.offsets.size(); ++i) {
        if (table.offsets[i] > table.segment.size()) {
            const FieldPath at = offsetsPath.at(i);
            return view.fail(ErrorCode::Format, at, row->offsets(),
                             fmt::format("expected an offset into the segment's {} bytes, got {}",
                                         table.segment.size(), table.offsets[i]));
        }
    }
    return table;
}

Result<Bytes> pick(const OffsetTable& table, std::uint32_t index, const FlatView& view, const FieldPath& path,
                   const void* place) {
    if (index >= table.offsets.size()) {
        return view.fail(
            ErrorCode::Format, path, place,
            fmt::format("expected one of {} tensors with data, got {}", table.offsets.size(), index));
    }
    return table.segment.subspan(static_cast<std::size_t>(table.offsets[index]));
}

}  // namespace

Result<TensorSource> TensorSource::read(FlatView& view, const schema::Program& program,
                                        std::vector<Segment>& segments) {
    const FieldPath root;
    TensorSource source;
    const FieldPath constantPath = root.field("constant_segment");
    ET_ASSIGN(source.constants,
              readOffsets(view, program.constant_segment(), SegmentUse::Constants, segments, constantPath));
    const FieldPath statePath = root.field("mutable_data_segments");
    ET_ASSIGN(source.states, view.map(program.mutable_data_segments(), statePath,
                                      [&](const schema::SubsegmentOffsets* row, const FieldPath& at) {
                                          return readOffsets(view, row, SegmentUse::MutableState, segments,
                                                             at);
                                      }));
    const FieldPath inlinePath = root.field("constant_buffer");
    ET_ASSIGN(source.inlined, view.map(program.constant_buffer(), inlinePath,
                                       [](const schema::Buffer* row, const FieldPath&) -> Result<Bytes> {
                                           return FlatView::blob(row->storage());
                                       }));
    return source;
}

Result<Bytes> TensorSource::constant(std::uint32_t index, const FlatView& view, const FieldPath& path,
                                     const void* place) const {
    if (!constants.offsets.empty() || inlined.empty()) {
        return pick(constants, index, view, path, place);
    }
    if (index >= inlined.size()) {
        return view.fail(ErrorCode::Format, path, place,
                         fmt::format("expected one of {} constant buffers, got {}", inlined.size(), index));
    }
    return inlined[index];
}

Result<Bytes> TensorSource::mutableState(std::uint64_t table, std::uint32_t index, const FlatView& view,
                                         const FieldPath& path, const void* place) const {
    if (table >= states.size()) {
        return view.fail(
            ErrorCode::Format, path, place,
            fmt::format("expected one of {} mutable data segments, got {}", states.size(), table));
    }
    return pick(states[static_cast<std::size_t>(table)], index, view, path, place);
}

}  // namespace et::program::detail
