#include "backends/xnnpack/nodes/fusion_hazards.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace et::backends::xnnpack {
namespace {

/// Upper bound of padding values whose bits are read as fp32.
constexpr float abovePadding = 1e-30F;

bool hasClamp(const PayloadNode& node) {
    const auto fusesClamp = node.traits->functions->fusesClamp;
    return fusesClamp != nullptr && fusesClamp(node);
}

/// A bound in the library's representation.
float bound(float number, const PayloadValue& output) {
    const auto* scale = std::get_if<PerTensorQuantization>(&output.quantization);
    if (scale == nullptr) {
        return number;
    }
    const float low = output.datatype == Datatype::QUInt8 ? 0.0F : -128.0F;
    const float zeroPoint = static_cast<float>(scale->zeroPoint);
    return std::clamp(std::nearbyint(number / scale->scale) + zeroPoint, low, low + 255.0F);
}

bool isHarmless(const OutputRange& range, const OutputRange& before, const PayloadValue& output) {
    const bool isBelow = range.min < 0 || (range.min == 0 && !std::signbit(range.min));
    const float min = std::max(range.min, before.min);
    const float max = std::min(range.max, before.max);
    return isBelow && range.max > abovePadding && isMoreThanOne({.min = min, .max = max}, output);
}

OutputRange rangeOf(const PayloadNode& node) {
    return node.range.value_or(OutputRange{});
}

bool isSame(const OutputRange& left, const OutputRange& right) {
    return left.min == right.min && left.max == right.max;
}

/// A range of nodes that a clamp may be fused into, and the number of such nodes.
struct SharedRange {
    OutputRange range;
    std::size_t nodes = 0;
};

/// Distinct ranges: most models have a hundred such nodes with two ranges.
std::vector<SharedRange> collectRanges(const Payload& payload) {
    std::vector<SharedRange> ranges;
    for (const PayloadNode& node : payload.nodes) {
        if (!hasClamp(node)) {
            continue;
        }
        const auto known = std::ranges::find_if(
            ranges, [&](const SharedRange& each) { return isSame(each.range, rangeOf(node)); });
        if (known == ranges.end()) {
            ranges.push_back({.range = rangeOf(node), .nodes = 1});
        } else {
            ++known->nodes;
        }
    }
    return ranges;
}

/// Whether a clamp also requantizes, to scales that the fused node may not support.
bool requantizes(const Payload& payload, const PayloadNode& clamp) {
    const auto* in = std::get_if<PerTensorQuantization>(&payload.value(clamp.inputs[0]).quantization);
    const auto* out = std::get_if<PerTensorQuantization>(&payload.value(clamp.outputs[0]).quantization);
    return in != nullptr && out != nullptr && (in->scale != out->scale || in->zeroPoint != out->zeroPoint);
}

}  // namespace

bool isMoreThanOne(const OutputRange& range, const PayloadValue& output) {
    return bound(range.min, output) < bound(range.max, output);
}

bool isFusedRight(const Payload& payload) {
    // Copies between them, including nodes that the library converts to copies, do not prevent fusion: so all
    // pairs are checked.
    const std::vector<SharedRange> ranges = collectRanges(payload);
    return std::ranges::all_of(payload.nodes, [&](const PayloadNode& clamp) {
        if (clamp.traits->kind != NodeKind::Clamp) {
            return true;
        }
        const OutputRange own = rangeOf(clamp);
        const PayloadValue& output = payload.value(clamp.outputs[0]);
        return !requantizes(payload, clamp) && std::ranges::all_of(ranges, [&](const SharedRange& other) {
            const bool isOnlyItself = other.nodes == 1 && isSame(other.range, own);
            return isOnlyItself || isHarmless(own, other.range, output);
        });
    });
}

}  // namespace et::backends::xnnpack
