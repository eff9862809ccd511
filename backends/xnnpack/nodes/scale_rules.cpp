#include "backends/xnnpack/nodes/scale_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace et::backends::xnnpack {
namespace {

using core::Result;

/// Limits of leaky ReLU's slope times the ratio.
constexpr float minSlope = 0x1p-8F;
constexpr float maxSlope = 0x1p7F;
constexpr float minNegativeSlope = -0x1.FFFCp6F;

bool isWithin(float ratio, const ScaleRule& rule) {
    return ratio >= rule.min && (rule.withMax ? ratio <= rule.max : ratio < rule.max);
}

class ScaleCheck {
  public:
    ScaleCheck(const Payload& from, std::size_t nodeIndex)
        : payload(from), node(from.nodes[nodeIndex]), index(nodeIndex) {}

    Result<> check() const {
        const ScaleRule* rule = node.traits->scales;
        const auto output = scaleOf(node.outputs[0]);
        if (rule == nullptr || !output) {
            return {};
        }
        const std::size_t multiplied = std::min<std::size_t>(node.inputs.size(), 2);
        float product = 1;
        float largest = 0;
        for (std::size_t i = 0; rule->onlyLarger && i < multiplied; ++i) {
            largest = std::max(largest, scaleOf(node.inputs[i]).value_or(0));
        }
        for (std::size_t i = 0; i < multiplied; ++i) {
            const auto input = scaleOf(node.inputs[i]);
            if (!input) {
                return {};
            }
            product *= *input;
            if (rule->ratio == ScaleRatio::EachInput) {
                ET_TRY(checkRatio(std::max(*input, largest) / *output, *rule));
                ET_TRY(checkSlope(*input / *output));
            }
        }
        return rule->ratio == ScaleRatio::Product ? checkRatio(product / *output, *rule) : Result<>();
    }

  private:
    /// Nothing for a value without a single scale.
    [[nodiscard]] std::optional<float> scaleOf(ValueIndex value) const {
        const auto* tensor = std::get_if<PerTensorQuantization>(&payload.value(value).quantization);
        return tensor == nullptr ? std::nullopt : std::optional(tensor->scale);
    }

    [[nodiscard]] Result<> checkRatio(float ratio, const ScaleRule& rule) const {
        if (isWithin(ratio, rule)) {
            return {};
        }
        return fail(fmt::format("scales of input and output that are {} to 1", ratio));
    }

    [[nodiscard]] Result<> checkSlope(float ratio) const {
        if (node.traits->kind != NodeKind::LeakyRelu) {
            return {};
        }
        const float slope = std::get<NumberFields>(node.fields).value * ratio;
        if (slope >= minNegativeSlope && slope <= maxSlope && std::fabs(slope) >= minSlope) {
            return {};
        }
        return fail(fmt::format("a slope of {} in units of the output", slope));
    }

    [[nodiscard]] std::unexpected<core::Error> fail(std::string_view what) const {
        return core::fail(
            core::ErrorCode::Unsupported, fmt::format("no support for {}", what),
            {.file = {}, .field = fmt::format("nodes[{}] ({})", index, node.traits->name), .offset = {}});
    }

    const Payload& payload;
    const PayloadNode& node;
    std::size_t index;
};

}  // namespace

Result<> checkScales(const Payload& payload, std::size_t node) {
    return ScaleCheck(payload, node).check();
}

}  // namespace et::backends::xnnpack
