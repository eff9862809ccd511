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

/// `formats` and `positions` have one byte per tensor.
struct Header {
    std::uint8_t arguments = 0;
    Bytes inputFormats;
    Bytes outputFormats;
    Bytes inputPositions;
    Bytes outputPositions;
    std::uint8_t version = 0;
    std::size_t size = 0;  ///< without padding
    Bytes code;            ///< microcode, weights and kernels
};

Result<Header> readHeader(Bytes payload) {
    core::ByteReader reader(payload);
    Header header;
    ET_ASSIGN(const auto inputs, reader.read<std::uint8_t>("inputs"));
    ET_ASSIGN(const auto outputs, reader.read<std::uint8_t>("outputs"));
    ET_ASSIGN(header.arguments, reader.read<std::uint8_t>("arguments"));
    ET_ASSIGN(header.inputFormats, takeFlags(reader, inputs, "input formats"));
    ET_ASSIGN(header.outputFormats, takeFlags(reader, outputs, "output formats"));
    ET_ASSIGN(header.inputPositions, reader.take(inputs, "input positions"));
    ET_ASSIGN(header.outputPositions, reader.take(outputs, "output positions"));
    ET_ASSIGN(header.version, reader.read<std::uint8_t>("version"));
    header.size = reader.position();
    ET_TRY(reader.take((blockAlignment - header.size % blockAlignment) % blockAlignment, "header"));
    header.code = payload.subspan(reader.position());
    return header;
}

}  // namespace

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    ET_ASSIGN(const Header header, readHeader(payload));
    ModelGraph graph;
    GraphNode node{.name = "n0", .kind = "Neutron microcode"};
    node.attributes = {{"payload version", fmt::to_string(header.version)},
                       {"arguments", fmt::to_string(header.arguments)}};
    node.inputs = addTensors(graph, GraphValue::Role::Input, header.inputFormats, header.inputPositions);
    node.outputs = addTensors(graph, GraphValue::Role::Output, header.outputFormats, header.outputPositions);
    addOpaqueCode(graph, node, "microcode, weights and kernels", header.code);
    addByteCounts(node, payload, header.size);
    graph.addNode(std::move(node));
    return graph;
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                      PayloadContents& contents) {
    ET_ASSIGN(const Header header, readHeader(delegate.payload));
    const Bytes described = delegate.payload.first(header.size);
    contents.described.add(described.data(), described.size());
    contents.described.addOpaque(header.code);
    contents.parts = {{.name = "header", .data = described}, {.name = "microcode", .data = header.code}};
    return {};
}

}  // namespace et::backends::neutron
