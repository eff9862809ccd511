#include "backends/neuropilot/describe.h"

#include "backends/opaque_code.h"
#include "runtime/core/byte_reader.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace et::backends::neuropilot {

using core::Bytes;
using core::ErrorCode;
using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;
using core::Result;

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    constexpr std::uint32_t maxTensors = 1024;
    core::ByteReader reader(payload);
    ET_ASSIGN(const auto version, reader.read<std::uint8_t>("version"));
    ET_ASSIGN(const auto inputs, reader.read<std::uint32_t>("inputs"));
    ET_ASSIGN(const auto outputs, reader.read<std::uint32_t>("outputs"));
    ET_ASSIGN(const auto size, reader.read<std::uint32_t>("size"));
    if (inputs > maxTensors || outputs > maxTensors) {
        return core::fail(
            ErrorCode::Limit,
            fmt::format("expected at most {} inputs and outputs, got {} and {}", maxTensors, inputs, outputs),
            {.file = {}, .field = "inputs", .offset = 1});
    }
    const std::size_t header = reader.position();
    ET_ASSIGN(const Bytes network, reader.take(size, "network"));

    ModelGraph graph;
    GraphNode node{.name = "n0", .kind = "NeuroPilot network"};
    node.attributes.push_back({"payload version", fmt::to_string(version)});
    for (std::uint32_t i = 0; i < inputs + outputs; ++i) {
        const bool isInput = i < inputs;
        const auto value = graph.addValue(
            {.name = fmt::format("{} {}", isInput ? "input" : "output", isInput ? i : i - inputs),
             .type = "unknown",
             .role = isInput ? GraphValue::Role::Input : GraphValue::Role::Output,
             .attributes = {{"argument", fmt::to_string(i)}}});
        (isInput ? node.inputs : node.outputs).push_back(value);
    }
    addOpaqueCode(graph, node, "compiled network", network);
    addByteCounts(node, payload, header);
    graph.addNode(std::move(node));
    return graph;
}

}  // namespace et::backends::neuropilot
