#include "tests/support/qnn_payload.h"

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
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
    const auto graph = builder.CreateString("forward");
    const auto graphs = builder.CreateVector(std::vector{graph});
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

}  // namespace et::test
