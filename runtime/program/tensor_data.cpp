#include "runtime/program/tensor_data.h"

#include "runtime/core/file_kind.h"
#include "runtime/core/flat_view.h"
#include "runtime/core/tensor_shape.h"
#include "runtime/program/detail/segment_table.h"
#include "runtime/program/schema/flat_tensor_generated.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::program {

namespace data_schema = tensor_data_schema;

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::MappedFile;
using core::Result;

namespace {

using Owner = std::shared_ptr<const MappedFile>;

Result<> readLayout(FlatView& view, const data_schema::NamedData& row, const FieldPath& path,
                    TensorDataEntry& entry) {
    const data_schema::TensorLayout* layout = row.tensor_layout();
    if (layout == nullptr) {
        return {};
    }
    const FieldPath layoutPath = path.field("tensor_layout");
    ET_ASSIGN(core::TensorShape shape, core::readTensorShape(view, layout->scalar_type(), layout->sizes(),
                                                             layout->dim_order(), layoutPath, layout));
    if (shape.byteSize && static_cast<std::uint64_t>(*shape.byteSize) > entry.data.size()) {
        return view.fail(ErrorCode::Format, layoutPath, layout,
                         fmt::format("expected a segment of at least {} bytes, got {}", *shape.byteSize,
                                     entry.data.size()));
    }
    entry.layout = TensorLayout{.scalarType = layout->scalar_type(),
                                .sizes = std::move(shape.sizes),
                                .dimOrder = std::move(shape.dimOrder),
                                .byteSize = shape.byteSize};
    return {};
}

Result<TensorDataEntry> readEntry(FlatView& view, const data_schema::NamedData* row,
                                  std::vector<Segment>& segments, const FieldPath& path) {
    TensorDataEntry entry;
    const FieldPath keyPath = path.field("key");
    ET_ASSIGN(entry.name, view.required(row->key(), keyPath, row));
    const FieldPath indexPath = path.field("segment_index");
    ET_ASSIGN(entry.segment, detail::useSegment(segments, row->segment_index(), SegmentUse::NamedData, view,
                                                indexPath, row));
    entry.data = segments[entry.segment.value].data;
    ET_TRY(readLayout(view, *row, path, entry));
    return entry;
}

Result<> readInto(TensorData& data) {
    const core::Bytes all = data.file->bytes();
    // Only the start of the file: the data after the tables may be larger than any flatbuffer.
    constexpr std::size_t startBytes = 4096;
    const FlatView start(all.first(std::min(all.size(), startBytes)), 0);
    ET_TRY(start.checkStart(data_schema::FlatTensorIdentifier()));
    ET_ASSIGN(data.header, readTensorDataHeader(all));
    FlatView view(all.first(static_cast<std::size_t>(data.header.segmentBase)), 0);
    ET_ASSIGN(const data_schema::FlatTensor* root,
              view.root<data_schema::FlatTensor>(data_schema::FlatTensorIdentifier()));
    data.version = root->version();
    const detail::SegmentSpace space{
        .artifact = all, .start = 0, .hasBase = true, .base = data.header.segmentBase};
    ET_ASSIGN(data.segments, detail::readSegments(view, space, root->segments()));
    const FieldPath none;
    const FieldPath path = none.field("named_data");
    ET_ASSIGN(data.entries,
              view.map(root->named_data(), path, [&](const data_schema::NamedData* row, const FieldPath& at) {
                  return readEntry(view, row, data.segments, at);
              }));
    return {};
}

}  // namespace

Result<std::shared_ptr<const TensorData>> TensorData::open(const std::filesystem::path& path) {
    return core::openOfKind(path, core::FileKind::TensorData).and_then([](Owner file) {
        return parse(std::move(file));
    });
}

Result<std::shared_ptr<const TensorData>> TensorData::parse(Owner file) {
    auto data = std::make_shared<TensorData>();
    data->file = std::move(file);
    if (auto read = readInto(*data); !read) {
        return std::unexpected(std::move(read).error().in(data->file->name()));
    }
    return data;
}

const TensorDataEntry* TensorData::find(std::string_view name) const {
    const auto found = std::ranges::find(entries, name, &TensorDataEntry::name);
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace et::program
