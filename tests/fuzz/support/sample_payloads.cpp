#include "tests/fuzz/support/sample_payloads.h"

#include "backends/xnnpack/nodes/node_table.h"

#include <array>
#include <memory>
#include <numeric>
#include <utility>

namespace et::fuzz {
namespace {

using namespace backends::xnnpack;
using Sizes = std::vector<std::uint32_t>;

const Sizes image{1, 6, 6, 4};
const Sizes pooledImage{1, 3, 3, 4};
const Sizes matrix{3, 8};
constexpr PerTensorQuantization usualScale{.scale = 0.1F, .zeroPoint = 1};
constexpr std::uint32_t transposeFlag = 1;
constexpr std::uint32_t depthwiseFlag = 1;

/// Datatypes of weights, and quantization of the input they are multiplied with.
struct Weights {
    std::string_view name;
    Datatype input, filter, bias, output;
};
constexpr Weights fp32Weights{"fp32", Datatype::Fp32, Datatype::Fp32, Datatype::Fp32, Datatype::Fp32};
constexpr Weights fp16Weights{"fp16", Datatype::Fp16, Datatype::Fp16, Datatype::Fp16, Datatype::Fp16};
constexpr Weights qint8Weights{"qint8", Datatype::QInt8, Datatype::QInt8, Datatype::QInt32, Datatype::QInt8};
constexpr Weights quint8Weights{"quint8", Datatype::QUInt8, Datatype::QUInt8, Datatype::QInt32,
                                Datatype::QUInt8};
constexpr Weights qcint8Weights{"qcint8", Datatype::QInt8, Datatype::QCInt8, Datatype::QCInt32,
                                Datatype::QInt8};
constexpr Weights dynamicWeights{"dynamic_qcint8", Datatype::QDInt8, Datatype::QCInt8, Datatype::Fp32,
                                 Datatype::Fp32};
constexpr Weights dynamic4BitWeights{"dynamic_qcint4", Datatype::QDInt8, Datatype::QCInt4, Datatype::Fp32,
                                     Datatype::Fp32};
constexpr Weights blockwiseWeights{"dynamic_qbint4", Datatype::QDInt8, Datatype::QBInt4, Datatype::Fp32,
                                   Datatype::Fp32};

class Builder {
  public:
    explicit Builder(std::string sampleName) : name(std::move(sampleName)) { payload.constants.resize(1); }

    ValueIndex input(Datatype type, const Sizes& sizes) {
        const ValueIndex index = inner(type, sizes);
        payload.values[index].isInput = true;
        payload.values[index].externalId = static_cast<std::uint32_t>(payload.externals.size());
        payload.externals.push_back(index);
        return index;
    }
    ValueIndex output(Datatype type, const Sizes& sizes) {
        const ValueIndex index = input(type, sizes);
        payload.values[index].isInput = false;
        payload.values[index].isOutput = true;
        return index;
    }
    ValueIndex inner(Datatype type, const Sizes& sizes, std::uint32_t channelDim = 0) {
        PayloadValue& value = payload.values.emplace_back();
        value.id = static_cast<std::uint32_t>(payload.values.size() - 1);
        value.datatype = type;
        value.sizes = sizes;
        value.quantization = quantization(type, sizes, channelDim);
        return value.id;
    }
    /// Adds a constant of mostly small values of the datatype.
    ValueIndex constant(Datatype type, const Sizes& sizes, std::uint32_t channelDim = 0) {
        const ValueIndex index = inner(type, sizes, channelDim);
        payload.values[index].constant = static_cast<std::uint32_t>(payload.constants.size());
        const std::size_t elements =
            std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
        spans.emplace_back(data.size(), elements * datatypeInfo(type)->bits / 8);
        const bool isFloat = type == Datatype::Fp32;
        for (std::size_t i = 0; i < spans.back().second; ++i) {
            // 0x3DCCCCCD is 0.1F; the resulting half-precision values are small too.
            static constexpr std::array<unsigned, 4> tenth{0xCD, 0xCC, 0xCC, 0x3D};
            data.push_back(static_cast<std::byte>(isFloat ? tenth[i % 4] : i % 2 == 0 ? i % 16 : 0x2C));
        }
        data.resize((data.size() + 15) / 16 * 16);
        payload.constants.emplace_back();
        return index;
    }

    PayloadNode& node(NodeKind kind, std::vector<ValueIndex> inputs, ValueIndex output,
                      NodeFields fields = {}) {
        payload.nodes.push_back({.traits = nodeKind(static_cast<std::uint8_t>(kind)),
                                 .debugHandle = static_cast<std::uint32_t>(payload.nodes.size() + 1),
                                 .inputs = std::move(inputs),
                                 .outputs = {output},
                                 .fields = std::move(fields)});
        return payload.nodes.back();
    }

    [[nodiscard]] PayloadNode& last() { return payload.nodes.back(); }

    SamplePayload finish() {
        payload.version = "1";
        auto kept = std::make_shared<const std::vector<std::byte>>(std::move(data));
        for (std::size_t i = 0; i < spans.size(); ++i) {
            payload.constants[i + 1].data = core::Bytes(*kept).subspan(spans[i].first, spans[i].second);
        }
        payload.copied = std::move(kept);
        return {.name = std::move(name), .payload = std::move(payload)};
    }

  private:
    static Quantization quantization(Datatype type, const Sizes& sizes, std::uint32_t channelDim) {
        switch (type) {
            case Datatype::QInt8:
            case Datatype::QUInt8:
                return usualScale;
            case Datatype::QInt32:
                return PerTensorQuantization{.scale = 0.01F, .zeroPoint = 0};
            case Datatype::QCInt8:
            case Datatype::QCInt32:
            case Datatype::QCInt4: {
                const std::uint32_t channels = sizes[channelDim];
                return PerChannelQuantization{.channelDim = channelDim,
                                              .scales = std::vector<float>(channels, 0.02F),
                                              .scaleCount = channels};
            }
            case Datatype::QDInt8:
                return PerTokenQuantization{.nonbatchDims =
                                                static_cast<std::uint32_t>(sizes.size() == 4 ? 3 : 1)};
            case Datatype::QBInt4: {
                constexpr std::uint32_t block = 32;
                const std::uint32_t count = sizes[0] * sizes[1] / block;
                return BlockwiseQuantization{.channelDim = 0,
                                             .blockSize = block,
                                             .scales = std::vector<std::uint16_t>(count, 0x3C00),
                                             .scaleCount = count};
            }
            default:
                return {};
        }
    }

    std::string name;
    Payload payload;
    std::vector<std::byte> data;
    std::vector<std::pair<std::size_t, std::size_t>> spans;  ///< ranges in `data`, by constant
};

std::string named(NodeKind kind, std::string_view type) {
    return std::string(nodeKind(static_cast<std::uint8_t>(kind))->name) + "_" + std::string(type);
}

class Samples {
  public:
    std::vector<SamplePayload> all() {
        for (const NodeKindInfo& traits : nodeKinds()) {
            simple(traits, Datatype::Fp32);
        }
        for (const NodeKind kind : {NodeKind::Add, NodeKind::Subtract, NodeKind::Multiply, NodeKind::Clamp,
                                    NodeKind::LeakyRelu, NodeKind::Concatenate3, NodeKind::Sigmoid}) {
            simple(*nodeKind(static_cast<std::uint8_t>(kind)), Datatype::QInt8);
        }
        simple(*nodeKind(static_cast<std::uint8_t>(NodeKind::Add)), Datatype::QUInt8);
        simple(*nodeKind(static_cast<std::uint8_t>(NodeKind::Softmax)), Datatype::Fp16);
        for (const Weights& weights : {fp32Weights, fp16Weights, qint8Weights, quint8Weights, qcint8Weights,
                                       dynamicWeights, dynamic4BitWeights, blockwiseWeights}) {
            fullyConnected(weights);
        }
        for (const Weights& weights :
             {fp32Weights, fp16Weights, qint8Weights, quint8Weights, qcint8Weights, dynamicWeights}) {
            convolutions(weights);
        }
        for (const Datatype type : {Datatype::Fp32, Datatype::QInt8}) {
            images(type);
            layouts(type);
        }
        products();
        conversions();
        chains();
        return std::move(made);
    }

  private:
    void add(Builder& builder) { made.push_back(builder.finish()); }

    /// Builds nodes whose inputs and outputs have the same shape.
    void simple(const NodeKindInfo& traits, Datatype type) {
        Builder builder(named(traits.kind, datatypeName(type)));
        std::vector<ValueIndex> inputs;
        switch (traits.form()) {
            case NodeForm::Unary:
            case NodeForm::UnaryNumber:
            case NodeForm::Convert:
            case NodeForm::Binary:
            case NodeForm::Softmax:
            case NodeForm::Copy:
            case NodeForm::Concatenate:
                break;
            default:
                return;
        }
        for (std::size_t i = 0; i < traits.inputs; ++i) {
            inputs.push_back(builder.input(type, matrix));
        }
        const bool joins = traits.form() == NodeForm::Concatenate;
        const ValueIndex output = builder.output(type, joins ? Sizes{3, 8U * traits.inputs} : matrix);
        NodeFields fields;
        if (joins) {
            fields = ConcatenateFields{.axis = 1};
        } else if (traits.form() == NodeForm::UnaryNumber) {
            fields = NumberFields{.value = 0.5F};
        }
        PayloadNode& node = builder.node(traits.kind, std::move(inputs), output, std::move(fields));
        if (traits.kind == NodeKind::Clamp) {
            node.range = OutputRange{.min = -1, .max = 1};
        }
        add(builder);
    }

    /// Returns the input of a product, quantized first if the weights require it.
    static ValueIndex multiplied(Builder& builder, const Weights& weights, const Sizes& sizes) {
        if (weights.input != Datatype::QDInt8) {
            return builder.input(weights.input, sizes);
        }
        const ValueIndex given = builder.input(Datatype::Fp32, sizes);
        const ValueIndex quantized = builder.inner(Datatype::QDInt8, sizes);
        builder.node(NodeKind::Convert, {given}, quantized);
        return quantized;
    }

    void fullyConnected(const Weights& weights) {
        Builder builder(named(NodeKind::FullyConnected, weights.name));
        const ValueIndex input = multiplied(builder, weights, {2, 64});
        const ValueIndex filter = builder.constant(weights.filter, {6, 64});
        const ValueIndex bias = builder.constant(weights.bias, {6});
        builder.node(NodeKind::FullyConnected, {input, filter, bias}, builder.output(weights.output, {2, 6}));
        add(builder);
    }

    void convolution(const Weights& weights, NodeKind kind, ConvolutionFields fields, const Sizes& out) {
        const bool depthwise = kind == NodeKind::DepthwiseConvolution;
        Builder builder(named(kind, weights.name));
        const std::uint32_t outputs = fields.groups * fields.groupOutputChannels;
        const Sizes filterSizes =
            depthwise ? Sizes{1, fields.kernel.height, fields.kernel.width, outputs}
                      : Sizes{outputs, fields.kernel.height, fields.kernel.width, fields.groupInputChannels};
        const ValueIndex input = multiplied(builder, weights, image);
        const ValueIndex filter = builder.constant(weights.filter, filterSizes, depthwise ? 3 : 0);
        const ValueIndex bias = builder.constant(weights.bias, {outputs});
        const ValueIndex output = builder.output(weights.output, out);
        PayloadNode& node = builder.node(kind, {input, filter, bias}, output, fields);
        node.flags = depthwise ? depthwiseFlag : 0;
        node.range = OutputRange{.min = 0, .max = 6};
        add(builder);
    }

    void convolutions(const Weights& weights) {
        const ConvolutionFields usual{.padding = {1, 1, 1, 1},
                                      .kernel = {3, 3},
                                      .stride = {1, 1},
                                      .dilation = {1, 1},
                                      .adjustment = {},
                                      .groups = 2,
                                      .groupInputChannels = 2,
                                      .groupOutputChannels = 3};
        convolution(weights, NodeKind::Convolution, usual, {1, 6, 6, 6});
        ConvolutionFields depthwise = usual;
        depthwise.groups = 4;
        depthwise.groupInputChannels = depthwise.groupOutputChannels = 1;
        convolution(weights, NodeKind::DepthwiseConvolution, depthwise, image);
        ConvolutionFields transposed = usual;
        transposed.stride = {2, 2};
        transposed.adjustment = {1, 1};
        convolution(weights, NodeKind::TransposedConvolution, transposed, {1, 12, 12, 6});
    }

    void onImage(NodeKind kind, Datatype type, const Sizes& out, NodeFields fields, std::uint32_t flags = 0) {
        Builder builder(named(kind, datatypeName(type)));
        const ValueIndex input = builder.input(type, image);
        PayloadNode& node = builder.node(kind, {input}, builder.output(type, out), std::move(fields));
        node.flags = flags;
        if (kind == NodeKind::ArgMaxPooling) {
            const ValueIndex indices = builder.output(Datatype::Int32, out);
            builder.last().outputs.push_back(indices);
        }
        add(builder);
    }

    void images(Datatype type) {
        const PoolingFields halves{.padding = {}, .window = {2, 2}, .stride = {2, 2}, .dilation = {1, 1}};
        onImage(NodeKind::MaxPooling, type, pooledImage, halves);
        onImage(NodeKind::Resize, type, {1, 9, 12, 4}, ResizeFields{.size = {9, 12}});
        constexpr std::uint32_t keepDims = 0x40;
        onImage(NodeKind::GlobalAveragePooling, type, {1, 1, 1, 4}, {}, keepDims);
        if (type == Datatype::Fp32) {
            PoolingFields padded = halves;
            padded.window = {3, 3};
            padded.padding = {1, 1, 1, 1};
            onImage(NodeKind::AveragePooling, type, pooledImage, padded);
            onImage(NodeKind::ArgMaxPooling, type, pooledImage, halves);
        }
    }

    void layouts(Datatype type) {
        onImage(NodeKind::Transpose, type, {1, 4, 6, 6}, TransposeFields{.order = {0, 3, 1, 2}});
        onImage(NodeKind::Reshape, type, {6, 24}, ReshapeFields{.sizes = {6, 0}});
        onImage(NodeKind::Slice, type, {1, 2, 3, 4},
                SliceFields{.offsets = {0, 1, 2, 0}, .sizes = {1, 2, 3, 4}});
        onImage(NodeKind::Pad, type, {1, 9, 6, 5},
                PadFields{.before = {0, 1, 0, 0}, .after = {0, 2, 0, 1}, .value = 0});
    }

    void products() {
        Builder multiply(named(NodeKind::BatchMatrixMultiply, "fp32"));
        const ValueIndex left = multiply.input(Datatype::Fp32, {2, 3, 8});
        const ValueIndex right = multiply.input(Datatype::Fp32, {2, 5, 8});
        multiply
            .node(NodeKind::BatchMatrixMultiply, {left, right}, multiply.output(Datatype::Fp32, {2, 3, 5}))
            .flags = transposeFlag;
        add(multiply);

        Builder attention(named(NodeKind::Attention, "fp32"));
        const ValueIndex query = attention.input(Datatype::Fp32, {1, 2, 3, 8});
        const ValueIndex key = attention.input(Datatype::Fp32, {1, 2, 5, 8});
        const ValueIndex value = attention.input(Datatype::Fp32, {1, 2, 5, 4});
        const ValueIndex scale = attention.constant(Datatype::Fp32, {8});
        const ValueIndex mask = attention.constant(Datatype::Fp32, {3, 5});
        attention.node(NodeKind::Attention, {query, key, value, scale, mask},
                       attention.output(Datatype::Fp32, {1, 2, 3, 4}));
        add(attention);
    }

    void conversions() {
        Builder there(named(NodeKind::Convert, "fp32_qint8_fp32"));
        const ValueIndex quantized = there.inner(Datatype::QInt8, matrix);
        const ValueIndex requantized = there.inner(Datatype::QInt8, matrix);
        there.node(NodeKind::Convert, {there.input(Datatype::Fp32, matrix)}, quantized);
        there.node(NodeKind::Convert, {quantized}, requantized);
        there.node(NodeKind::Convert, {requantized}, there.output(Datatype::Fp32, matrix));
        add(there);
    }

    /// Padding, a convolution, a clamp and a copy, which XNNPACK fuses into one operator.
    void chains() {
        Builder builder("fused_chain");
        const Sizes padded{1, 8, 8, 4};
        const ValueIndex input = builder.input(Datatype::Fp32, image);
        const ValueIndex wide = builder.inner(Datatype::Fp32, padded);
        const ValueIndex convolved = builder.inner(Datatype::Fp32, image);
        const ValueIndex clamped = builder.inner(Datatype::Fp32, image);
        const ValueIndex filter = builder.constant(Datatype::Fp32, {4, 3, 3, 4});
        builder.node(NodeKind::Pad, {input}, wide, PadFields{.before = {0, 1, 1, 0}, .after = {0, 1, 1, 0}});
        builder.node(NodeKind::Convolution, {wide, filter, noValue}, convolved,
                     ConvolutionFields{.padding = {},
                                       .kernel = {3, 3},
                                       .stride = {1, 1},
                                       .dilation = {1, 1},
                                       .adjustment = {},
                                       .groups = 1,
                                       .groupInputChannels = 4,
                                       .groupOutputChannels = 4});
        builder.node(NodeKind::Clamp, {convolved}, clamped).range = OutputRange{.min = 1, .max = 6};
        builder.node(NodeKind::Copy, {clamped}, builder.output(Datatype::Fp32, image));
        add(builder);
    }

    std::vector<SamplePayload> made;
};

}  // namespace

std::vector<SamplePayload> samplePayloads() {
    return Samples().all();
}

}  // namespace et::fuzz
