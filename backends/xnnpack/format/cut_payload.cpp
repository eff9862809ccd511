#include "backends/xnnpack/format/cut_payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// By value: the node that writes it.
std::vector<std::optional<std::size_t>> writersIn(const Payload& payload) {
    std::vector<std::optional<std::size_t>> writers(payload.values.size());
    for (std::size_t node = 0; node < payload.nodes.size(); ++node) {
        for (const ValueIndex output : payload.nodes[node].outputs) {
            writers[output] = node;
        }
    }
    return writers;
}

/// Builds a payload from selected nodes.
class PartWriter {
  public:
    PartWriter(const Payload& from, const std::set<std::size_t>& which)
        : whole(from), nodes(which), writers(writersIn(from)) {}

    Result<PayloadCut> write(const std::vector<ValueIndex>& outputs) {
        cut.payload.version = whole.version;
        cut.payload.copied = whole.copied;
        cut.payload.constants.push_back({});
        addInputs();
        for (const ValueIndex output : outputs) {
            if (!isHeldByTensors(whole.value(output).datatype)) {
                return fail(ErrorCode::Unsupported,
                            fmt::format("value {} leaves the part, and no tensor can hold a {}",
                                        whole.value(output).id, datatypeName(whole.value(output).datatype)));
            }
            addExternal(output, cut.outputs).isOutput = true;
        }
        for (const std::size_t index : nodes) {
            PayloadNode node = whole.nodes[index];
            for (ValueIndex& each : node.inputs) {
                each = each == noValue ? noValue : partOf(each);
            }
            for (ValueIndex& each : node.outputs) {
                each = partOf(each);
            }
            cut.payload.nodes.push_back(std::move(node));
        }
        return std::move(cut);
    }

  private:
    void addInputs() {
        for (const std::size_t index : nodes) {
            for (const ValueIndex input : whole.nodes[index].inputs) {
                if (input == noValue || whole.value(input).constant != 0 || known.contains(input) ||
                    (writers[input] && nodes.contains(*writers[input]))) {
                    continue;
                }
                addExternal(input, cut.inputs).isInput = true;
            }
        }
    }

    PayloadValue& addExternal(ValueIndex value, std::vector<ValueIndex>& list) {
        list.push_back(value);
        const ValueIndex index = partOf(value);
        PayloadValue& made = cut.payload.values[index];
        made.externalId = static_cast<std::uint32_t>(cut.payload.externals.size());
        cut.payload.externals.push_back(index);
        return made;
    }

    ValueIndex partOf(ValueIndex value) {
        const auto [at, isNew] = known.emplace(value, static_cast<ValueIndex>(cut.payload.values.size()));
        if (isNew) {
            PayloadValue made = whole.value(value);
            made.externalId.reset();
            made.isInput = false;
            made.isOutput = false;
            made.isQuantizedFirst = false;
            made.constant = constantOf(made.constant);
            if (auto* const channels = std::get_if<PerChannelQuantization>(&made.quantization)) {
                channels->scaleConstant = constantOf(channels->scaleConstant);
            } else if (auto* const blocks = std::get_if<BlockwiseQuantization>(&made.quantization)) {
                blocks->scaleConstant = constantOf(blocks->scaleConstant);
            }
            cut.payload.values.push_back(std::move(made));
            cut.origins.push_back(value);
        }
        return at->second;
    }

    std::uint32_t constantOf(std::uint32_t constant) {
        if (constant == 0) {
            return 0;
        }
        const auto [at, isNew] =
            constants.emplace(constant, static_cast<std::uint32_t>(cut.payload.constants.size()));
        if (isNew) {
            cut.payload.constants.push_back(whole.constants[constant]);
        }
        return at->second;
    }

    const Payload& whole;
    const std::set<std::size_t>& nodes;
    std::vector<std::optional<std::size_t>> writers;
    std::map<ValueIndex, ValueIndex> known;
    std::map<std::uint32_t, std::uint32_t> constants;
    PayloadCut cut;
};

/// Adds the nodes that produce the inputs of `nodes` for which `wanted` returns true.
void addMakers(const Payload& whole, std::set<std::size_t>& nodes,
               const std::function<bool(const PayloadValue&)>& wanted) {
    const auto writers = writersIn(whole);
    std::vector<std::size_t> open(nodes.begin(), nodes.end());
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        for (const ValueIndex input : whole.nodes[node].inputs) {
            if (input != noValue && writers[input] && wanted(whole.value(input)) &&
                nodes.insert(*writers[input]).second) {
                open.push_back(*writers[input]);
            }
        }
    }
}

}  // namespace

bool isHeldByTensors(Datatype type) {
    switch (type) {
        case Datatype::Fp32:
        case Datatype::Fp16:
        case Datatype::BFloat16:
        case Datatype::QInt8:
        case Datatype::QUInt8:
        case Datatype::Int32:
            return true;
        default:
            return false;
    }
}

Result<PayloadCut> cutNodes(const Payload& whole, std::span<const std::size_t> wanted) {
    if (wanted.empty() || wanted.back() >= whole.nodes.size() ||
        std::ranges::adjacent_find(wanted, std::greater_equal()) != wanted.end()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected ascending nodes below {} of the delegate", whole.nodes.size()));
    }
    std::set<std::size_t> nodes(wanted.begin(), wanted.end());
    addMakers(whole, nodes, [](const PayloadValue& value) { return !isHeldByTensors(value.datatype); });
    std::set<ValueIndex> readOutside;
    std::set<ValueIndex> readInside;
    for (std::size_t i = 0; i < whole.nodes.size(); ++i) {
        const auto& inputs = whole.nodes[i].inputs;
        (nodes.contains(i) ? readInside : readOutside).insert(inputs.begin(), inputs.end());
    }
    std::vector<ValueIndex> outputs;
    for (const std::size_t node : nodes) {
        for (const ValueIndex output : whole.nodes[node].outputs) {
            // A conversion that was added has a reader in the part already, regardless of other readers.
            const bool mayStay =
                !isHeldByTensors(whole.value(output).datatype) && readInside.contains(output);
            if (whole.value(output).isOutput || (readOutside.contains(output) && !mayStay)) {
                outputs.push_back(output);
            }
        }
    }
    return PartWriter(whole, nodes).write(outputs);
}

Result<PayloadCut> cutValues(const Payload& whole, std::span<const ValueIndex> values) {
    const auto writers = writersIn(whole);
    std::set<std::size_t> nodes;
    for (const ValueIndex value : values) {
        if (value >= writers.size() || !writers[value]) {
            return fail(ErrorCode::InvalidArgument, fmt::format("no node produces value {}", value));
        }
        nodes.insert(*writers[value]);
    }
    addMakers(whole, nodes, [](const PayloadValue&) { return true; });
    // Every result of a node must have a reader.
    std::vector<ValueIndex> outputs(values.begin(), values.end());
    for (const std::size_t node : nodes) {
        for (const ValueIndex output : whole.nodes[node].outputs) {
            const bool isRead = std::ranges::any_of(nodes, [&](std::size_t each) {
                return std::ranges::contains(whole.nodes[each].inputs, output);
            });
            if (!isRead && !std::ranges::contains(outputs, output)) {
                outputs.push_back(output);
            }
        }
    }
    return PartWriter(whole, nodes).write(outputs);
}

}  // namespace et::backends::xnnpack
