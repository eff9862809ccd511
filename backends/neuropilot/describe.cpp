#include "backends/neuropilot/describe.h"

#include "backends/opaque_code.h"
#include "runtime/core/byte_reader.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::backends::neuropilot {

using core::Bytes;
using core::ErrorCode;
using core::GraphValue;
using core::ModelGraph;
using core::Result;

namespace {

struct Header {
    std::uint8_t version = 0;
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
    std::size_t size = 0;
    Bytes network;
};

Result<Header> readHeader(Bytes payload) {
    constexpr std::uint32_t maxTensors = 1024;
    core::ByteReader reader(payload);
    Header header;
    ET_ASSIGN(header.version, reader.read<std::uint8_t>("version"));
    ET_ASSIGN(header.inputs, reader.read<std::uint32_t>("inputs"));
    ET_ASSIGN(header.outputs, reader.read<std::uint32_t>("outputs"));
    ET_ASSIGN(const auto size, reader.read<std::uint32_t>("size"));
    if (header.inputs > maxTensors || header.outputs > maxTensors) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("expected at most {} inputs and outputs, got {} and {}", maxTensors,
                                      header.inputs, header.outputs),
                          {.file = {}, .field = "inputs", .offset = 1});
    }
    header.size = reader.position();
    ET_ASSIGN(header.network, reader.take(size, "network"));
    return header;
}

}  // namespace

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    ET_ASSIGN(const Header header, readHeader(payload));
    std::vector<GraphValue> arguments;
    for (std::uint32_t i = 0; i < header.inputs + header.outputs; ++i) {
        const bool isInput = i < header.inputs;
        arguments.push_back(
            {.name = fmt::format("{} {}", isInput ? "input" : "output", isInput ? i : i - header.inputs),
             .type = "unknown",
             .role = isInput ? GraphValue::Role::Input : GraphValue::Role::Output});
    }
    return describeOpaque(payload, {.kind = "NeuroPilot network",
                                    .attributes = {{"payload version", fmt::to_string(header.version)}},
                                    .arguments = std::move(arguments),
                                    .codeName = "compiled network",
                                    .code = header.network,
                                    .described = header.size});
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                      PayloadContents& contents) {
    ET_ASSIGN(const Header header, readHeader(delegate.payload));
    contents.described.add(delegate.payload.data(), header.size);
    contents.described.addOpaque(header.network);
    contents.parts = {{.name = "network", .data = header.network}};
    return {};
}

}  // namespace et::backends::neuropilot
