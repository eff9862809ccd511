#include "app/tasks/lab/rounded_bias.h"

#include "backends/xnnpack/quantize/weight_integers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace et::tasks {

using backends::xnnpack::ConstantChange;
using backends::xnnpack::PreparedModel;
using backends::xnnpack::QuantizationSite;
using backends::xnnpack::QuantizedValue;
using core::Result;

Result<std::optional<ConstantChange>> roundedBias(const QuantizedVariants& variants,
                                                  const QuantizationSite& site,
                                                  const QuantizedVariants::Annotation& annotation) {
    PreparedModel& model = variants.model();
    if (!site.hasWeight() || site.operands.empty()) {
        return std::nullopt;
    }
    const std::string_view value = backends::xnnpack::biasOf(model.method(), model.operators()[site.op]);
    const auto operand = std::ranges::find(annotation.values, site.operands.front(), &QuantizedValue::value);
    if (value.empty() || operand == annotation.values.end()) {
        return std::nullopt;
    }
    const auto range = variants.ranges(annotation.scales[operand->scale]).used;
    ET_ASSIGN(const auto weight, model.method().tensor(site.weight));
    ET_ASSIGN(const auto bias, model.method().tensor(value));
    const auto scales = backends::xnnpack::channelScales(weight.view, site.weightAxis());
    const auto count = static_cast<std::size_t>(bias.view.numel());
    if (!range || scales.size() != count) {
        return std::nullopt;
    }
    const double operandScale = static_cast<double>(
        backends::xnnpack::affineNumbers(*range, backends::xnnpack::activationIntegers).scale);
    std::vector<float> rounded(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double step = operandScale * static_cast<double>(scales[i]);
        const double integer =
            std::clamp(std::nearbyint(static_cast<double>(bias.view.data<float>()[i]) / step),
                       double{std::numeric_limits<std::int32_t>::min()},
                       double{std::numeric_limits<std::int32_t>::max()});
        rounded[i] = static_cast<float>(integer * step);
    }
    const std::array sizes{static_cast<std::int64_t>(count)};
    return ConstantChange{.op = site.op,
                          .value = std::string(value),
                          .tensor = backends::xnnpack::tensorOf(core::ScalarType::Float, sizes,
                                                                std::as_bytes(std::span(rounded)))};
}

}  // namespace et::tasks
