#include "backends/mlx/describe.h"

#include "backends/call_graph.h"
#include "backends/mlx/read_payload.h"
#include "backends/mlx/result_types.h"
#include "backends/payload_data.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::mlx {
namespace {

using core::GraphGroup;
using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;

std::string dimensionText(const Dimension& dimension) {
    if (dimension.size >= 0) {
        return fmt::to_string(dimension.size);
    }
    return dimension.maximum < 0 ? fmt::format("{}..", dimension.minimum)
                                 : fmt::format("{}..{}", dimension.minimum, dimension.maximum);
}

/// Bytes of the largest tensor; 0 if unbounded.
std::uint64_t largestBytes(const TensorMeta& meta) {
    std::vector<std::int64_t> sizes;
    for (const Dimension& dimension : meta.sizes) {
        sizes.push_back(dimension.size >= 0 ? dimension.size : dimension.maximum);
    }
    const auto dtype = core::scalarType(meta.dtype);
    return dtype ? denseBytes(std::uint64_t{dtype->bytes} * 8, sizes) : 0;
}

std::uint64_t typeBytes(const TensorType& type) {
    return denseBytes(core::elementBytes(type.dtype) * std::uint64_t{8}, type.sizes);
}

bool isRowMajor(const std::vector<std::uint8_t>& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] != i) {
            return false;
        }
    }
    return true;
}

std::string itemText(const Item& item) {
    switch (item.kind) {
        case Item::Kind::Float:
            return fmt::format("{}", static_cast<float>(item.real));
        case Item::Kind::Bool:
            return item.whole != 0 ? "true" : "false";
        case Item::Kind::Dtype:
            return core::scalarTypeName(static_cast<std::int8_t>(item.whole));
        case Item::Kind::Value:
            return fmt::format("v{}", item.number);
        case Item::Kind::Tensor:
            return fmt::format("t{}", item.number);
        case Item::Kind::Chain:
            return fmt::format("chain {}", item.number);
        case Item::Kind::Int:
            break;
    }
    return fmt::to_string(item.whole);
}

/// Joins the texts of a list: "[1, v0]".
template <class Items, class ToText>
std::string joined(const Items& items, const ToText& toText) {
    std::string text = "[";
    for (const auto& item : items) {
        text += (text.size() > 1 ? ", " : "") + toText(item);
    }
    return text + "]";
}

/// A field that is no tensor; empty: omitted.
std::string fieldText(const Field& field) {
    if (const auto* item = std::get_if<Item>(&field)) {
        return itemText(*item);
    }
    if (const auto* items = std::get_if<std::vector<Item>>(&field)) {
        return joined(*items, itemText);
    }
    if (const auto* text = std::get_if<std::string_view>(&field)) {
        return core::printable(*text);
    }
    if (const auto* texts = std::get_if<std::vector<std::string_view>>(&field)) {
        return joined(*texts, [](std::string_view each) { return core::printable(each); });
    }
    return {};
}

/// Whether the field consists of tensors, which are values of the graph instead of attributes.
bool isTensorField(FieldKind kind) {
    switch (kind) {
        case FieldKind::Tensor:
        case FieldKind::OptionalTensor:
        case FieldKind::Tensors:
        case FieldKind::Result:
        case FieldKind::Results:
        case FieldKind::StackedResults:
        case FieldKind::Carried:
        case FieldKind::ValueResult:
            return true;
        default:
            return false;
    }
}

/// Names of a kind's inputs, if each is one tensor: "x weight".
std::string_view inputNamesOf(const Node& node) {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> names(nodeKindCount() + 1);
        for (std::size_t number = 1; number < names.size(); ++number) {
            for (const FieldInfo& field : nodeKind(static_cast<std::uint8_t>(number))->fields) {
                if (field.kind == FieldKind::Tensor || field.kind == FieldKind::OptionalTensor) {
                    names[number] += (names[number].empty() ? "" : " ") + std::string(field.name);
                }
            }
        }
        return names;
    }();
    bool isOmitted = false;
    for (std::size_t i = 0; i < node.fields.size(); ++i) {
        const bool isTensor = isTensorField(node.kind->fields[i].kind);
        const bool isEmpty = std::holds_alternative<std::monostate>(node.fields[i]);
        if (isTensor && isOmitted && !isEmpty && !accessOf(node.kind->fields[i].kind).writes) {
            return {};
        }
        isOmitted = isOmitted || (isTensor && isEmpty);
    }
    return all[node.number];
}

/// Small files may refer to one long text from many nodes; no real payload has this much per byte.
constexpr std::uint64_t textPerByte = 16;
constexpr std::uint64_t spareText = std::uint64_t{1} << 20U;

class Describer {
  public:
    Describer(const Payload& read, std::size_t payloadSize, const executor::NamedDataSource& source)
        : payload(read),
          namedData(source),
          types(read),
          calls(std::size_t{read.tensorCount()} + read.valueNumbers),
          isEmitted(read.chains.size(), false),
          textLeft(textPerByte * payloadSize + spareText) {}

    ModelGraph describe() {
        declareTensors();
        std::size_t argument = 0;
        for (const Slot& slot : payload.inputs) {
            calls.setInput(declared(slot), argument++);
        }
        const bool isSingle = payload.chains.size() == 1;
        if (payload.initChain) {
            emit(*payload.initChain, addGroup({.name = "init chain", .kind = "subgraph"}));
        }
        emit(payload.mainChain,
             isSingle ? std::nullopt : addGroup({.name = "main chain", .kind = "subgraph"}));
        for (const Slot& slot : payload.outputs) {
            calls.setOutput(declared(slot), argument++);
        }
        for (std::uint32_t chain = 0; chain < payload.chains.size(); ++chain) {
            emit(chain,
                 addGroup({.name = fmt::format("chain {}, which nothing runs", chain), .kind = "subgraph"}));
        }
        ModelGraph graph = calls.finish();
        for (GraphGroup& group : groups) {
            graph.addGroup(std::move(group));
        }
        return graph;
    }

  private:
    using GroupId = std::optional<core::GraphGroupId>;

    static std::size_t numberOf(const Item& item, const Payload& of) {
        return item.kind == Item::Kind::Tensor ? item.number : std::size_t{of.tensorCount()} + item.number;
    }

    void declareTensors() {
        std::map<TensorNumber, std::string_view> names;
        for (const NamedSlot& named : payload.names) {
            if (named.slot.type == SlotType::Tensor) {
                names.try_emplace(named.slot.number, named.name);
            }
        }
        for (TensorNumber tensor = 0; tensor < payload.tensorCount(); ++tensor) {
            if (payload.meta(tensor) != nullptr || payload.roleOf(tensor) != Role::Temporary) {
                const auto name = names.find(tensor);
                calls.declare(
                    tensor, describeTensor(tensor, name == names.end() ? std::string_view() : name->second));
            }
        }
    }

    GraphValue describeTensor(TensorNumber tensor, std::string_view name) const {
        GraphValue value{.name = fmt::format("t{}", tensor), .type = {}};
        if (const TensorMeta* meta = payload.meta(tensor)) {
            value.type = fmt::format("{} {}", core::scalarTypeName(meta->dtype), sizesText(*meta));
            value.bytes = largestBytes(*meta);
            if (!isRowMajor(meta->dimOrder)) {
                value.attributes.push_back({"dimension order", joined(meta->dimOrder, [](std::uint8_t each) {
                                                return fmt::to_string(each);
                                            })});
            }
        }
        const Role role = payload.roleOf(tensor);
        if (role == Role::MutableBuffer) {
            describeBuffer(name, value);
        } else if (role == Role::Constant) {
            value.role = GraphValue::Role::Constant;
            describeNamedConstant(name, namedData, value);
        } else if (!name.empty()) {
            value.attributes.push_back({"name", core::printable(name)});
        }
        return value;
    }

    /// A buffer that starts as zeros has no data.
    void describeBuffer(std::string_view name, GraphValue& value) const {
        const bool hasData = namedData.find(name).has_value();
        value.attributes.push_back({"mutable buffer", hasData ? "initialized" : "zeros at first"});
        if (hasData) {
            value.role = GraphValue::Role::Constant;
            describeNamedConstant(name, namedData, value);
        } else {
            value.attributes.push_back({std::string(dataNameAttribute), std::string(name)});
        }
    }

    /// The number of a slot in the call graph.
    std::size_t declared(const Slot& slot) {
        const bool isTensor = slot.type == SlotType::Tensor;
        return declared({.kind = isTensor ? Item::Kind::Tensor : Item::Kind::Value, .number = slot.number});
    }

    std::size_t declared(const Item& item) {
        const std::size_t number = numberOf(item, payload);
        if (!calls.isDeclared(number)) {
            calls.declare(number, {.name = itemText(item),
                                   .type = item.kind == Item::Kind::Tensor ? "tensor" : "number"});
        }
        return number;
    }

    GroupId addGroup(GraphGroup group) {
        groups.push_back(std::move(group));
        return core::GraphGroupId(static_cast<std::uint32_t>(groups.size() - 1));
    }

    /// Numbers that a chain writes, including those of the chains that it runs.
    using Written = std::map<std::size_t, core::GraphValueId>;

    Written emit(std::uint32_t chain, GroupId group) {
        if (isEmitted[chain]) {
            if (group) {
                groups.pop_back();
            }
            return {};
        }
        isEmitted[chain] = true;
        Written written;
        for (const Node& node : payload.chains[chain]) {
            for (const auto& [number, value] : emitNode(node, group)) {
                written[number] = value;
            }
        }
        return written;
    }

    /// A branch's results flow into its node; a loop's body follows its node.
    Written emitNode(const Node& node, GroupId group) {
        GraphNode made{.name = fmt::format("n{}", position++), .kind = std::string(node.kind->name)};
        const std::vector<std::uint32_t> inner = chainsOf(node);
        Written written;
        if (inner.size() > 1) {
            written = emitBranches(node, inner, group, made);
        }
        addFields(node, made, written);
        made.inputNames = inner.empty() ? inputNamesOf(node) : std::string_view();
        made.group = group;
        calls.addNode(std::move(made));
        if (inner.size() == 1) {
            for (const auto& [number, value] : emit(inner[0], addInner(inner[0], "body", "loop", group))) {
                written[number] = value;
            }
        }
        return written;
    }

    GroupId addInner(std::uint32_t chain, std::string_view what, std::string_view kind, GroupId parent) {
        return isEmitted[chain] ? std::nullopt
                                : addGroup({.name = fmt::format("chain {}: {}", chain, what),
                                            .parent = parent,
                                            .kind = std::string(kind)});
    }

    Written emitBranches(const Node& node, const std::vector<std::uint32_t>& chains, GroupId group,
                         GraphNode& made) {
        const std::string condition = fieldText(node.fields.front());
        std::vector<Written> branches;
        for (std::size_t i = 0; i < chains.size(); ++i) {
            const std::string when = fmt::format("when {}{}", i == 0 ? "" : "not ", condition);
            branches.push_back(emit(chains[i], addInner(chains[i], when, "branch", group)));
        }
        Written selected;
        for (const auto& [number, value] : branches.front()) {
            const auto other = branches.back().find(number);
            if (other != branches.back().end()) {
                made.inputs.push_back(value);
                made.inputs.push_back(other->second);
                made.outputs.push_back(calls.write(number));
                selected[number] = made.outputs.back();
            }
        }
        return selected;
    }

    void addFields(const Node& node, GraphNode& made, Written& written) {
        // Reads come before writes, regardless of the order of the fields.
        for (std::size_t i = 0; i < node.fields.size(); ++i) {
            const FieldInfo& info = node.kind->fields[i];
            if (accessOf(info.kind).reads) {
                forItems(node.fields[i], [&](const Item& item) {
                    if (item.kind == Item::Kind::Tensor || item.kind == Item::Kind::Value) {
                        made.inputs.push_back(calls.read(declared(item)));
                    }
                });
            }
            if (!isTensorField(info.kind)) {
                addAttribute(info.name, fieldText(node.fields[i]), made);
            }
        }
        types.add(node);
        for (std::size_t i = 0; i < node.fields.size(); ++i) {
            if (accessOf(node.kind->fields[i].kind).writes) {
                forItems(node.fields[i], [&](const Item& item) {
                    const std::size_t number = declared(item);
                    made.outputs.push_back(calls.write(number));
                    describeType(item, number);
                    written[number] = made.outputs.back();
                });
            }
        }
    }

    /// Temporaries are reused with other types.
    void describeType(const Item& item, std::size_t number) {
        const bool isTensor = item.kind == Item::Kind::Tensor;
        if (isTensor &&
            (payload.meta(item.number) == nullptr || payload.roleOf(item.number) == Role::Constant)) {
            const auto& type = types.of(item.number);
            calls.setType(number, type ? typeText(*type) : "tensor", type ? typeBytes(*type) : 0);
        }
    }

    void addAttribute(std::string_view name, std::string text, GraphNode& made) {
        if (text.empty()) {
            return;
        }
        if (text.size() > textLeft) {
            text.resize(static_cast<std::size_t>(textLeft));
            text += "…";
        }
        textLeft -= std::min<std::uint64_t>(textLeft, text.size());
        made.attributes.push_back({std::string(name), std::move(text)});
    }

    const Payload& payload;
    const executor::NamedDataSource& namedData;
    ResultTypes types;
    CallGraph calls;
    std::vector<GraphGroup> groups;
    std::vector<bool> isEmitted;  ///< by chain
    std::uint64_t textLeft;
    std::size_t position = 0;
};

}  // namespace

std::string sizesText(const TensorMeta& meta) {
    return joined(meta.sizes, dimensionText);
}

core::Result<ModelGraph> describe(core::Bytes bytes, const executor::NamedDataSource& namedData) {
    ET_ASSIGN(const Payload payload, readPayload(bytes));
    return Describer(payload, bytes.size(), namedData).describe();
}

core::Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                            PayloadContents& contents) {
    return readPayload(delegate.payload, &contents.described).transform([](const Payload&) {});
}

}  // namespace et::backends::mlx
