#include "backends/xnnpack/own/own_sum.h"

#include "backends/xnnpack/nodes/scale_rules.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace et::backends::xnnpack {
namespace {

const PerTensorQuantization* parametersOf(const Payload& payload, ValueIndex value) {
    return value == noValue ? nullptr
                            : std::get_if<PerTensorQuantization>(&payload.value(value).quantization);
}

bool isByte(Datatype type) {
    return type == Datatype::QInt8 || type == Datatype::QUInt8;
}

/// Bits of the fixed point behind the first one of the larger ratio.
constexpr int fractionBits = 20;

}  // namespace

bool isSumOfDistantScales(const Payload& payload, const PayloadNode& node) {
    const bool isSum = node.traits->kind == NodeKind::Add || node.traits->kind == NodeKind::Subtract;
    if (!isSum || node.inputs.size() < 2 || node.outputs.empty()) {
        return false;
    }
    const Datatype type = payload.value(node.outputs[0]).datatype;
    const auto* output = parametersOf(payload, node.outputs[0]);
    const auto* left = parametersOf(payload, node.inputs[0]);
    const auto* right = parametersOf(payload, node.inputs[1]);
    if (!isByte(type) || output == nullptr || left == nullptr || right == nullptr ||
        payload.value(node.inputs[0]).datatype != type || payload.value(node.inputs[1]).datatype != type) {
        return false;
    }
    const float smaller = std::min(left->scale, right->scale) / output->scale;
    const float larger = std::max(left->scale, right->scale) / output->scale;
    return smaller < sumScales.min && larger >= sumScales.min && larger < sumScales.max;
}

OwnSum::OwnSum(const Source& source, const PayloadNode& node)
    : output(node.outputs[0]),
      isSigned(source.payload.value(output).datatype == Datatype::QInt8),
      isSum(node.traits->kind == NodeKind::Add) {
    const PerTensorQuantization& to = *parametersOf(source.payload, output);
    std::array<float, 2> ratios{};
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        ratios[i] = parametersOf(source.payload, node.inputs[i])->scale / to.scale;
    }
    const int exponent = std::ilogb(std::max(ratios[0], ratios[1]));
    shift = static_cast<std::uint32_t>(fractionBits - exponent);
    bias = std::int64_t{1} << (shift - 1);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool isConstant = source.payload.value(node.inputs[i]).constant != 0;
        const auto multiplier =
            static_cast<std::int32_t>(std::lrint(std::ldexp(ratios[i], static_cast<int>(shift))));
        inputs[i] = {.value = node.inputs[i],
                     .constant = isConstant ? source.constants.data(node.inputs[i]) : nullptr,
                     .multiplier = i == 1 && !isSum ? -multiplier : multiplier};
        bias -= std::int64_t{inputs[i].multiplier} * parametersOf(source.payload, node.inputs[i])->zeroPoint;
    }
    zeroPoint = to.zeroPoint;
    lowest = isSigned ? -128 : 0;
    highest = lowest + 255;
    const OutputRange range = node.range.value_or(OutputRange{});
    const auto stepsOf = [&](float bound) {
        const float steps = std::nearbyint(bound / to.scale) + static_cast<float>(zeroPoint);
        return static_cast<std::int64_t>(
            std::clamp(steps, static_cast<float>(lowest), static_cast<float>(highest)));
    };
    const std::int64_t least = stepsOf(range.min);
    highest = stepsOf(range.max);
    lowest = least;
}

std::string OwnSum::name() const {
    return isSum ? "Add (ND)" : "Subtract (ND)";
}

void OwnSum::reshape(const Shapes& shapes) {
    sizes.assign(shapes[output].begin(), shapes[output].end());
    for (Input& input : inputs) {
        const ValueSizes& own = shapes[input.value];
        input.steps.assign(sizes.size(), 0);
        std::size_t step = 1;
        for (std::size_t i = 0; i < std::min(own.size(), sizes.size()); ++i) {
            const std::size_t size = own[own.size() - 1 - i];
            input.steps[sizes.size() - 1 - i] = size == 1 ? 0 : step;
            step *= size;
        }
    }
}

std::size_t OwnSum::Input::offsetOf(std::size_t row, std::span<const std::size_t> sizes) const {
    std::size_t offset = 0;
    for (std::size_t i = sizes.empty() ? 0 : sizes.size() - 1; i-- > 0; row /= sizes[i]) {
        offset += row % sizes[i] * steps[i];
    }
    return offset;
}

template <class T>
void OwnSum::runAs(std::span<void* const> places) const {
    std::array<const T*, 2> from{};
    for (std::size_t i = 0; i < from.size(); ++i) {
        from[i] = static_cast<const T*>(inputs[i].constant != nullptr ? inputs[i].constant
                                                                      : places[inputs[i].value]);
    }
    auto* to = static_cast<T*>(places[output]);
    const std::size_t width = sizes.empty() ? 1 : sizes.back();
    const std::size_t rows = std::accumulate(sizes.begin(), sizes.empty() ? sizes.end() : sizes.end() - 1,
                                             std::size_t{1}, std::multiplies<>());
    for (std::size_t row = 0; row < rows; ++row) {
        const T* left = from[0] + inputs[0].offsetOf(row, sizes);
        const T* right = from[1] + inputs[1].offsetOf(row, sizes);
        const std::size_t leftStep = sizes.empty() ? 0 : inputs[0].steps.back();
        const std::size_t rightStep = sizes.empty() ? 0 : inputs[1].steps.back();
        for (std::size_t i = 0; i < width; ++i) {
            const std::int64_t sum = bias + std::int64_t{left[i * leftStep]} * inputs[0].multiplier +
                                     std::int64_t{right[i * rightStep]} * inputs[1].multiplier;
            *to++ = static_cast<T>(std::clamp((sum >> shift) + zeroPoint, lowest, highest));
        }
    }
}

void OwnSum::run(std::span<void* const> places) {
    isSigned ? runAs<std::int8_t>(places) : runAs<std::uint8_t>(places);
}

}  // namespace et::backends::xnnpack
