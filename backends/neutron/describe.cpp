#include "backends/neutron/describe.h"

#include "backends/opaque_code.h"
#include "runtime/core/byte_reader.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::neutron {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;
using core::Result;

constexpr std::size_t blockAlignment = 16;

Result<Bytes> takeFlags(core::ByteReader& reader, std::size_t count, std::string_view field) {
    ET_ASSIGN(const Bytes flags, reader.take(count, field));
    for (const std::byte flag : flags) {
        if (std::to_integer<unsigned>(flag) > 1) {
            return core::fail(
                ErrorCode::Format,
                fmt::format("expected 0 (any) or 1 (channels last), got {}", std::to_integer<unsigned>(flag)),
                {.file = {}, .field = std::string(field), .offset = {}});
        }
    }
    return flags;
}

/// `formats` and `positions` have one byte per tensor.
std::vector<core::GraphValueId> addTensors(ModelGraph& graph, GraphValue::Role role, Bytes formats,
                                           Bytes positions) {
    std::vector<core::GraphValueId> ids;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        const bool isInput = role == GraphValue::Role::Input;
        const bool isChannelsLast = formats[i] == std::byte{1};
        ids.push_back(graph.addValue(
            {.name = fmt::format("{} {}", isInput ? "input" : "output", i),
             .type = isChannelsLast ? "channels last" : "any format",
             .role = role,
             .attributes = {{"argument", fmt::to_string(std::to_integer<unsigned>(positions[i]))}}}));
    }
    return ids;
}

}  // namespace

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    core::ByteReader reader(payload);
    ET_ASSIGN(const auto inputs, reader.read<std::uint8_t>("inputs"));
    ET_ASSIGN(const auto outputs, reader.read<std::uint8_t>("outputs"));
    ET_ASSIGN(const auto arguments, reader.read<std::uint8_t>("arguments"));
    ET_ASSIGN(const Bytes inputFormats, takeFlags(reader, inputs, "input formats"));
    ET_ASSIGN(const Bytes outputFormats, takeFlags(reader, outputs, "output formats"));
    ET_ASSIGN(const Bytes inputPositions, reader.take(inputs, "input positions"));
    ET_ASSIGN(const Bytes outputPositions, reader.take(outputs, "output positions"));
    ET_ASSIGN(const auto version, reader.read<std::uint8_t>("version"));
    const std::size_t header = reader.position();
    ET_TRY(reader.take((blockAlignment - header % blockAlignment) % blockAlignment, "header"));

    ModelGraph graph;
    GraphNode node{.name = "n0", .kind = "Neutron microcode"};
    node.attributes = {{"payload version", fmt::to_string(version)},
                       {"arguments", fmt::to_string(arguments)}};
    node.inputs = addTensors(graph, GraphValue::Role::Input, inputFormats, inputPositions);
    node.outputs = addTensors(graph, GraphValue::Role::Output, outputFormats, outputPositions);
    addOpaqueCode(graph, node, "microcode, weights and kernels", payload.subspan(reader.position()));
    addByteCounts(node, payload, header);
    graph.addNode(std::move(node));
    return graph;
}

}  // namespace et::backends::neutron
