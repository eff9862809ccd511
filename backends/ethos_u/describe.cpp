#include "backends/ethos_u/describe.h"

#include "backends/opaque_code.h"
#include "backends/payload_bytes.h"
#include "backends/payload_data.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace et::backends::ethos_u {
namespace {

using core::ByteReader;
using core::Bytes;
using core::ErrorCode;
using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;
using core::Result;

constexpr std::size_t alignment = 16;
constexpr std::size_t nameSize = 16;
constexpr std::size_t reservedSize = 11;  ///< after a block's size and external flag
constexpr std::size_t dimensions = 6;
constexpr std::size_t hashDigits = 64;
constexpr std::string_view startName = "vela_bin_stream";
constexpr std::string_view endName = "vela_end_stream";

struct Block {
    std::string_view name;
    Bytes data;
    bool isExternal = false;  ///< `data` is the name of the data outside the payload
};

/// Blocks that occur once in a payload, by name.
struct Blocks {
    Block commands{"cmd_data", {}, false};
    Block weights{"weight_data", {}, false};
    Block scratch{"scratch_size", {}, false};
    Block inputs{"inputs", {}, false};
    Block outputs{"outputs", {}, false};

    std::array<Block*, 5> all() { return {&commands, &weights, &scratch, &inputs, &outputs}; }
};

Result<Block> readBlock(ByteReader& reader) {
    ET_ASSIGN(const Bytes name, reader.take(nameSize, "block.name"));
    std::string_view text(reinterpret_cast<const char*>(name.data()), name.size());
    text = text.substr(0, text.find('\0'));
    ET_ASSIGN(const auto size, reader.read<std::uint32_t>("block.size"));
    ET_ASSIGN(const auto external, reader.read<std::uint8_t>("block.external"));
    if (external > 1) {
        return core::fail(ErrorCode::Format, fmt::format("expected 0 or 1, got {}", external),
                          {.file = {}, .field = "block.external", .offset = reader.position() - 1});
    }
    ET_TRY(reader.take(reservedSize, "block.external"));
    ET_ASSIGN(const Bytes data, reader.take(size, text));
    ET_TRY(reader.take((alignment - size % alignment) % alignment, text));
    return Block{.name = text, .data = data, .isExternal = external == 1};
}

/// Calls `visit(block)` for each block between the first and the last.
template <class Visit>
Result<> forBlocks(Bytes payload, const Visit& visit) {
    ByteReader reader(payload);
    ET_ASSIGN(Block block, readBlock(reader));
    if (block.name != startName) {
        return core::fail(ErrorCode::Format, "expected a stream of commands for Ethos-U (vela_bin_stream)",
                          {.file = {}, .field = "block.name", .offset = 0});
    }
    ET_ASSIGN(block, readBlock(reader));
    while (block.name != endName) {
        visit(block);
        ET_ASSIGN(block, readBlock(reader));
    }
    return {};
}

Result<Blocks> readBlocks(Bytes payload) {
    Blocks blocks;
    ET_TRY(forBlocks(payload, [&](const Block& block) {
        for (Block* known : blocks.all()) {
            if (known->name == block.name) {
                known->data = block.data;
                known->isExternal = block.isExternal;
            }
        }
    }));
    return blocks;
}

/// The block must not be empty.
Result<std::uint32_t> readScratch(const Block& scratch) {
    ByteReader reader(scratch.data);
    return reader.read<std::uint32_t>(scratch.name);
}

/// Everything except compiled commands and weights is described.
PayloadBytes countBytes(Bytes payload, const Blocks& blocks) {
    ByteCoverage coverage(payload);
    const std::byte* at = payload.data();
    for (const Block* const block : {&blocks.commands, &blocks.weights}) {
        if (!block->isExternal && !block->data.empty() && block->data.data() >= at) {
            coverage.add(at, static_cast<std::size_t>(block->data.data() - at));
            at = block->data.data() + block->data.size();
        }
    }
    coverage.add(at, static_cast<std::size_t>(payload.data() + payload.size() - at));
    return coverage.count();
}

class Describer {
  public:
    Describer(const Blocks& from, const executor::NamedDataSource& data, const PayloadBytes& counted)
        : blocks(from), namedData(data), bytes(counted) {}

    Result<ModelGraph> describe() {
        GraphNode node{.name = "n0", .kind = "Ethos-U command stream"};
        if (blocks.commands.isExternal) {
            node.inputs.push_back(addExternal("commands", "command stream", blocks.commands));
        } else {
            node.attributes.push_back({"command bytes", fmt::to_string(blocks.commands.data.size())});
        }
        if (!blocks.scratch.data.empty()) {
            ET_ASSIGN(const std::uint32_t scratch, readScratch(blocks.scratch));
            node.attributes.push_back({"working memory bytes", fmt::to_string(scratch)});
        }
        ET_TRY(addTensors(blocks.inputs, GraphValue::Role::Input, node.inputs));
        if (blocks.weights.isExternal) {
            node.inputs.push_back(addExternal("weights", "compressed weights", blocks.weights));
        } else if (!blocks.weights.data.empty()) {
            node.inputs.push_back(graph.addValue({.name = "weights",
                                                  .type = "compressed weights",
                                                  .role = GraphValue::Role::Constant,
                                                  .bytes = blocks.weights.data.size(),
                                                  .data = blocks.weights.data}));
        }
        ET_TRY(addTensors(blocks.outputs, GraphValue::Role::Output, node.outputs));
        addByteCounts(node, bytes);
        graph.addNode(std::move(node));
        return std::move(graph);
    }

  private:
    core::GraphValueId addExternal(std::string_view name, std::string_view type, const Block& block) {
        GraphValue value{
            .name = std::string(name), .type = std::string(type), .role = GraphValue::Role::Constant};
        describeNamedConstant(core::textOf(block.data), namedData, value);
        return graph.addValue(std::move(value));
    }

    Result<> addTensors(const Block& block, GraphValue::Role role, std::vector<core::GraphValueId>& ids) {
        if (block.data.empty()) {
            return {};
        }
        ByteReader reader(block.data);
        ET_ASSIGN(const auto count, reader.read<std::uint32_t>(block.name));
        for (std::uint32_t i = 0; i < count; ++i) {
            ET_ASSIGN(GraphValue value, readTensor(reader, block.name));
            value.name = fmt::format("{} {}", role == GraphValue::Role::Input ? "input" : "output", i);
            value.role = role;
            value.attributes.push_back({"argument", fmt::to_string(arguments++)});
            ids.push_back(graph.addValue(std::move(value)));
        }
        return {};
    }

    static Result<GraphValue> readTensor(ByteReader& reader, std::string_view field) {
        std::vector<std::int64_t> sizes;
        for (std::size_t i = 0; i < dimensions; ++i) {
            ET_ASSIGN(const auto size, reader.read<std::int32_t>(field));
            sizes.push_back(size);
        }
        ET_ASSIGN(const auto elementSize, reader.read<std::uint32_t>(field));
        ET_ASSIGN(const auto offset, reader.read<std::uint32_t>(field));
        ET_ASSIGN(const auto region, reader.read<std::uint32_t>(field));
        const std::uint64_t bits = std::uint64_t{elementSize} * 8;
        return GraphValue{
            .name = {},
            .type = fmt::format("{} bit {}", bits, core::sizesText(sizes)),
            .bytes = denseBytes(bits, sizes),
            .attributes = {{"region", fmt::to_string(region)}, {"offset", fmt::to_string(offset)}}};
    }

    const Blocks& blocks;
    const executor::NamedDataSource& namedData;
    PayloadBytes bytes;
    ModelGraph graph;
    std::size_t arguments = 0;
};

/// The text after `"name":` in a JSON object of texts.
std::string_view memberOf(std::string_view object, std::string_view name) {
    const std::string key = fmt::format("\"{}\"", name);
    const std::size_t at = object.find(key);
    const std::size_t begin =
        at == std::string_view::npos ? at : object.find_first_not_of(" :\t\n", at + key.size());
    if (begin == std::string_view::npos || object[begin] != '"') {
        return {};
    }
    const std::size_t end = object.find('"', begin + 1);
    return end == std::string_view::npos ? std::string_view() : object.substr(begin + 1, end - begin - 1);
}

/// The memory that the compile spec assigns to a block: "sram".
std::string_view placementOf(const program::Delegate& delegate, std::string_view block) {
    for (const program::CompileSpec& spec : delegate.compileSpecs) {
        if (spec.key == "external_block_placements") {
            return memberOf(core::textOf(spec.value), block);
        }
    }
    return {};
}

}  // namespace

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& namedData) {
    ET_ASSIGN(const Blocks blocks, readBlocks(payload));
    return Describer(blocks, namedData, countBytes(payload, blocks)).describe();
}

DelegateDataList externalBlocks(const program::Delegate& delegate, std::string_view /*method*/) {
    auto blocks = readBlocks(delegate.payload);
    if (!blocks) {
        return {};
    }
    DelegateDataList list{.data = {}, .isComplete = true};
    for (const Block* const block : blocks->all()) {
        if (block->isExternal) {
            const std::string_view name = core::textOf(block->data);
            const std::string_view placement = placementOf(delegate, block->name);
            const bool isKnown = !placement.empty() && name.size() == hashDigits;
            list.data.push_back({.name = std::string(name),
                                 .sha256 = isKnown ? std::string(name) : std::string(),
                                 .hashedBefore = std::string(placement) + '\0',
                                 .isRequired = true});
        }
    }
    return list;
}

Result<std::uint64_t> scratchBytes(Bytes payload) {
    ET_ASSIGN(const Blocks blocks, readBlocks(payload));
    if (blocks.scratch.data.empty()) {
        return 0;
    }
    ET_ASSIGN(const std::uint64_t bytes, readScratch(blocks.scratch));
    return (bytes + alignment - 1) / alignment * alignment;
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& namedData,
                      PayloadContents& contents) {
    const Bytes payload = delegate.payload;
    const std::byte* at = payload.data();
    constexpr std::array described{"scratch_size", "inputs", "outputs"};
    ET_TRY(forBlocks(payload, [&](const Block& block) {
        if (!block.isExternal && !std::ranges::contains(described, block.name)) {
            contents.described.add(at, static_cast<std::size_t>(block.data.data() - at));
            contents.described.addOpaque(block.data);
            at = block.data.data() + block.data.size();
        }
        const auto external =
            block.isExternal ? namedData.find(core::textOf(block.data)) : std::optional(block.data);
        if (external) {
            contents.parts.push_back({.name = std::string(block.name), .data = *external});
        }
    }));
    contents.described.add(at, static_cast<std::size_t>(payload.data() + payload.size() - at));
    return {};
}

}  // namespace et::backends::ethos_u
