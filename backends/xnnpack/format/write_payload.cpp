#include "backends/xnnpack/format/write_payload.h"

#include "backends/xnnpack/schema/payload_generated.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using flatbuffers::Offset;

constexpr std::uint32_t invalidId = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t inputFlag = 1;
constexpr std::uint32_t outputFlag = 2;
constexpr std::size_t constantAlignment = 16;
constexpr std::string_view headerMagic = "XH00";

/// Offsets of the header's fields.
struct HeaderLayout {
    static constexpr std::size_t magic = 4, length = 8, flatbufferAt = 10, flatbufferBytes = 14,
                                 constantsAt = 18, constantsBytes = 22, size = 32;
};

class PayloadWriter {
  public:
    explicit PayloadWriter(const Payload& from) : payload(from) {}

    std::vector<std::byte> write() {
        std::vector<Offset<schema::Value>> values;
        for (std::size_t i = 0; i < payload.values.size(); ++i) {
            values.push_back(value(payload.values[i], static_cast<std::uint32_t>(i)));
        }
        std::vector<Offset<schema::Node>> nodes;
        for (const PayloadNode& each : payload.nodes) {
            nodes.push_back(node(each));
        }
        std::vector<Offset<schema::Constant>> written;
        for (const PayloadConstant& each : payload.constants) {
            written.push_back(constant(each));
        }
        const auto graph = schema::CreateGraphDirect(builder, "1", &nodes, &values,
                                                     static_cast<std::uint32_t>(payload.externals.size()),
                                                     nullptr, nullptr, nullptr, nullptr, &written);
        builder.Finish(graph, schema::GraphIdentifier());
        return assemble();
    }

  private:
    Offset<schema::Tensor> tensor(const PayloadValue& from, std::uint32_t id) {
        const std::uint32_t flags = (from.isInput ? inputFlag : 0U) | (from.isOutput ? outputFlag : 0U);
        return schema::CreateTensor(builder, static_cast<std::int16_t>(from.datatype),
                                    static_cast<std::uint32_t>(from.sizes.size()), list(from.sizes),
                                    from.constant, from.externalId.value_or(invalidId), flags, id, 0);
    }

    Offset<flatbuffers::Vector<std::uint32_t>> list(const PayloadDims& dims) {
        return builder.CreateVector(dims.data(), dims.size());
    }

    Offset<void> quantization(const PerTensorQuantization& from) {
        return schema::CreatePerTensor(builder, from.scale, from.zeroPoint).Union();
    }
    Offset<void> quantization(const PerChannelQuantization& from) {
        return schema::CreatePerChannelDirect(builder, &from.scales,
                                              static_cast<std::int32_t>(from.channelDim), from.scaleConstant,
                                              from.scaleCount)
            .Union();
    }
    Offset<void> quantization(const PerTokenQuantization& from) {
        return schema::CreatePerToken(builder, static_cast<std::int32_t>(from.nonbatchDims)).Union();
    }
    Offset<void> quantization(const BlockwiseQuantization& from) {
        return schema::CreateBlockwiseDirect(builder, nullptr, static_cast<std::int32_t>(from.channelDim),
                                             static_cast<std::int32_t>(from.blockSize), &from.scales,
                                             from.scaleConstant, from.scaleCount)
            .Union();
    }
    Offset<void> quantization(std::monostate) { return {}; }

    Offset<schema::Value> value(const PayloadValue& from, std::uint32_t id) {
        static constexpr std::array kinds{schema::Quantization::NONE, schema::Quantization::PerTensor,
                                          schema::Quantization::PerChannel, schema::Quantization::PerToken,
                                          schema::Quantization::Blockwise};
        const Offset<schema::Tensor> plain = tensor(from, id);
        const schema::Quantization kind = kinds[from.quantization.index()];
        if (kind == schema::Quantization::NONE) {
            return schema::CreateValue(builder, schema::ValueKind::Tensor, plain.Union());
        }
        const Offset<void> parameters =
            std::visit([this](const auto& content) { return quantization(content); }, from.quantization);
        const auto quantized = schema::CreateQuantizedTensor(builder, plain, kind, parameters);
        return schema::CreateValue(builder, schema::ValueKind::QuantizedTensor, quantized.Union());
    }

    static std::uint32_t input(const PayloadNode& from, std::size_t index) {
        return index < from.inputs.size() && from.inputs[index] != noValue ? from.inputs[index] : invalidId;
    }
    static std::uint32_t output(const PayloadNode& from, std::size_t index = 0) {
        return index < from.outputs.size() ? from.outputs[index] : invalidId;
    }

    /// The fields of a form; default values if the node has another form.
    template <class Fields>
    static const Fields& fields(const PayloadNode& from) {
        static const Fields fresh{};
        const auto* own = std::get_if<Fields>(&from.fields);
        return own == nullptr ? fresh : *own;
    }

    Offset<void> convolution(const PayloadNode& from) {
        const auto& it = fields<ConvolutionFields>(from);
        return schema::CreateConvolution(builder, it.padding.top, it.padding.right, it.padding.bottom,
                                         it.padding.left, it.kernel.height, it.kernel.width, it.stride.height,
                                         it.stride.width, it.dilation.height, it.dilation.width,
                                         it.groupInputChannels, it.groupOutputChannels, it.groups,
                                         it.adjustment.height, it.adjustment.width, input(from, 0),
                                         input(from, 1), input(from, 2), output(from), from.flags)
            .Union();
    }
    Offset<void> pooling(const PayloadNode& from) {
        const auto& it = fields<PoolingFields>(from);
        return schema::CreatePooling(builder, it.padding.top, it.padding.right, it.padding.bottom,
                                     it.padding.left, it.window.height, it.window.width, it.stride.height,
                                     it.stride.width, it.dilation.height, it.dilation.width, input(from, 0),
                                     output(from), from.flags)
            .Union();
    }
    Offset<void> argMaxPooling(const PayloadNode& from) {
        const auto& it = fields<PoolingFields>(from);
        return schema::CreateArgMaxPooling(builder, it.padding.top, it.padding.right, it.padding.bottom,
                                           it.padding.left, it.window.height, it.window.width, input(from, 0),
                                           output(from), output(from, 1), from.flags)
            .Union();
    }
    Offset<void> layout(const PayloadNode& from) {
        const std::uint32_t in = input(from, 0);
        const std::uint32_t out = output(from);
        switch (from.traits->form()) {
            case NodeForm::Transpose: {
                const auto& it = fields<TransposeFields>(from);
                return schema::CreateTranspose(builder, static_cast<std::uint32_t>(it.order.size()),
                                               list(it.order), in, out, from.flags)
                    .Union();
            }
            case NodeForm::Reshape: {
                const auto& it = fields<ReshapeFields>(from);
                return schema::CreateReshape(builder, static_cast<std::uint32_t>(it.sizes.size()),
                                             list(it.sizes), in, out, from.flags)
                    .Union();
            }
            case NodeForm::Slice: {
                const auto& it = fields<SliceFields>(from);
                const auto offsets = list(it.offsets);
                const auto sizes = list(it.sizes);
                return schema::CreateSlice(builder, static_cast<std::uint32_t>(it.sizes.size()), offsets,
                                           sizes, in, out, from.flags)
                    .Union();
            }
            case NodeForm::Pad: {
                const auto& it = fields<PadFields>(from);
                const auto before = list(it.before);
                const auto after = list(it.after);
                return schema::CreatePad(builder, before, after, it.value, in, out, from.flags).Union();
            }
            default: {
                const auto& it = fields<ResizeFields>(from);
                return schema::CreateResize(builder, it.size.height, it.size.width, in, out, from.flags)
                    .Union();
            }
        }
    }

    Offset<void> content(const PayloadNode& from) {
        switch (from.traits->form()) {
            case NodeForm::Unary:
            case NodeForm::Convert:
            case NodeForm::Softmax:
            case NodeForm::Copy:
            case NodeForm::GlobalAveragePooling:
                return schema::CreateUnary(builder, input(from, 0), output(from), from.flags).Union();
            case NodeForm::UnaryNumber:
                return schema::CreateUnaryNumber(builder, fields<NumberFields>(from).value, input(from, 0),
                                                 output(from), from.flags)
                    .Union();
            case NodeForm::Binary:
            case NodeForm::BatchMatrixMultiply:
                return schema::CreateBinary(builder, input(from, 0), input(from, 1), output(from), from.flags)
                    .Union();
            case NodeForm::Concatenate:
                return schema::CreateConcatenate(
                           builder, static_cast<std::uint32_t>(fields<ConcatenateFields>(from).axis),
                           input(from, 0), input(from, 1), input(from, 2), input(from, 3), output(from),
                           from.flags, input(from, 4))
                    .Union();
            case NodeForm::FullyConnected:
                return schema::CreateFullyConnected(builder, input(from, 0), input(from, 1), input(from, 2),
                                                    output(from), from.flags)
                    .Union();
            case NodeForm::Convolution:
            case NodeForm::DepthwiseConvolution:
            case NodeForm::TransposedConvolution:
                return convolution(from);
            case NodeForm::AveragePooling:
            case NodeForm::MaxPooling:
                return pooling(from);
            case NodeForm::ArgMaxPooling:
                return argMaxPooling(from);
            case NodeForm::Attention:
                return schema::CreateAttention(builder, input(from, 0), input(from, 1), input(from, 2),
                                               input(from, 3), input(from, 4), output(from), from.flags)
                    .Union();
            default:
                return layout(from);
        }
    }

    Offset<schema::Node> node(const PayloadNode& from) {
        Offset<schema::OutputRange> range;
        if (from.range) {
            range = schema::CreateOutputRange(builder, from.range->min, from.range->max);
        }
        const Offset<void> table = content(from);
        return schema::CreateNode(builder, static_cast<schema::NodeKind>(from.traits->kind), table,
                                  from.debugHandle, range);
    }

    Offset<schema::Constant> constant(const PayloadConstant& from) {
        if (!from.name.empty()) {
            return schema::CreateConstantDirect(builder, 0, 0, from.name.c_str());
        }
        if (from.data.empty()) {
            return schema::CreateConstant(builder, std::numeric_limits<std::uint64_t>::max(), 0);
        }
        constants.resize((constants.size() + constantAlignment - 1) / constantAlignment * constantAlignment);
        const std::size_t at = constants.size();
        constants.insert(constants.end(), from.data.begin(), from.data.end());
        return schema::CreateConstant(builder, at, from.data.size());
    }

    template <class Number>
    static void put(std::vector<std::byte>& bytes, std::size_t at, std::size_t number) {
        const auto value = static_cast<Number>(number);
        std::memcpy(bytes.data() + at, &value, sizeof(value));
    }

    std::vector<std::byte> assemble() {
        const std::size_t tablesEnd = HeaderLayout::size + builder.GetSize();
        const std::size_t constantsAt =
            (tablesEnd + constantAlignment - 1) / constantAlignment * constantAlignment;
        std::vector<std::byte> bytes(constantsAt + constants.size());
        std::memcpy(bytes.data() + HeaderLayout::size, builder.GetBufferPointer(), builder.GetSize());
        std::ranges::copy(constants, bytes.begin() + static_cast<std::ptrdiff_t>(constantsAt));
        std::memcpy(bytes.data() + HeaderLayout::magic, headerMagic.data(), headerMagic.size());
        put<std::uint16_t>(bytes, HeaderLayout::length, HeaderLayout::size);
        put<std::uint32_t>(bytes, HeaderLayout::flatbufferAt, HeaderLayout::size);
        put<std::uint32_t>(bytes, HeaderLayout::flatbufferBytes, builder.GetSize());
        put<std::uint32_t>(bytes, HeaderLayout::constantsAt, constantsAt);
        put<std::uint64_t>(bytes, HeaderLayout::constantsBytes, constants.size());
        return bytes;
    }

    const Payload& payload;
    flatbuffers::FlatBufferBuilder builder;
    std::vector<std::byte> constants;
};

}  // namespace

std::vector<std::byte> writePayload(const Payload& payload) {
    return PayloadWriter(payload).write();
}

}  // namespace et::backends::xnnpack
