#include "runtime/builder/tensor_data_writer.h"

#include "runtime/builder/detail/flat_file.h"
#include "runtime/program/schema/flat_tensor_generated.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace et::builder {

namespace data_schema = program::tensor_data_schema;

using core::Result;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using program::TensorDataEntry;

namespace {

Result<Offset<data_schema::TensorLayout>> createLayout(FlatBufferBuilder& builder,
                                                       const TensorDataEntry& entry) {
    if (!entry.layout) {
        return Offset<data_schema::TensorLayout>();
    }
    for (const std::int64_t size : entry.layout->sizes) {
        if (size < 0 || size > std::numeric_limits<std::int32_t>::max()) {
            return core::fail(
                core::ErrorCode::InvalidArgument,
                fmt::format("expected sizes that fit 32 bits, got {} in \"{}\"", size, entry.name));
        }
    }
    const std::vector<std::int32_t> sizes(entry.layout->sizes.begin(), entry.layout->sizes.end());
    const auto sizesVector = builder.CreateVector(sizes);
    return data_schema::CreateTensorLayout(builder, entry.layout->scalarType, sizesVector,
                                           builder.CreateVector(entry.layout->dimOrder));
}

core::FileContent assembled(FlatBufferBuilder& builder, const detail::SegmentList& segments) {
    constexpr std::uint32_t headerBytes = 40;
    constexpr std::uint64_t flatbufferAt = 8 + headerBytes;
    flatbuffers::DetachedBuffer flatbuffer = builder.Release();
    detail::Header header("FH01");
    header.add(headerBytes)
        .add(flatbufferAt)
        .add(std::uint64_t{flatbuffer.size()})
        .add(detail::segmentBase(flatbuffer.size(), headerBytes))
        .add(segments.bytes());
    return detail::assemble(std::move(flatbuffer), header, segments);
}

}  // namespace

Result<core::FileContent> tensorDataFile(std::span<const TensorDataEntry> entries) {
    FlatBufferBuilder builder;
    detail::SegmentList segments;
    std::vector<Offset<data_schema::NamedData>> rows;
    for (const TensorDataEntry& entry : entries) {
        ET_ASSIGN(const auto layout, createLayout(builder, entry));
        const auto key = builder.CreateString(entry.name);
        rows.push_back(data_schema::CreateNamedData(builder, key, segments.addShared(entry.data), layout));
    }
    const auto named = builder.CreateVector(rows);
    const auto places = detail::createTables<data_schema::DataSegment>(
        builder, segments.places(), [&](const detail::SegmentList::Place& place) {
            return data_schema::CreateDataSegment(builder, place.offset, place.size);
        });
    constexpr std::uint32_t version = 0;
    builder.Finish(data_schema::CreateFlatTensor(builder, version, places, named),
                   data_schema::FlatTensorIdentifier());
    return assembled(builder, segments);
}

Result<std::vector<std::byte>> writeTensorData(std::span<const TensorDataEntry> entries) {
    return tensorDataFile(entries).transform([](const core::FileContent& file) { return file.joined(); });
}

}  // namespace et::builder
