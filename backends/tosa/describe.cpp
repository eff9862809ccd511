#include "backends/tosa/describe.h"

#include "backends/call_graph.h"
#include "backends/payload_data.h"
#include "backends/tosa/elements.h"
#include "backends/tosa/locations.h"
#include "backends/tosa/read_payload.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::tosa {
namespace {

using core::GraphGroup;
using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;

constexpr std::size_t maxElements = 8;  ///< of a constant that are shown
constexpr std::size_t longestName = 256;
constexpr std::size_t longestText = 1024;

/// Small files may refer to one long text from many operators; no real payload has this much per byte.
constexpr std::uint64_t textPerByte = 16;
constexpr std::uint64_t spareText = std::uint64_t{1} << 20U;

std::string blockName(const Block& block) {
    return core::printable((block.region.empty() ? block.name : block.region).substr(0, longestName));
}

std::string bytesText(core::Bytes bytes) {
    const std::string_view text = core::textOf(bytes);
    return core::printable(text.substr(0, longestText));
}

std::string numberText(FieldKind kind, std::int64_t number) {
    const auto code = static_cast<std::uint32_t>(number);
    switch (kind) {
        case FieldKind::Bool:
            return number != 0 ? "true" : "false";
        case FieldKind::Datatype: {
            const DatatypeInfo* const type = datatypeInfo(code);
            return type == nullptr ? fmt::format("datatype {}", code) : std::string(type->name);
        }
        case FieldKind::ResizeMode:
        case FieldKind::NanMode:
        case FieldKind::RoundingMode: {
            const std::string_view name = modeName(kind, code);
            return name.empty() ? fmt::format("mode {}", code) : std::string(name);
        }
        default:
            return fmt::to_string(number);
    }
}

class Describer {
  public:
    Describer(const Payload& read, std::size_t payloadSize)
        : payload(read), calls(countTensors(read)), textLeft(textPerByte * payloadSize + spareText) {
        for (const Block& block : payload.blocks) {
            for (const Operator& each : block.operators) {
                findRegions(each);
            }
        }
    }

    ModelGraph describe() {
        const Block& main = payload.blocks.front();
        declareTensors(main);
        std::size_t argument = 0;
        for (const TensorIndex input : main.inputs) {
            calls.setInput(input, argument++);
        }
        emit(main, std::nullopt);
        for (const TensorIndex output : main.outputs) {
            calls.setOutput(output, argument++);
        }
        for (std::size_t i = 1; i < payload.blocks.size(); ++i) {
            first += payload.blocks[i - 1].tensors.size();
            const Block& block = payload.blocks[i];
            declareTensors(block);
            groups.push_back({.name = take(blockName(block)),
                              .kind = kindOf(block.region),
                              .attributes = interface(block)});
            emit(block, core::GraphGroupId(static_cast<std::uint32_t>(groups.size() - 1)));
        }
        ModelGraph graph = calls.finish();
        for (GraphGroup& group : groups) {
            graph.addGroup(std::move(group));
        }
        return graph;
    }

  private:
    static std::size_t countTensors(const Payload& payload) {
        std::size_t count = 0;
        for (const Block& block : payload.blocks) {
            count += block.tensors.size();
        }
        return count;
    }

    void declareTensors(const Block& block) {
        std::vector<bool> isConstant(block.tensors.size());
        for (const Operator& each : block.operators) {
            for (const TensorIndex output : each.outputs) {
                isConstant[output] = isConstant[output] || each.isConstant();
            }
        }
        for (std::size_t i = 0; i < block.tensors.size(); ++i) {
            GraphValue value = describeTensor(block.tensors[i]);
            value.role = isConstant[i] ? GraphValue::Role::Constant : value.role;
            calls.declare(first + i, std::move(value));
        }
    }

    GraphValue describeTensor(const Tensor& tensor) {
        GraphValue value{.name = take(core::printable(tensor.name.substr(0, longestName))),
                         .type = typeText(tensor),
                         .bytes = typeBytes(tensor)};
        if (tensor.isVariable) {
            value.attributes.push_back(
                {"mutable buffer", tensor.data.empty() ? "zeros at first" : "initialized"});
            if (!tensor.variableName.empty()) {
                value.attributes.push_back(
                    {"variable", take(core::printable(tensor.variableName.substr(0, longestName)))});
            }
        }
        if (!tensor.data.empty()) {
            value.role = GraphValue::Role::Constant;
            value.bytes = tensor.data.size();
            value.data = tensor.data;
            addElements(tensor, value);
        }
        return value;
    }

    void addElements(const Tensor& tensor, GraphValue& value) {
        std::size_t count = 1;
        for (const std::int64_t size : tensor.sizes) {
            count = size >= 0 && std::cmp_less_equal(size, maxElements)
                        ? count * static_cast<std::size_t>(size)
                        : maxElements + 1;
            if (count > maxElements) {
                return;
            }
        }
        if (std::string text = elementsText(tensor.datatype, tensor.data, count, maxElements);
            !text.empty()) {
            value.attributes.push_back({"elements", take(std::move(text))});
        }
    }

    void emit(const Block& block, std::optional<core::GraphGroupId> group) {
        for (const Operator& each : block.operators) {
            if (!each.isConstant()) {
                emitOperator(block, each, group);
            }
        }
    }

    void emitOperator(const Block& block, const Operator& each, std::optional<core::GraphGroupId> group) {
        GraphNode node{.name = fmt::format("n{}", position++),
                       .kind = each.info == nullptr ? fmt::format("operator {}", each.number)
                                                    : std::string(each.info->name),
                       .group = group};
        if (each.info != nullptr) {
            node.inputNames = each.info->inputNames;
            addFields(block, each, node);
        }
        addOrigin(each, node);
        for (const TensorIndex input : each.inputs) {
            node.inputs.push_back(calls.read(first + input));
        }
        for (const TensorIndex output : each.outputs) {
            node.outputs.push_back(calls.write(first + output));
        }
        calls.addNode(std::move(node));
    }

    void addFields(const Block& block, const Operator& each, GraphNode& node) {
        for (std::size_t i = 0; i < each.fields.size(); ++i) {
            const FieldInfo& info = each.info->fields[i];
            if (std::string text = fieldText(block, each, info, each.fields[i]); !text.empty()) {
                node.attributes.push_back({std::string(info.name), take(std::move(text))});
            }
        }
    }

    /// An omitted number is 0.
    static std::string fieldText(const Block& block, const Operator& each, const FieldInfo& info,
                                 const Field& field) {
        if (const auto* number = std::get_if<std::int64_t>(&field)) {
            return numberText(info.kind, *number);
        }
        if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&field)) {
            return core::sizesText(*numbers);
        }
        if (const auto* text = std::get_if<std::string_view>(&field)) {
            return core::printable(text->substr(0, longestText));
        }
        if (const auto* bytes = std::get_if<core::Bytes>(&field)) {
            if (info.kind != FieldKind::Element) {
                return bytesText(*bytes);
            }
            const std::string list =
                each.inputs.empty() ? std::string()
                                    : elementsText(block.tensors[each.inputs.front()].datatype, *bytes, 1, 1);
            return list.size() > 2 ? list.substr(1, list.size() - 2) : list;
        }
        const bool isMode = info.kind == FieldKind::NanMode || info.kind == FieldKind::ResizeMode ||
                            info.kind == FieldKind::RoundingMode || info.kind == FieldKind::Datatype;
        return info.kind == FieldKind::Int || info.kind == FieldKind::Bool ? numberText(info.kind, 0)
               : isMode                                                    ? "unknown"
                                                                           : "";
    }

    void addOrigin(const Operator& each, GraphNode& node) {
        // Operators of one origin follow each other.
        if (each.location.data() != lastLocation.data() || each.location.size() != lastLocation.size()) {
            lastLocation = each.location;
            lastOrigin = each.location.size() > textLeft ? Origin() : originOf(each.location);
            textLeft -= std::min<std::uint64_t>(textLeft, each.location.size());
        }
        const auto add = [&](std::string_view name, const std::string& text) {
            if (!text.empty()) {
                node.attributes.push_back({std::string(name), take(text)});
            }
        };
        add("exported node", lastOrigin.node);
        add("exported operator", lastOrigin.target);
        add("module", lastOrigin.module);
        add("source", lastOrigin.source);
    }

    /// Records how control flow uses regions.
    void findRegions(const Operator& each) {
        for (std::size_t i = 0; i < each.fields.size(); ++i) {
            const auto* name = std::get_if<std::string_view>(&each.fields[i]);
            if (name != nullptr && each.info->fields[i].kind == FieldKind::Graph) {
                regionKinds.emplace(*name, each.info->name == "WHILE_LOOP" ? "loop" : "branch");
            }
        }
    }

    [[nodiscard]] std::string kindOf(std::string_view region) const {
        const auto found = regionKinds.find(region);
        return std::string(found == regionKinds.end() ? "subgraph" : found->second);
    }

    std::vector<core::GraphAttribute> interface(const Block& block) {
        const auto names = [&](const std::vector<TensorIndex>& list) {
            std::string text;
            for (const TensorIndex index : list) {
                if (text.size() > longestText) {
                    break;
                }
                text += text.empty() ? "" : ", ";
                text += core::printable(block.tensors[index].name.substr(0, longestName));
            }
            return take(std::move(text));
        };
        return {{"inputs", names(block.inputs)}, {"outputs", names(block.outputs)}};
    }

    /// The text, cut if there is too much text in all.
    std::string take(std::string text) {
        if (text.size() > textLeft) {
            text.resize(static_cast<std::size_t>(textLeft));
            text += "…";
        }
        textLeft -= std::min<std::uint64_t>(textLeft, text.size());
        return text;
    }

    const Payload& payload;
    CallGraph calls;
    std::vector<GraphGroup> groups;
    std::map<std::string_view, std::string_view> regionKinds;
    std::size_t first = 0;  ///< number of the first tensor of the current block
    std::size_t position = 0;
    std::uint64_t textLeft;
    std::string_view lastLocation;
    Origin lastOrigin;
};

}  // namespace

core::Result<ModelGraph> describe(core::Bytes bytes, const executor::NamedDataSource& /*namedData*/) {
    ET_ASSIGN(const Payload payload, readPayload(bytes));
    return Describer(payload, bytes.size()).describe();
}

core::Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                            PayloadContents& contents) {
    return readPayload(delegate.payload, &contents.described).transform([&](const Payload& payload) {
        for (const Block& block : payload.blocks) {
            for (const Tensor& tensor : block.tensors) {
                contents.described.add(tensor.data.data(), tensor.data.size());
            }
        }
    });
}

}  // namespace et::backends::tosa
