#include "backends/xnnpack/quantize/quantizer_nodes.h"

#include "backends/lowering/node_arguments.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/quantize/weight_integers.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using core::Result;
using core::ScalarType;
using etrecord::Argument;
using etrecord::Node;
using lowering::EdgeMethod;
using lowering::NodeIndex;
using reference::ReferenceTensor;

etrecord::Argument tensorArgument(std::string name, std::string value) {
    return {
        .name = std::move(name), .kind = "as_tensor", .value = etrecord::ValueRef{.name = std::move(value)}};
}
etrecord::Argument integer(std::string name, std::int64_t number) {
    return {.name = std::move(name), .kind = "as_int", .value = number};
}
etrecord::Argument integers(std::string name, std::span<const std::int64_t> numbers) {
    std::vector<etrecord::SymInt> list;
    for (const std::int64_t number : numbers) {
        list.push_back({.value = number, .expression = {}});
    }
    return {.name = std::move(name), .kind = "as_ints", .value = std::move(list)};
}
etrecord::Argument typeArgument(std::string name, core::ScalarType type) {
    return {
        .name = std::move(name), .kind = "as_scalar_type", .value = std::int64_t{std::to_underlying(type)}};
}
etrecord::Argument int8Type(std::string name) {
    return typeArgument(std::move(name), core::ScalarType::Char);
}

constexpr std::string_view dialect = "executorch.exir.dialects.edge.ops.";

/// The dtype for the integers of a value.
ScalarType typeOf(const QuantizationNumbers& numbers) {
    return numbers.integers.low < activationIntegers.low ? ScalarType::Short : ScalarType::Char;
}

/// Quantizes a constant.
template <class Integer>
ReferenceTensor integersOf(const core::Tensor& tensor, const QuantizationNumbers& numbers) {
    const std::span floats(tensor.data<float>(), static_cast<std::size_t>(tensor.numel()));
    std::vector<Integer> integers;
    for (const float number : floats) {
        integers.push_back(static_cast<Integer>(quantized(number, numbers, numbers.integers)));
    }
    const std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
    return tensorOf(typeOf(numbers), sizes, std::as_bytes(std::span(integers)));
}

/// Inserts quantizers into the method's graph, node by node.
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
            const QuantizationScheme scheme = annotation.schemeOf(site);
            ET_TRY(addWeight(sites[site], scheme));
            if (scheme.isDynamic()) {
                dynamicReaders.emplace(
                    productInput(method, operators, sites[site]),
                    DynamicReader{.op = sites[site].op, .rows = scheme.kind == SchemeKind::Dynamic4});
            }
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
        std::string integers;  ///< the int8 value, once created
    };
    struct Weight {
        std::string integers{};
        std::string scales{};
        std::string zeroPoints{};
        std::size_t axis = 0;
        std::size_t op = 0;
        std::int64_t block = 0;  ///< elements of a row that share a scale; 0: one scale per channel
    };
    /// An operator whose operand is quantized in each run: with one scale per row, or one for all.
    struct DynamicReader {
        std::size_t op = 0;
        bool rows = false;
    };
    using Sizes = std::vector<std::int64_t>;

    Result<> addWeight(const QuantizationSite& site, const QuantizationScheme& scheme) {
        ET_ASSIGN(const ReferenceTensor tensor, method.tensor(site.weight));
        Weight made{.axis = site.weightAxis(), .op = site.op};
        if (scheme.kind == SchemeKind::Dynamic4) {
            made.block = scheme.block;
            const BlockWeights blocks = quantizedBlocks(tensor.view, scheme.block);
            Sizes sizes = sizesOf(tensor.view);
            sizes.back() /= scheme.block;
            store(made, tensor.view, blocks.integers, blocks.scales, sizes);
        } else {
            const ChannelScales scales = channelScales(tensor.view, made.axis);
            store(made, tensor.view, quantizedChannels(tensor.view, made.axis, scales), scales,
                  {static_cast<std::int64_t>(scales.size())});
        }
        weights.emplace(site.weight, std::move(made));
        return {};
    }

    void store(Weight& made, const core::Tensor& like, std::span<const std::int8_t> integers,
               std::span<const float> scales, const Sizes& sizes) {
        const std::size_t number = weights.size();
        made.integers = buffer("_frozen_param", frozen++,
                               tensorOf(ScalarType::Char, sizesOf(like), std::as_bytes(integers)));
        made.scales = buffer("_scale_", number, tensorOf(ScalarType::Float, sizes, std::as_bytes(scales)));
        // Zero points are int8 for blocks and int64 for channels, as their operators require.
        const bool blocks = made.block != 0;
        const std::vector<std::byte> zeros(scales.size() *
                                           (blocks ? sizeof(std::int8_t) : sizeof(std::int64_t)));
        made.zeroPoints = buffer("_zero_point_", number,
                                 tensorOf(blocks ? ScalarType::Char : ScalarType::Long, sizes, zeros));
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

    /// The value that a node reads instead; empty: the value itself.
    Result<std::string> dequantizedFor(const std::string& value, NodeIndex index, const Node& reader) {
        const std::size_t op = operators.operatorOf(index);
        for (auto [weight, end] = weights.equal_range(value); weight != end; ++weight) {
            if (weight->second.op == op) {
                return dequantizedWeight(weight->second, value, reader);
            }
        }
        for (auto [dynamic, end] = dynamicReaders.equal_range(value); dynamic != end; ++dynamic) {
            if (dynamic->second.op == op) {
                return dequantizedOperand(value, dynamic->second, reader);
            }
        }
        return dequantizedStatically(value, op, reader);
    }

    Result<std::string> dequantizedStatically(const std::string& value, std::size_t op, const Node& reader) {
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
        if (weight.block != 0) {
            return dequantizedAffine(weight.integers, value, {1, weight.block},
                                     {weight.scales, weight.zeroPoints}, {-8, 7}, like);
        }
        const std::string made =
            draft.addValue("quantized_decomposed_dequantize_per_channel_default", value, ScalarType::Float);
        add("quantized_decomposed.dequantize_per_channel.default", made, like,
            {tensorArgument("input", weight.integers), tensorArgument("scales", weight.scales),
             tensorArgument("zero_points", weight.zeroPoints),
             integer("axis", static_cast<std::int64_t>(weight.axis)),
             integer("quant_min", weightIntegers.low), integer("quant_max", weightIntegers.high),
             int8Type("dtype")});
        return made;
    }

    /// Quantizes and dequantizes a value in each run, once for all readers with the same scales. Static
    /// scales for every reader apply to its result.
    Result<std::string> dequantizedOperand(const std::string& value, const DynamicReader& how,
                                           const Node& reader) {
        std::string& known = dynamicValues[{value, how.rows}];
        if (known.empty()) {
            ET_ASSIGN(const std::string quantized, dequantizedStatically(value, how.op, reader));
            const std::string& operand = quantized.empty() ? value : quantized;
            known = how.rows ? throughRows(operand, reader) : throughTensor(operand, reader);
        }
        return known;
    }

    /// With one scale for the tensor, as in PT2E.
    std::string throughTensor(const std::string& value, const Node& reader) {
        const std::array one{std::int64_t{1}};
        const std::string scale = draft.addSizedValue("scale", one, ScalarType::Double);
        const std::string zeroPoint = draft.addSizedValue("zero_point", one, ScalarType::Long);
        const Argument low = integer("quant_min", activationIntegers.low);
        const Argument high = integer("quant_max", activationIntegers.high);
        add("quantized_decomposed.choose_qparams.tensor", scale, reader,
            {tensorArgument("input", value),
             low,
             high,
             {.name = "eps", .kind = "as_float", .value = static_cast<double>(smallestScale)},
             int8Type("dtype")});
        draft.graph.nodes.back().outputs.push_back(tensorArgument({}, zeroPoint));
        const auto arguments = [&](const std::string& input) -> std::vector<Argument> {
            return {tensorArgument("input", input),
                    tensorArgument("scale", scale),
                    tensorArgument("zero_point", zeroPoint),
                    low,
                    high,
                    int8Type("dtype")};
        };
        const std::string integers =
            draft.addValue("quantized_decomposed_quantize_per_tensor_tensor", value, ScalarType::Char);
        add("quantized_decomposed.quantize_per_tensor.tensor", integers, reader, arguments(value));
        const std::string made =
            draft.addValue("quantized_decomposed_dequantize_per_tensor_tensor", value, ScalarType::Float);
        add("quantized_decomposed.dequantize_per_tensor.tensor", made, reader, arguments(integers));
        return made;
    }

    /// With one scale per row, as in torchao.
    std::string throughRows(const std::string& value, const Node& reader) {
        const auto& sizes = draft.graph.tensors.at(value).sizes;
        Sizes block(sizes.size(), 1);
        block.back() = sizes.back().value;
        const std::string scale = draft.addRowValue("scale", value, ScalarType::Float);
        const std::string zeroPoint = draft.addRowValue("zero_point", value, ScalarType::Char);
        add("torchao.choose_qparams_affine.default", scale, reader,
            {tensorArgument("input", value),
             {.name = "mapping_type", .kind = "as_string", .value = std::string("ASYMMETRIC")},
             integers("block_size", block),
             int8Type("target_dtype"),
             integer("quant_min", activationIntegers.low),
             integer("quant_max", activationIntegers.high),
             {.name = "eps", .kind = "as_none"},
             {.name = "scale_dtype", .kind = "as_none"},
             int8Type("zero_point_dtype")});
        draft.graph.nodes.back().outputs.push_back(tensorArgument({}, zeroPoint));
        const std::string quantized =
            draft.addValue("torchao_quantize_affine_default", value, ScalarType::Char);
        add("torchao.quantize_affine.default", quantized, reader,
            affineArguments(value, block, {scale, zeroPoint}, activationIntegers, "output_dtype"));
        return dequantizedAffine(quantized, value, block, {scale, zeroPoint}, activationIntegers, reader);
    }

    struct AffineNames {
        std::string scale;
        std::string zeroPoint;
    };

    static std::vector<Argument> affineArguments(const std::string& input, const Sizes& block,
                                                 const AffineNames& names, IntegerRange range,
                                                 std::string dtype) {
        return {tensorArgument("input", input),       integers("block_size", block),
                tensorArgument("scale", names.scale), tensorArgument("zero_point", names.zeroPoint),
                int8Type(std::move(dtype)),           integer("quant_min", range.low),
                integer("quant_max", range.high)};
    }

    std::string dequantizedAffine(const std::string& input, std::string_view like, const Sizes& block,
                                  const AffineNames& names, IntegerRange range, const Node& reader) {
        const std::string made = draft.addValue("torchao_dequantize_affine_default", like, ScalarType::Float);
        add("torchao.dequantize_affine.default", made, reader,
            affineArguments(input, block, names, range, "input_dtype"));
        return made;
    }

    static std::vector<Argument> tensorNumbers(std::string input, const QuantizationNumbers& numbers) {
        return {tensorArgument("input", std::move(input)),
                {.name = "scale", .kind = "as_float", .value = static_cast<double>(numbers.scale)},
                integer("zero_point", numbers.zeroPoint),
                integer("quant_min", numbers.integers.low),
                integer("quant_max", numbers.integers.high),
                typeArgument("dtype", typeOf(numbers))};
    }

    /// Called at the first reader; later readers reuse the integers.
    Result<> quantize(const std::string& value, Quantizer& quantizer, const Node& reader) {
        if (!quantizer.integers.empty()) {
            return {};
        }
        if (method.isConstant(value)) {
            ET_ASSIGN(const ReferenceTensor tensor, method.tensor(value));
            const bool wide = typeOf(quantizer.numbers) == ScalarType::Short;
            quantizer.integers = buffer("_frozen_param", frozen++,
                                        wide ? integersOf<std::int16_t>(tensor.view, quantizer.numbers)
                                             : integersOf<std::int8_t>(tensor.view, quantizer.numbers));
            return {};
        }
        quantizer.integers = draft.addValue("quantized_decomposed_quantize_per_tensor_default", value,
                                            typeOf(quantizer.numbers));
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

    /// Adds a node with one result and the source location of another node.
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

    /// Outputs for the caller are dequantized values, too.
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
    std::multimap<std::string_view, DynamicReader, std::less<>> dynamicReaders;
    std::map<std::pair<std::string, bool>, std::string> dynamicValues;  ///< dequantized value, by name and
                                                                        ///< whether scales are per row
    std::size_t frozen = 0;
};

}  // namespace

Result<> insertQuantizers(EdgeMethod& method, const ExportedOperators& operators,
                          std::span<const QuantizationSite> sites, const Annotation& annotation,
                          std::span<const QuantizationNumbers> numbers, ModelDraft& draft) {
    return Insertion(method, operators, draft).run(sites, annotation, numbers);
}

}  // namespace et::backends::xnnpack
