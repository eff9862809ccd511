#include "backends/xnnpack/quantize/quantizer_nodes.h"

#include "backends/lowering/node_arguments.h"
#include "backends/reference/node_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using core::Result;
using core::ScalarType;
using etrecord::Argument;
using etrecord::Node;
using lowering::EdgeMethod;
using lowering::NodeIndex;
using reference::ReferenceTensor;

constexpr std::string_view dialect = "executorch.exir.dialects.edge.ops.";

Argument tensorArgument(std::string name, std::string value) {
    return {
        .name = std::move(name), .kind = "as_tensor", .value = etrecord::ValueRef{.name = std::move(value)}};
}
Argument integer(std::string name, std::int64_t number) {
    return {.name = std::move(name), .kind = "as_int", .value = number};
}
Argument int8Type() {
    return {.name = "dtype",
            .kind = "as_scalar_type",
            .value = std::int64_t{std::to_underlying(ScalarType::Char)}};
}

/// Index of an element's place along an axis of a row-major tensor.
struct AxisWalk {
    std::size_t inner = 1;
    std::size_t count = 1;
    AxisWalk(const core::Tensor& tensor, std::size_t axis)
        : count(static_cast<std::size_t>(tensor.size(axis))) {
        for (std::size_t i = axis + 1; i < tensor.dim(); ++i) {
            inner *= static_cast<std::size_t>(tensor.size(i));
        }
    }
    [[nodiscard]] std::size_t operator[](std::size_t element) const { return element / inner % count; }
};

std::span<const float> floatsOf(const core::Tensor& tensor) {
    return {tensor.data<float>(), static_cast<std::size_t>(tensor.numel())};
}

/// The method's graph with quantizers, node by node.
class Insertion {
  public:
    Insertion(EdgeMethod& ofMethod, const ExportedOperators& ofOperators, ModelDraft& ofDraft)
        : method(ofMethod), operators(ofOperators), draft(ofDraft) {}

    Result<> run(std::span<const QuantizationSite> sites, const Annotation& annotation,
                 std::span<const QuantizationNumbers> numbers) {
        for (const QuantizedValue& each : annotation.values) {
            quantizers[each.value] = {.from = &each, .numbers = numbers[each.scale], .integers = {}};
        }
        for (const std::size_t site : annotation.weights) {
            ET_TRY(addWeight(sites[site]));
        }
        std::vector<Node> old = std::exchange(draft.graph.nodes, {});
        for (NodeIndex i = 0; i < old.size(); ++i) {
            ET_TRY(addNode(i, std::move(old[i])));
        }
        return readOutputs();
    }

  private:
    struct Quantizer {
        const QuantizedValue* from = nullptr;
        QuantizationNumbers numbers;
        std::string integers;  ///< the int8 value, once there is one
    };
    struct Weight {
        std::string integers{};
        std::string scales{};
        std::string zeroPoints{};
        std::size_t axis = 0;
        std::size_t op = 0;
    };

    Result<> addWeight(const QuantizationSite& site) {
        ET_ASSIGN(const ReferenceTensor tensor, method.tensor(site.weight));
        const std::size_t axis = site.weightAxis();
        const ChannelScales scales = channelScales(tensor.view, axis);
        const auto integers = quantizedChannels(tensor.view, axis, scales);
        const std::vector<std::int64_t> zeros(scales.size(), 0);
        const std::vector<std::int64_t> channels{static_cast<std::int64_t>(scales.size())};
        const std::size_t number = weights.size();
        Weight made{.axis = axis, .op = site.op};
        made.integers =
            buffer("_frozen_param", frozen++,
                   tensorOf(ScalarType::Char, sizesOf(tensor.view), std::as_bytes(std::span(integers))));
        made.scales = buffer("_scale_", number,
                             tensorOf(ScalarType::Float, channels, std::as_bytes(std::span(scales))));
        made.zeroPoints = buffer("_zero_point_", number,
                                 tensorOf(ScalarType::Long, channels, std::as_bytes(std::span(zeros))));
        weights.emplace(site.weight, std::move(made));
        return {};
    }

    static std::vector<std::int64_t> sizesOf(const core::Tensor& tensor) {
        return {tensor.sizes().begin(), tensor.sizes().end()};
    }

    std::string buffer(std::string_view name, std::size_t number, ReferenceTensor tensor) {
        const std::string target = fmt::format("{}{}", name, number);
        return draft.addTensor("buffer", "b_" + target, target, std::move(tensor));
    }

    Result<> addNode(NodeIndex index, Node node) {
        std::map<std::string, std::string> renamed;
        std::vector<std::string> read;
        for (const Argument& argument : node.inputs) {
            reference::forNames(argument, [&](const std::string& name) { read.push_back(name); });
        }
        for (const std::string& value : read) {
            if (!renamed.contains(value)) {
                ET_ASSIGN(std::string dequantized, dequantizedFor(value, index, node));
                renamed.emplace(value, std::move(dequantized));
            }
        }
        for (Argument& argument : node.inputs) {
            renameValues(argument, [&](std::string& name) {
                if (const auto found = renamed.find(name); found != renamed.end() && !found->second.empty()) {
                    name = found->second;
                }
            });
        }
        draft.graph.nodes.push_back(std::move(node));
        return {};
    }

    /// What a node reads in place of a value; empty: the value itself.
    Result<std::string> dequantizedFor(const std::string& value, NodeIndex index, const Node& reader) {
        const std::size_t op = operators.operatorOf(index);
        for (auto [weight, end] = weights.equal_range(value); weight != end; ++weight) {
            if (weight->second.op == op) {
                return dequantizedWeight(weight->second, value, reader);
            }
        }
        const auto found = quantizers.find(value);
        const bool reads =
            found != quantizers.end() && operators.producer(value) != op &&
            (found->second.from->everyReader || std::ranges::contains(found->second.from->readers, op));
        if (!reads) {
            return std::string();
        }
        ET_TRY(quantize(value, found->second, reader));
        return dequantize(value, found->second, reader);
    }

    std::string dequantizedWeight(const Weight& weight, std::string_view value, const Node& like) {
        const std::string made =
            draft.addValue("quantized_decomposed_dequantize_per_channel_default", value, ScalarType::Float);
        add("quantized_decomposed.dequantize_per_channel.default", made, like,
            {tensorArgument("input", weight.integers), tensorArgument("scales", weight.scales),
             tensorArgument("zero_points", weight.zeroPoints),
             integer("axis", static_cast<std::int64_t>(weight.axis)),
             integer("quant_min", weightIntegers.low), integer("quant_max", weightIntegers.high),
             int8Type()});
        return made;
    }

    static std::vector<Argument> tensorNumbers(std::string input, const QuantizationNumbers& numbers) {
        return {tensorArgument("input", std::move(input)),
                {.name = "scale", .kind = "as_float", .value = static_cast<double>(numbers.scale)},
                integer("zero_point", numbers.zeroPoint),
                integer("quant_min", activationIntegers.low),
                integer("quant_max", activationIntegers.high),
                int8Type()};
    }

    /// At the first reader: all that come later find the integers.
    Result<> quantize(const std::string& value, Quantizer& quantizer, const Node& reader) {
        if (!quantizer.integers.empty()) {
            return {};
        }
        if (method.isConstant(value)) {
            ET_ASSIGN(const ReferenceTensor tensor, method.tensor(value));
            std::vector<std::int8_t> integers;
            for (const float number : floatsOf(tensor.view)) {
                integers.push_back(
                    static_cast<std::int8_t>(quantized(number, quantizer.numbers, activationIntegers)));
            }
            quantizer.integers =
                buffer("_frozen_param", frozen++,
                       tensorOf(ScalarType::Char, sizesOf(tensor.view), std::as_bytes(std::span(integers))));
            return {};
        }
        quantizer.integers =
            draft.addValue("quantized_decomposed_quantize_per_tensor_default", value, ScalarType::Char);
        const auto producer = method.producer(value);
        add("quantized_decomposed.quantize_per_tensor.default", quantizer.integers,
            producer ? method.node(*producer) : reader, tensorNumbers(value, quantizer.numbers));
        return {};
    }

    std::string dequantize(const std::string& value, const Quantizer& quantizer, const Node& reader) {
        const std::string made =
            draft.addValue("quantized_decomposed_dequantize_per_tensor_default", value, ScalarType::Float);
        add("quantized_decomposed.dequantize_per_tensor.default", made, reader,
            tensorNumbers(quantizer.integers, quantizer.numbers));
        return made;
    }

    /// A node of one result, from the line of Python of another one.
    void add(std::string_view op, const std::string& result, const Node& like, std::vector<Argument> inputs) {
        Node node{.name = result,
                  .target = fmt::format("{}{}", dialect, op),
                  .op = std::string(op),
                  .inputs = std::move(inputs),
                  .outputs = {tensorArgument({}, result)},
                  .stackTrace = like.stackTrace,
                  .moduleStack = like.moduleStack,
                  .debugHandles = {draft.newHandle()},
                  .metadata = {}};
        draft.graph.nodes.push_back(std::move(node));
    }

    /// The caller gets numbers that went through the integers, too.
    Result<> readOutputs() {
        std::map<std::string, std::string> renamed;
        for (auto& [value, quantizer] : quantizers) {
            if (!quantizer.from->everyReader || !method.isOutput(value)) {
                continue;
            }
            const auto producer = method.producer(value);
            const Node like = producer ? method.node(*producer) : Node{};
            ET_TRY(quantize(std::string(value), quantizer, like));
            renamed.emplace(value, dequantize(std::string(value), quantizer, like));
        }
        const auto rename = [&](std::string& name) {
            if (const auto found = renamed.find(name); found != renamed.end()) {
                name = found->second;
            }
        };
        std::ranges::for_each(draft.graph.outputs, [&](Argument& each) { renameValues(each, rename); });
        for (etrecord::OutputSpec& output : draft.graph.outputSpecs) {
            rename(output.value);
            renameValues(output.argument, rename);
        }
        return {};
    }

    EdgeMethod& method;
    const ExportedOperators& operators;
    ModelDraft& draft;
    std::map<std::string_view, Quantizer, std::less<>> quantizers;
    std::multimap<std::string_view, Weight, std::less<>> weights;
    std::size_t frozen = 0;
};

}  // namespace

ChannelScales channelScales(const core::Tensor& weight, std::size_t axis) {
    const AxisWalk channelOf(weight, axis);
    std::vector<ValueRange> ranges(channelOf.count);
    const auto numbers = floatsOf(weight);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        ValueRange& range = ranges[channelOf[i]];
        range.low = std::min(range.low, numbers[i]);
        range.high = std::max(range.high, numbers[i]);
    }
    ChannelScales scales;
    for (const ValueRange& range : ranges) {
        scales.push_back(symmetricNumbers(range, weightIntegers).scale);
    }
    return scales;
}

std::vector<std::int8_t> quantizedChannels(const core::Tensor& weight, std::size_t axis,
                                           std::span<const float> scales) {
    const AxisWalk channelOf(weight, axis);
    const auto numbers = floatsOf(weight);
    std::vector<std::int8_t> integers;
    integers.reserve(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        integers.push_back(static_cast<std::int8_t>(
            quantized(numbers[i], {.scale = scales[channelOf[i]], .zeroPoint = 0}, weightIntegers)));
    }
    return integers;
}

Result<> insertQuantizers(EdgeMethod& method, const ExportedOperators& operators,
                          std::span<const QuantizationSite> sites, const Annotation& annotation,
                          std::span<const QuantizationNumbers> numbers, ModelDraft& draft) {
    return Insertion(method, operators, draft).run(sites, annotation, numbers);
}

}  // namespace et::backends::xnnpack
