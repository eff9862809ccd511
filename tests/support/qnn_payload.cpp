#include "tests/support/qnn_payload.h"

#include "backends/qnn/schema/context_generated.h"

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace et::test {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using flatbuffers::String;
using Table = Offset<flatbuffers::Table>;

flatbuffers::voffset_t slot(std::size_t field) {
    return static_cast<flatbuffers::voffset_t>(2 * (field + 2));
}

/// Writes a table; `add` adds its fields.
template <class Add>
Table table(FlatBufferBuilder& builder, Add&& add) {
    const auto start = builder.StartTable();
    add();
    return Table(builder.EndTable(start));
}

Table socInfo(FlatBufferBuilder& builder) {
    const Table htp = table(builder, [&] {
        builder.AddElement<std::int32_t>(slot(0), 79, 0);
        builder.AddElement<std::uint32_t>(slot(1), 8, 0);
    });
    return table(builder, [&] {
        builder.AddElement<std::int32_t>(slot(0), 69, 0);
        builder.AddOffset(slot(1), htp);
    });
}

namespace schema = backends::qnn::schema;

Offset<schema::Graph1> graphOf(FlatBufferBuilder& builder) {
    const std::vector<std::uint32_t> wide{1, 4};
    const std::vector<std::uint32_t> two{2};
    const auto scale = schema::CreateScaleOffset(builder, 0.5F, -3);
    const auto input = schema::CreateTensorDirect(builder, 7, 0, 0, 0x0408, 1, 2, &wide, "input_0_x@0",
                                                  schema::Quantization::ScaleOffset, scale.Union());
    const auto none = schema::CreateScaleOffset(builder, 0, 0);
    const auto output = schema::CreateTensorDirect(builder, 9, 1, 0, 0x0216, 0, 1, &two, "output_y@0",
                                                   schema::Quantization::ScaleOffset, none.Union());
    const std::vector inputs{input};
    const std::vector outputs{output};
    return schema::CreateGraph1Direct(builder, "forward", 1, &inputs, 1, &outputs);
}

std::vector<std::byte> metadata(std::uint32_t graphs) {
    FlatBufferBuilder builder;
    const auto graph = schema::CreateGraph3(builder, schema::CreateGraph2(builder, graphOf(builder)));
    const std::vector list{schema::CreateGraph(builder, 3, schema::GraphVersion::Graph3, graph.Union())};
    const schema::Version core(2, 27, 0);
    const schema::Version backend(5, 37, 0);
    const schema::Version blob(3, 3, 3);
    const auto info =
        schema::CreateInfoDirect(builder, 6, "v2.37.0", &core, &backend, &blob, graphs, &list, 32, 57);
    const auto versioned = schema::CreateVersionedInfo(builder, 3, schema::InfoVersion::Info3, info.Union());
    builder.Finish(schema::CreateContext(builder, versioned));
    const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    return {bytes.begin(), bytes.end()};
}

void put(PayloadBytes& bytes, std::size_t at, std::uint64_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

Table backendOptions(FlatBufferBuilder& builder, bool hasSkeleton) {
    const Offset<String> skeleton = hasSkeleton ? builder.CreateString("") : Offset<String>();
    const std::size_t more = hasSkeleton ? 1 : 0;
    const Table htp = table(builder, [&] {
        builder.AddElement<std::int32_t>(slot(1), 2, 0);  // burst
        builder.AddElement<std::int32_t>(slot(2), 1, 0);  // fp16
        if (hasSkeleton) {
            builder.AddOffset(slot(4), skeleton);
        }
        builder.AddElement<std::uint8_t>(slot(6 + more), 1, 0);
    });
    return table(builder, [&] {
        builder.AddElement<std::int32_t>(slot(0), 2, 0);
        builder.AddOffset(slot(1), htp);
    });
}

}  // namespace

PayloadBytes qnnOptions(QnnSchema schema) {
    FlatBufferBuilder builder;
    const bool isNew = schema == QnnSchema::Of2026;
    const std::size_t more = isNew ? 0 : 1;
    const Table soc = socInfo(builder);
    const Table backend = backendOptions(builder, !isNew);
    const auto graph = isNew ? Offset<String>() : builder.CreateString("forward");
    const auto graphs = schema == QnnSchema::Of2025 ? builder.CreateVector(std::vector{graph})
                                                    : Offset<flatbuffers::Vector<Offset<String>>>();
    const auto library = builder.CreateString("libQnnHtp.so");
    const auto folder = builder.CreateString("saver_output");
    const Table root = table(builder, [&] {
        builder.AddOffset(slot(0), soc);
        builder.AddOffset(slot(1), backend);
        if (schema == QnnSchema::Of2025) {
            builder.AddOffset(slot(2), graphs);
        } else if (schema == QnnSchema::OfLate2024) {
            builder.AddOffset(slot(2), graph);
        }
        builder.AddOffset(slot(2 + more), library);
        builder.AddElement<std::int32_t>(slot(6 + more), 2, 0);
        builder.AddElement<std::uint8_t>(slot(7 + more), 1, 0);
        builder.AddOffset(slot(schema == QnnSchema::OfLate2024 ? 12 : 10 + more), folder);
    });
    builder.Finish(root);
    const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    return {bytes.begin(), bytes.end()};
}

PayloadBytes qnnPayload(const QnnChanges& changes) {
    constexpr std::size_t wrapper = 256;
    constexpr std::size_t header = 40;
    constexpr std::size_t code = 32;
    constexpr std::size_t alignment = 64;
    const std::vector<std::byte> described = metadata(changes.graphs);
    const std::size_t codeAt = (header + described.size() + alignment - 1) / alignment * alignment;
    PayloadBytes bytes(wrapper + codeAt + code);
    constexpr std::uint32_t mark = 0x5678'ABCD;
    constexpr std::size_t sizeAt = 12;
    std::memcpy(bytes.data(), &mark, sizeof mark);
    put(bytes, sizeof mark, 99);
    put(bytes, sizeAt, codeAt + code);
    bytes[wrapper + 3] = std::byte{2};
    bytes[wrapper + 7] = std::byte{3};
    put(bytes, wrapper + 16, described.size());
    put(bytes, wrapper + 24, codeAt);
    put(bytes, wrapper + 32, changes.codeSize);
    std::memcpy(bytes.data() + wrapper + header, described.data(), described.size());
    std::memset(bytes.data() + wrapper + codeAt, 'c', code);
    return bytes;
}

}  // namespace et::test
