#include "backends/tensorrt/describe.h"

#include "backends/opaque_code.h"
#include "backends/payload_data.h"
#include "runtime/archive/json.h"
#include "runtime/core/byte_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::tensorrt {
namespace {

using archive::JsonDocument;
using archive::JsonValue;
using core::Bytes;
using core::ErrorCode;
using core::GraphValue;
using core::ModelGraph;
using core::Result;

constexpr std::string_view engineMark = "TR01";
constexpr std::size_t reservedBytes = 8;
constexpr std::size_t maxBindings = 1024;

/// A header of 32 bytes, bindings as JSON, the engine at a multiple of 16.
struct EngineContainer {
    std::size_t headerSize = 0;
    Bytes bindings;
    Bytes engine;
};

struct DtypeBits {
    std::string_view name;
    std::uint64_t bits;
};
constexpr std::array dtypeBits{DtypeBits{"float32", 32}, DtypeBits{"float16", 16}, DtypeBits{"bfloat16", 16},
                               DtypeBits{"int64", 64},   DtypeBits{"int32", 32},   DtypeBits{"int8", 8},
                               DtypeBits{"uint8", 8},    DtypeBits{"bool", 8},     DtypeBits{"float8", 8},
                               DtypeBits{"int4", 4}};

Result<EngineContainer> readContainer(Bytes payload) {
    core::ByteReader reader(payload);
    ET_ASSIGN(const Bytes mark, reader.take(engineMark.size(), "mark"));
    if (core::textOf(mark) != engineMark) {
        return core::fail(
            ErrorCode::Format,
            fmt::format("expected {}, got \"{}\"", engineMark, core::printable(core::textOf(mark))),
            {.file = {}, .field = "mark", .offset = 0});
    }
    ET_ASSIGN(const auto bindingsOffset, reader.read<std::uint32_t>("offset of the bindings"));
    ET_ASSIGN(const auto bindingsSize, reader.read<std::uint32_t>("size of the bindings"));
    ET_ASSIGN(const auto engineOffset, reader.read<std::uint32_t>("offset of the engine"));
    ET_ASSIGN(const auto engineSize, reader.read<std::uint64_t>("size of the engine"));
    ET_TRY(reader.take(reservedBytes, "header"));
    EngineContainer container{.headerSize = reader.position()};
    ET_ASSIGN(container.bindings, payloadPart(payload, bindingsOffset, bindingsSize, "bindings"));
    ET_ASSIGN(container.engine, payloadPart(payload, engineOffset, engineSize, "engine"));
    return container;
}

Result<bool> flagIn(const JsonValue& binding, std::string_view name) {
    const auto flag = binding.find(name);
    return flag ? flag->boolean() : Result<bool>(false);
}

Result<GraphValue> bindingOf(const JsonValue& binding) {
    GraphValue value;
    ET_ASSIGN(const JsonValue name, binding.member("name"));
    ET_ASSIGN(value.name, name.string());
    ET_ASSIGN(const JsonValue dtype, binding.member("dtype"));
    ET_ASSIGN(const std::string_view dtypeName, dtype.string());
    ET_ASSIGN(const JsonValue shape, binding.member("shape"));
    std::vector<std::int64_t> sizes;
    ET_TRY(shape.forEach([&](const JsonValue& each) {
        return each.integer().transform([&](std::int64_t size) { sizes.push_back(size); });
    }));
    value.type = fmt::format("{} [{}]", dtypeName, fmt::join(sizes, ", "));
    for (const DtypeBits& each : dtypeBits) {
        value.bytes = each.name == dtypeName ? denseBytes(each.bits, sizes) : value.bytes;
    }
    ET_ASSIGN(const bool isInput, flagIn(binding, "is_input"));
    value.role = isInput ? GraphValue::Role::Input : GraphValue::Role::Output;
    ET_ASSIGN(const bool isShape, flagIn(binding, "is_shape_tensor"));
    if (isShape) {
        value.attributes.push_back({"shape tensor", "yes"});
    }
    return value;
}

/// The bindings, inputs first, as the arguments of a call are.
Result<std::vector<GraphValue>> bindingsOf(Bytes text) {
    ET_ASSIGN(const JsonDocument document, JsonDocument::parse(text, "bindings"));
    const JsonValue root = document.root();
    ET_ASSIGN(const JsonValue list, root.member("io_bindings"));
    std::vector<GraphValue> inputs;
    std::vector<GraphValue> outputs;
    ET_TRY(list.forEach([&](const JsonValue& each) -> Result<> {
        if (inputs.size() + outputs.size() == maxBindings) {
            return core::fail(ErrorCode::Limit, fmt::format("expected at most {} bindings", maxBindings));
        }
        ET_ASSIGN(GraphValue value, bindingOf(each));
        (value.role == GraphValue::Role::Input ? inputs : outputs).push_back(std::move(value));
        return {};
    }));
    std::ranges::move(outputs, std::back_inserter(inputs));
    return inputs;
}

}  // namespace

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    ET_ASSIGN(const EngineContainer container, readContainer(payload));
    ET_ASSIGN(std::vector<GraphValue> bindings, bindingsOf(container.bindings));
    return describeOpaque(payload, {.kind = "TensorRT engine",
                                    .arguments = std::move(bindings),
                                    .codeName = "engine",
                                    .code = container.engine,
                                    .described = container.headerSize + container.bindings.size()});
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                      PayloadContents& contents) {
    ET_ASSIGN(const EngineContainer container, readContainer(delegate.payload));
    contents.described.add(delegate.payload.data(), container.headerSize);
    contents.described.add(container.bindings.data(), container.bindings.size());
    contents.described.addOpaque(container.engine);
    contents.parts = {{.name = "bindings.json", .data = container.bindings},
                      {.name = "model.engine", .data = container.engine}};
    return {};
}

}  // namespace et::backends::tensorrt
