#include "backends/xnnpack/nodes/scale_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace et::backends::xnnpack {
namespace {

using core::Result;

/// What a node's scales come to.
enum class Ratio : std::uint8_t {
    EachInput,  ///< of each input to the output
    Product,    ///< of the product of the inputs to the output
};

/// Ratios that a node may have: from `least` to `most`, which is allowed itself or not.
struct RatioRule {
    NodeForm form;
    std::optional<NodeKind> kind;  ///< of that form only these
    Ratio ratio;
    float least;
    float most;
    bool withMost;
};
constexpr std::array ratioRules = std::to_array<RatioRule>({
    {NodeForm::Binary, NodeKind::Add, Ratio::EachInput, 0x1p-10F, 0x1p8F, false},
    {NodeForm::Binary, NodeKind::Subtract, Ratio::EachInput, 0x1p-10F, 0x1p8F, false},
    {NodeForm::Binary, NodeKind::Multiply, Ratio::Product, 0x1p-16F, 0x1p8F, false},
    {NodeForm::Unary, NodeKind::Convert, Ratio::EachInput, 0x1p-8F, 0x1p7F, true},
    {NodeForm::UnaryNumber, NodeKind::LeakyRelu, Ratio::EachInput, 0x1p-8F, 0x1p7F, true},
    {NodeForm::FullyConnected, std::nullopt, Ratio::Product, 0x1p-32F, 0x1p8F, false},
    {NodeForm::Convolution, std::nullopt, Ratio::Product, 0x1p-32F, 0x1p8F, false},
    {NodeForm::DepthwiseConvolution, std::nullopt, Ratio::Product, 0x1p-32F, 0x1p8F, false},
    {NodeForm::TransposedConvolution, std::nullopt, Ratio::Product, 0x1p-32F, 0x1p8F, false},
});
/// Of leaky ReLU's slope times the ratio.
constexpr float leastSlope = 0x1p-8F;
constexpr float mostSlope = 0x1p7F;
constexpr float leastNegativeSlope = -0x1.FFFCp6F;

bool isWithin(float ratio, const RatioRule& rule) {
    return ratio >= rule.least && (rule.withMost ? ratio <= rule.most : ratio < rule.most);
}

class ScaleCheck {
  public:
    ScaleCheck(const Payload& from, std::size_t nodeIndex)
        : payload(from), node(from.nodes[nodeIndex]), index(nodeIndex) {}

    Result<> check() const {
        const auto rule = std::ranges::find_if(ratioRules, [this](const RatioRule& each) {
            return each.form == node.facts->form && each.kind.value_or(node.facts->kind) == node.facts->kind;
        });
        const auto output = scaleOf(node.outputs[0]);
        if (rule == ratioRules.end() || !output) {
            return {};
        }
        const std::size_t multiplied = std::min<std::size_t>(node.inputs.size(), 2);
        float product = 1;
        for (std::size_t i = 0; i < multiplied; ++i) {
            const auto input = scaleOf(node.inputs[i]);
            if (!input) {
                return {};
            }
            product *= *input;
            if (rule->ratio == Ratio::EachInput) {
                ET_TRY(checkRatio(*input / *output, *rule));
                ET_TRY(checkSlope(*input / *output));
            }
        }
        return rule->ratio == Ratio::Product ? checkRatio(product / *output, *rule) : Result<>();
    }

  private:
    /// Nothing for a value without one scale.
    [[nodiscard]] std::optional<float> scaleOf(ValueIndex value) const {
        const auto* tensor = std::get_if<PerTensorQuantization>(&payload.value(value).quantization);
        return tensor == nullptr ? std::nullopt : std::optional(tensor->scale);
    }

    [[nodiscard]] Result<> checkRatio(float ratio, const RatioRule& rule) const {
        if (isWithin(ratio, rule)) {
            return {};
        }
        return fail(fmt::format("scales of input and output that are {} to 1", ratio));
    }

    [[nodiscard]] Result<> checkSlope(float ratio) const {
        if (node.facts->kind != NodeKind::LeakyRelu) {
            return {};
        }
        const float slope = std::get<NumberFields>(node.fields).value * ratio;
        if (slope >= leastNegativeSlope && slope <= mostSlope && std::fabs(slope) >= leastSlope) {
            return {};
        }
        return fail(fmt::format("a slope of {} in units of the output", slope));
    }

    [[nodiscard]] std::unexpected<core::Error> fail(std::string_view what) const {
        return core::fail(
            core::ErrorCode::Unsupported, fmt::format("no support for {}", what),
            {.file = {}, .field = fmt::format("nodes[{}] ({})", index, node.facts->name), .offset = {}});
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
