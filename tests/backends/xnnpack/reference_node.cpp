#include "tests/backends/xnnpack/reference_node.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace et::test {
namespace {

using namespace backends::xnnpack;

template <class T>
Elements copied(const void* data, std::size_t count) {
    const auto* first = static_cast<const T*>(data);
    return {first, first + count};
}

/// Unpacks two 4-bit values per byte, the first one in the low bits, stored with an offset of 8.
Elements unpacked(const void* data, std::size_t count) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    Elements made;
    for (std::size_t i = 0; i < count; ++i) {
        made.push_back(static_cast<int>(i % 2 == 0 ? bytes[i / 2] & 15U : bytes[i / 2] >> 4U) - 8);
    }
    return made;
}

/// Quantizes a number given in units of the scale, without the zero point.
double requantized(float number, std::int32_t zeroPoint) {
    const float low = static_cast<float>(-128 - zeroPoint);
    const float high = static_cast<float>(127 - zeroPoint);
    return static_cast<double>(std::nearbyintf(std::clamp(number, low, high))) + zeroPoint;
}

class Reference {
  public:
    Reference(const Payload& from, const ConstantData& data, const Shapes& known,
              const std::vector<Elements>& elements, const PayloadNode& which)
        : payload(from), constants(data), shapes(known), values(elements), node(which) {}

    std::optional<Elements> compute() {
        switch (node.traits->kind) {
            case NodeKind::Convolution:
            case NodeKind::DepthwiseConvolution:
                return convolution();
            case NodeKind::FullyConnected:
                return fullyConnected();
            case NodeKind::Add:
                return isQuantized(output()) ? quantizedSum() : sum();
            case NodeKind::Multiply:
                return multiplied();
            case NodeKind::Sigmoid:
                return sigmoid();
            case NodeKind::Clamp:
                return clamp();
            case NodeKind::Convert:
                return convert();
            case NodeKind::GlobalAveragePooling:
                return mean();
            case NodeKind::Transpose:
                return transpose();
            case NodeKind::Reshape:
            case NodeKind::Copy:
                return in(0);
            default:
                return std::nullopt;
        }
    }

  private:
    [[nodiscard]] ValueIndex output() const { return node.outputs[0]; }
    [[nodiscard]] const Elements& in(std::size_t i) const { return values[node.inputs[i]]; }
    [[nodiscard]] const ValueSizes& shape(std::size_t i) const { return shapes[node.inputs[i]]; }
    [[nodiscard]] bool isQuantized(ValueIndex value) const {
        return std::holds_alternative<PerTensorQuantization>(payload.value(value).quantization);
    }
    [[nodiscard]] bool isDynamic(ValueIndex value) const {
        return payload.value(value).datatype == Datatype::QDInt8;
    }
    [[nodiscard]] PerTensorQuantization quantization(ValueIndex value) const {
        const auto* found = std::get_if<PerTensorQuantization>(&payload.value(value).quantization);
        return found == nullptr ? PerTensorQuantization{} : *found;
    }

    /// Applies the fused activation to an output element.
    [[nodiscard]] double inRange(double number) const {
        const OutputRange range = node.range.value_or(OutputRange{});
        if (!isQuantized(output())) {
            return std::clamp(number, static_cast<double>(range.min), static_cast<double>(range.max));
        }
        const PerTensorQuantization to = quantization(output());
        const auto bound = [&](float edge) {
            return std::clamp(std::nearbyint(static_cast<double>(edge / to.scale)) + to.zeroPoint, -128.0,
                              127.0);
        };
        return std::clamp(number, bound(range.min), bound(range.max));
    }

    /// Converts a sum of products with the weights of `channel` to the output's type.
    [[nodiscard]] double product(double total, std::size_t channel) const {
        if (!isQuantized(output())) {
            return inRange(total);
        }
        const std::span<const float> scales = constants.channelScales(node.inputs[1]);
        const float weights = scales.empty() ? quantization(node.inputs[1]).scale : scales[channel];
        const float scale = quantization(node.inputs[0]).scale * weights / quantization(output()).scale;
        return inRange(requantized(static_cast<float>(total) * scale, quantization(output()).zeroPoint));
    }

    [[nodiscard]] double bias(std::size_t channel) const {
        return node.inputs[2] == noValue ? 0 : in(2)[channel];
    }

    Elements convolution() {
        const auto& from = std::get<ConvolutionFields>(node.fields);
        const bool depthwise = node.traits->kind == NodeKind::DepthwiseConvolution;
        const ValueSizes& image = shape(0);
        const ValueSizes& to = shapes[output()];
        const std::size_t perGroup = from.groupOutputChannels;
        const double zero = quantization(node.inputs[0]).zeroPoint;
        const std::size_t channels = from.groups * perGroup;
        Elements made;
        for (std::size_t at = 0; at < to[0] * to[1] * to[2] * to[3]; ++at) {
            const std::size_t channel = at % channels;
            const std::size_t x = at / channels % to[2];
            const std::size_t y = at / channels / to[2] % to[1];
            const std::size_t batch = at / channels / to[2] / to[1];
            double total = bias(channel);
            for (std::size_t i = 0; i < from.kernel.height * from.kernel.width; ++i) {
                const std::size_t row = y * from.stride.height + i / from.kernel.width * from.dilation.height;
                const std::size_t column =
                    x * from.stride.width + i % from.kernel.width * from.dilation.width;
                if (row < from.padding.top || row - from.padding.top >= image[1] ||
                    column < from.padding.left || column - from.padding.left >= image[2]) {
                    continue;
                }
                const std::size_t pixel =
                    (batch * image[1] + row - from.padding.top) * image[2] + column - from.padding.left;
                for (std::size_t c = 0; c < from.groupInputChannels; ++c) {
                    const std::size_t weight = depthwise ? i * channels + channel
                                                         : (channel * from.kernel.height * from.kernel.width +
                                                            i) * from.groupInputChannels +
                                                               c;
                    const std::size_t source = channel / perGroup * from.groupInputChannels + c;
                    total += (in(0)[pixel * image[3] + source] - zero) * in(1)[weight];
                }
            }
            made.push_back(product(total, channel));
        }
        return made;
    }

    std::optional<Elements> fullyConnected() {
        if (node.flags != 0) {
            return std::nullopt;
        }
        const std::size_t outputs = shape(1)[0];
        const std::size_t inputs = shape(1)[1];
        const double zero = quantization(node.inputs[0]).zeroPoint;
        const Elements weights = isDynamic(node.inputs[0]) ? dequantizedWeights() : in(1);
        Elements made;
        for (std::size_t at = 0; at < in(0).size() / inputs * outputs; ++at) {
            double total = bias(at % outputs);
            for (std::size_t i = 0; i < inputs; ++i) {
                total += (in(0)[at / outputs * inputs + i] - zero) * weights[at % outputs * inputs + i];
            }
            made.push_back(product(total, at % outputs));
        }
        return made;
    }

    /// Dequantizes weights with one scale per channel, or per block of a channel.
    Elements dequantizedWeights() const {
        const std::size_t inputs = shape(1)[1];
        const std::span<const float> channels = constants.channelScales(node.inputs[1]);
        const std::span<const std::uint16_t> blocks = constants.blockScales(node.inputs[1]);
        const std::size_t block = blocks.empty() ? inputs : in(1).size() / blocks.size();
        Elements made(in(1));
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] *= static_cast<double>(
                blocks.empty() ? channels[i / inputs]
                               : std::bit_cast<float>(std::uint32_t{blocks[i / block]} << 16U));
        }
        return made;
    }

    /// Dequantized values of XNNPACK's dynamic 8-bit quantization: one scale per row; the zero point is
    /// computed from the end of the range with the smaller error.
    std::optional<Elements> dynamicallyQuantized() {
        const auto* rows = std::get_if<PerTokenQuantization>(&payload.value(output()).quantization);
        if (rows == nullptr || payload.value(node.inputs[0]).datatype != Datatype::Fp32) {
            return std::nullopt;
        }
        const ValueSizes& sizes = shape(0);
        std::size_t row = 1;
        for (std::size_t i = sizes.size() - std::min<std::size_t>(rows->nonbatchDims, sizes.size());
             i < sizes.size(); ++i) {
            row *= sizes[i];
        }
        Elements made;
        for (std::size_t first = 0; first < in(0).size(); first += row) {
            quantizeRow(std::span(in(0)).subspan(first, row), made);
        }
        return made;
    }

    static void quantizeRow(std::span<const double> row, Elements& made) {
        const float min = std::min(0.0F, static_cast<float>(std::ranges::min(row)));
        const float max = std::max(0.0F, static_cast<float>(std::ranges::max(row)));
        const float factor = min == max ? 1.0F : 255.0F / (max - min);
        const float fromLeast = -128.0F - min * factor;
        const float fromMost = 127.0F - max * factor;
        const bool lowerIsBetter = (-128.0F + min * factor) + (127.0F + max * factor) > 0;
        const float zero = std::nearbyintf(std::clamp(lowerIsBetter ? fromLeast : fromMost, -128.0F, 127.0F));
        for (const double number : row) {
            const float steps = std::nearbyintf(static_cast<float>(number) * factor);
            made.push_back(
                static_cast<double>((std::clamp(steps + zero, -128.0F, 127.0F) - zero) * (1.0F / factor)));
        }
    }

    std::optional<Elements> multiplied() {
        if (isQuantized(output())) {
            return std::nullopt;
        }
        Elements made(in(0));
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = inRange(made[i] * in(1)[i % in(1).size()]);
        }
        return made;
    }

    std::optional<Elements> sigmoid() {
        if (isQuantized(output())) {
            return std::nullopt;
        }
        Elements made(in(0));
        std::ranges::transform(made, made.begin(),
                               [](double number) { return 1.0 / (1.0 + std::exp(-number)); });
        return made;
    }

    std::optional<Elements> sum() {
        if (in(0).size() != in(1).size()) {
            return std::nullopt;
        }
        Elements made(in(0));
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = inRange(made[i] + in(1)[i]);
        }
        return made;
    }

    /// Computes the sum in fixed point: the larger of the two scales gets 20 bits.
    std::optional<Elements> quantizedSum() {
        if (in(0).size() != in(1).size()) {
            return std::nullopt;
        }
        const PerTensorQuantization a = quantization(node.inputs[0]);
        const PerTensorQuantization b = quantization(node.inputs[1]);
        const PerTensorQuantization to = quantization(output());
        const float scaleA = a.scale / to.scale;
        const float scaleB = b.scale / to.scale;
        const int exponent = std::ilogb(std::max(scaleA, scaleB));
        const int shift = 20 - exponent;
        const auto factorA = static_cast<std::int64_t>(std::nearbyint(std::ldexp(scaleA, shift)));
        const auto factorB = static_cast<std::int64_t>(std::nearbyint(std::ldexp(scaleB, shift)));
        Elements made;
        for (std::size_t i = 0; i < in(0).size(); ++i) {
            const std::int64_t total = (static_cast<std::int64_t>(in(0)[i]) - a.zeroPoint) * factorA +
                                       (static_cast<std::int64_t>(in(1)[i]) - b.zeroPoint) * factorB +
                                       (std::int64_t{1} << (shift - 1));
            made.push_back(inRange(
                static_cast<double>(std::clamp<std::int64_t>((total >> shift) + to.zeroPoint, -128, 127))));
        }
        return made;
    }

    std::optional<Elements> clamp() {
        const PerTensorQuantization from = quantization(node.inputs[0]);
        const PerTensorQuantization to = quantization(output());
        if (from.scale != to.scale || from.zeroPoint != to.zeroPoint) {
            return std::nullopt;
        }
        Elements made(in(0));
        std::ranges::transform(made, made.begin(), [this](double number) { return inRange(number); });
        return made;
    }

    std::optional<Elements> convert() {
        if (isDynamic(output())) {
            return dynamicallyQuantized();
        }
        const bool from = isQuantized(node.inputs[0]);
        const bool to = isQuantized(output());
        if (from == to) {
            return std::nullopt;
        }
        const PerTensorQuantization by = quantization(from ? node.inputs[0] : output());
        Elements made(in(0));
        std::ranges::transform(made, made.begin(), [&](double number) {
            return from ? static_cast<double>(
                              (static_cast<float>(number) - static_cast<float>(by.zeroPoint)) * by.scale)
                        : requantized(static_cast<float>(number) * (1.0F / by.scale), by.zeroPoint);
        });
        return made;
    }

    Elements mean() {
        const ValueSizes& image = shape(0);
        const std::size_t pixels = image[1] * image[2];
        const PerTensorQuantization from = quantization(node.inputs[0]);
        const PerTensorQuantization to = quantization(output());
        Elements made;
        for (std::size_t at = 0; at < image[0] * image[3]; ++at) {
            double total = 0;
            for (std::size_t i = 0; i < pixels; ++i) {
                total += in(0)[(at / image[3] * pixels + i) * image[3] + at % image[3]] - from.zeroPoint;
            }
            const float scale = from.scale / to.scale / static_cast<float>(pixels);
            made.push_back(isQuantized(output())
                               ? inRange(requantized(static_cast<float>(total) * scale, to.zeroPoint))
                               : inRange(total / static_cast<double>(pixels)));
        }
        return made;
    }

    Elements transpose() {
        const auto& order = std::get<TransposeFields>(node.fields).order;
        const ValueSizes& from = shape(0);
        const ValueSizes& to = shapes[output()];
        Elements made;
        for (std::size_t at = 0; at < in(0).size(); ++at) {
            std::array<std::size_t, 8> index{};
            std::size_t rest = at;
            for (std::size_t i = to.size(); i-- > 0; rest /= to[i]) {
                index.at(order[i]) = rest % to[i];
            }
            std::size_t source = 0;
            for (std::size_t i = 0; i < from.size(); ++i) {
                source = source * from[i] + index.at(i);
            }
            made.push_back(in(0)[source]);
        }
        return made;
    }

    const Payload& payload;
    const ConstantData& constants;
    const Shapes& shapes;
    const std::vector<Elements>& values;
    const PayloadNode& node;
};

}  // namespace

std::optional<Elements> referenceNode(const Payload& payload, const ConstantData& constants,
                                      const Shapes& shapes, const std::vector<Elements>& values,
                                      const PayloadNode& node) {
    return Reference(payload, constants, shapes, values, node).compute();
}

Elements elementsOf(Datatype type, const void* data, std::size_t count) {
    switch (type) {
        case Datatype::Fp32:
        case Datatype::QDInt8:
            return copied<float>(data, count);
        case Datatype::QCInt4:
        case Datatype::QBInt4:
            return unpacked(data, count);
        case Datatype::QInt8:
        case Datatype::QCInt8:
            return copied<std::int8_t>(data, count);
        case Datatype::QInt32:
        case Datatype::QCInt32:
        case Datatype::Int32:
            return copied<std::int32_t>(data, count);
        default:
            return {};
    }
}

}  // namespace et::test
