#include "backends/mlx/read_payload.h"

#include "backends/mlx/detail/node_fields.h"
#include "backends/mlx/schema/payload_generated.h"
#include "backends/payload_data.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/flat_view.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::mlx {
namespace {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

constexpr std::size_t headerSize = 24;
constexpr std::size_t magicAt = 4;
constexpr std::string_view magic = "MLX0";

/// Upstream's runtime has the same limit for each kind of number.
constexpr std::uint32_t maxNumbers = 1'000'000;
constexpr std::size_t maxRank = 16;
constexpr std::size_t longestName = 1024;

/// Chains that run others may nest this deep.
constexpr std::size_t maxNesting = 24;
/// Nodes of a chain, where a chain that several nodes run counts each time. Converting a payload visits all.
constexpr std::uint64_t maxExpandedNodes = 1'000'000;

/// Cost of a chain with the chains that it runs.
struct ChainCost {
    std::uint32_t depth = 0;  ///< chains that run inside one another; 0: unknown
    std::uint64_t nodes = 0;  ///< as for maxExpandedNodes
};

struct PayloadParts {
    core::Bytes flatbuffer;
    core::Bytes data;  ///< constants in the payload; in all known files they are named data instead
};

/// Errors: Format.
Result<PayloadParts> findPayloadParts(core::Bytes payload) {
    core::ByteReader reader(payload);
    ET_TRY(reader.seek(magicAt, "header.magic"));
    ET_ASSIGN(const core::Bytes mark, reader.take(magic.size(), "header.magic"));
    if (const std::string_view found(reinterpret_cast<const char*>(mark.data()), mark.size());
        found != magic) {
        return core::fail(ErrorCode::Format,
                          fmt::format("expected a payload of the MLX compiler (\"MLX0\"), got \"{}\"",
                                      core::printable(found)),
                          {.file = {}, .field = "header.magic", .offset = magicAt});
    }
    ET_ASSIGN(const auto dataAt, reader.read<std::uint64_t>("header.data_offset"));
    ET_ASSIGN(const auto dataSize, reader.read<std::uint64_t>("header.data_size"));
    PayloadParts parts;
    if (dataAt <= headerSize) {
        return core::fail(
            ErrorCode::Format,
            fmt::format("expected more than the {} bytes of the header, got {}", headerSize, dataAt),
            {.file = {}, .field = "header.data_offset", .offset = {}});
    }
    ET_ASSIGN(parts.data, payloadPart(payload, dataAt, dataSize, "header.data_offset"));
    ET_ASSIGN(parts.flatbuffer, payloadPart(payload, headerSize, dataAt - headerSize, "header.data_offset"));
    return parts;
}

class Reader {
  public:
    Reader(FlatView& flat, const schema::Graph& root, core::Bytes flatbufferBytes, ByteCoverage* covered)
        : view(flat), graph(root), bytes(flatbufferBytes), coverage(covered) {}

    Result<Payload> read() {
        cover(graph);
        const FieldPath root;
        ET_TRY(readCounts(root));
        ET_TRY(readInterface(root));
        ET_TRY(readTensors(root.field("tensor_meta")));
        ET_TRY(readChains(root.field("instruction_chains")));
        ET_TRY(checkChains());
        return std::move(payload);
    }

  private:
    template <class Table>
    void cover(const Table& table) {
        if (coverage != nullptr) {
            coverage->addTable(reinterpret_cast<const flatbuffers::Table&>(table));
        }
    }
    template <class Vector>
    void coverVector(const Vector* vector, std::size_t size) {
        if (coverage != nullptr) {
            coverage->addVector(vector, size);
        }
    }
    void coverText(const flatbuffers::String* text) {
        if (coverage != nullptr && text != nullptr) {
            coverage->add(text, sizeof(flatbuffers::uoffset_t) + text->size() + 1);
        }
    }

    Result<> readCounts(const FieldPath& root) {
        if (graph.version() != nullptr) {
            payload.version = graph.version()->string_view();
            coverText(graph.version());
        }
        payload.counts = {graph.constants(), graph.inputs(), graph.outputs(), graph.mutable_buffers(),
                          graph.temporaries()};
        payload.values = graph.values();
        payload.valueNumbers = payload.values;
        std::uint64_t tensors = 0;
        for (const std::uint32_t count : payload.counts) {
            tensors += count;
        }
        if (tensors > maxNumbers || payload.values > maxNumbers) {
            return view.fail(ErrorCode::Limit, root.field("num_tensors"), &graph,
                             fmt::format("expected at most {} tensors and as many values, got {} and {}",
                                         maxNumbers, tensors, payload.values));
        }
        return {};
    }

    Result<Slot> readSlot(const schema::Slot* slot, const FieldPath& path) {
        if (slot == nullptr) {
            return view.fail(ErrorCode::Format, path, nullptr, "expected a slot, got none");
        }
        cover(*slot);
        const auto type = static_cast<SlotType>(slot->type());
        if (type < SlotType::Tensor || type > SlotType::Bool) {
            return view.fail(ErrorCode::Format, path, slot,
                             fmt::format("expected a slot type from 0 to 3, got {}", slot->type()));
        }
        const std::uint32_t count = type == SlotType::Tensor ? payload.tensorCount() : payload.values;
        if (slot->number() >= count) {
            return view.fail(ErrorCode::Format, path, slot,
                             fmt::format("expected one of the {} {}, got {}", count,
                                         type == SlotType::Tensor ? "tensors" : "values", slot->number()));
        }
        return Slot{slot->number(), type};
    }

    using Slots = flatbuffers::Vector<flatbuffers::Offset<schema::Slot>>;
    Result<std::vector<Slot>> readSlots(const Slots* slots, const FieldPath& path) {
        coverVector(slots, sizeof(flatbuffers::uoffset_t));
        return view.map(slots, path,
                        [this](const schema::Slot* slot, const FieldPath& at) { return readSlot(slot, at); });
    }

    Result<> readInterface(const FieldPath& root) {
        const FieldPath inputsPath = root.field("input_map");
        ET_ASSIGN(payload.inputs, readSlots(graph.input_slots(), inputsPath));
        const FieldPath outputsPath = root.field("output_map");
        ET_ASSIGN(payload.outputs, readSlots(graph.output_slots(), outputsPath));
        const FieldPath buffersPath = root.field("mutable_buffer_map");
        ET_ASSIGN(payload.buffers, readSlots(graph.buffer_slots(), buffersPath));
        const FieldPath namesPath = root.field("named_slots");
        coverVector(graph.named_slots(), sizeof(flatbuffers::uoffset_t));
        std::uint64_t letters = 0;
        ET_ASSIGN(payload.names, view.map(graph.named_slots(), namesPath,
                                          [&](const schema::NamedSlot* named, const FieldPath& path) {
                                              return readName(*named, path, letters);
                                          }));
        return {};
    }

    /// Names may be shared by many slots, but are copied into descriptions.
    Result<NamedSlot> readName(const schema::NamedSlot& named, const FieldPath& path,
                               std::uint64_t& letters) {
        cover(named);
        coverText(named.name());
        ET_ASSIGN(const std::string_view name, view.required(named.name(), path, &named));
        letters += name.size();
        if (name.size() > longestName || letters > 2 * bytes.size()) {
            return view.fail(ErrorCode::Limit, path, &named,
                             fmt::format("expected names of at most {} characters, and {} in total, got more",
                                         longestName, 2 * bytes.size()));
        }
        ET_ASSIGN(const Slot slot, readSlot(named.slot(), path));
        return NamedSlot{name, slot};
    }

    Result<> readTensors(const FieldPath& path) {
        coverVector(graph.tensors(), sizeof(flatbuffers::uoffset_t));
        ET_ASSIGN(payload.tensors, view.map(graph.tensors(), path,
                                            [this](const schema::TensorMeta* meta, const FieldPath& at) {
                                                return readTensor(*meta, at);
                                            }));
        if (payload.tensors.size() > payload.tensorCount()) {
            return view.fail(ErrorCode::Format, path, &graph,
                             fmt::format("expected at most {} tensors, got {}", payload.tensorCount(),
                                         payload.tensors.size()));
        }
        return {};
    }

    Result<TensorMeta> readTensor(const schema::TensorMeta& meta, const FieldPath& path) {
        cover(meta);
        coverVector(meta.sizes(), sizeof(flatbuffers::uoffset_t));
        coverVector(meta.dim_order(), 1);
        TensorMeta tensor{.dtype = meta.dtype(), .sizes = {}, .dimOrder = {}};
        ET_ASSIGN(tensor.sizes,
                  view.map(meta.sizes(), path, [this](const schema::Dimension* size, const FieldPath& at) {
                      return readDimension(*size, at);
                  }));
        ET_ASSIGN(tensor.dimOrder, view.copy<std::uint8_t>(meta.dim_order(), path));
        if (tensor.sizes.size() > maxRank) {
            return view.fail(
                ErrorCode::Limit, path, &meta,
                fmt::format("expected at most {} dimensions, got {}", maxRank, tensor.sizes.size()));
        }
        if (!core::scalarType(tensor.dtype)) {
            return view.fail(ErrorCode::Format, path, &meta,
                             fmt::format("expected a scalar type, got {}", tensor.dtype));
        }
        return tensor;
    }

    Result<Dimension> readDimension(const schema::Dimension& size, const FieldPath& path) {
        cover(size);
        const Dimension dimension{size.size(), size.minimum(), size.maximum()};
        const bool isDynamic = dimension.size == -1;
        const bool isBounded = dimension.maximum == -1 || dimension.maximum >= dimension.minimum;
        if (dimension.size < -1 || (isDynamic && (dimension.minimum < 0 || !isBounded))) {
            return view.fail(ErrorCode::Format, path, &size,
                             fmt::format("expected a size, or -1 with bounds, got {} ({} to {})",
                                         dimension.size, dimension.minimum, dimension.maximum));
        }
        return dimension;
    }

    Result<> readChains(const FieldPath& path) {
        if (graph.chains() == nullptr) {
            return view.fail(ErrorCode::Format, path, &graph, "expected chains of instructions, got none");
        }
        coverVector(graph.chains(), sizeof(flatbuffers::uoffset_t));
        ET_ASSIGN(payload.chains,
                  view.map(graph.chains(), path, [this](const schema::Chain* chain, const FieldPath& at) {
                      return readChain(*chain, at);
                  }));
        payload.mainChain = graph.main_chain();
        const auto count = static_cast<std::int64_t>(payload.chains.size());
        if (payload.mainChain >= count || graph.init_chain() < -1 || graph.init_chain() >= count) {
            return view.fail(ErrorCode::Format, path, &graph,
                             fmt::format("expected main and init chain among the {} chains, got {} and {}",
                                         count, payload.mainChain, graph.init_chain()));
        }
        if (graph.init_chain() >= 0) {
            payload.initChain = static_cast<std::uint32_t>(graph.init_chain());
        }
        return {};
    }

    Result<Chain> readChain(const schema::Chain& chain, const FieldPath& path) {
        cover(chain);
        coverVector(chain.nodes(), sizeof(flatbuffers::uoffset_t));
        return view.map(chain.nodes(), path, [this](const schema::Node* node, const FieldPath& at) {
            return readNode(*node, at);
        });
    }

    Result<Node> readNode(const schema::Node& table, const FieldPath& path) {
        cover(table);
        Node node{.kind = nodeKind(table.kind()), .number = table.kind(), .fields = {}};
        if (node.kind == nullptr) {
            return view.fail(ErrorCode::Unsupported, path, &table,
                             fmt::format("unknown node kind {}", table.kind()));
        }
        if (table.fields() == nullptr) {
            return view.fail(ErrorCode::Format, path, &table, "expected the fields of a node, got none");
        }
        cover(*table.fields());
        const NumberLimits limits{payload.tensorCount(), graph.chains()->size(), maxNumbers};
        NodeFields fields(view, bytes, limits, coverage);
        node.fields.reserve(node.kind->fields.size());
        for (const FieldInfo& field : node.kind->fields) {
            ET_ASSIGN(Field value, fields.read(*table.fields(), field, path));
            forItems(value, [this](const Item& item) {
                if (item.kind == Item::Kind::Value) {
                    payload.valueNumbers = std::max(payload.valueNumbers, item.number + 1);
                }
            });
            node.fields.push_back(std::move(value));
        }
        return node;
    }

    /// A chain that runs itself would never end.
    Result<> checkChains() {
        costs.assign(payload.chains.size(), {});
        for (std::uint32_t i = 0; i < payload.chains.size(); ++i) {
            ET_TRY(costOf(i, 0));
        }
        return {};
    }

    Result<ChainCost> costOf(std::uint32_t chain, std::size_t nesting) {
        if (costs[chain].depth != 0) {
            return costs[chain];
        }
        const FieldPath root;
        const FieldPath chains = root.field("instruction_chains");
        const FieldPath path = chains.at(chain);
        if (nesting > maxNesting) {
            return view.fail(
                ErrorCode::Format, path, nullptr,
                fmt::format("expected at most {} chains inside one another; chain {} may run itself",
                            maxNesting, chain));
        }
        ChainCost cost{.depth = 1, .nodes = payload.chains[chain].size()};
        for (const Node& node : payload.chains[chain]) {
            for (const std::uint32_t inner : chainsOf(node)) {
                if (inner == chain) {
                    return view.fail(
                        ErrorCode::Format, path, nullptr,
                        fmt::format("chain {} runs itself by a node {}", chain, node.kind->name));
                }
                ET_ASSIGN(const ChainCost below, costOf(inner, nesting + 1));
                cost.depth = std::max(cost.depth, below.depth + 1);
                cost.nodes += below.nodes;
                if (cost.nodes > maxExpandedNodes) {
                    return view.fail(
                        ErrorCode::Limit, path, nullptr,
                        fmt::format("expected at most {} nodes, with those of the chains that it "
                                    "runs, got more",
                                    maxExpandedNodes));
                }
            }
        }
        if (cost.depth > maxNesting) {
            return view.fail(
                ErrorCode::Format, path, nullptr,
                fmt::format("expected at most {} chains inside one another, got {}", maxNesting, cost.depth));
        }
        costs[chain] = cost;
        return cost;
    }

    FlatView& view;
    const schema::Graph& graph;
    core::Bytes bytes;
    ByteCoverage* coverage;
    Payload payload;
    std::vector<ChainCost> costs;  ///< by chain
};

}  // namespace

Result<Payload> readPayload(core::Bytes payload, ByteCoverage* coverage) {
    ET_ASSIGN(const PayloadParts parts, findPayloadParts(payload));
    if (coverage != nullptr) {
        coverage->add(payload.data(), headerSize + sizeof(flatbuffers::uoffset_t));
    }
    FlatView view(parts.flatbuffer, headerSize);
    ET_ASSIGN(const schema::Graph* root, view.root<schema::Graph>(""));
    return Reader(view, *root, parts.flatbuffer, coverage).read();
}

}  // namespace et::backends::mlx
