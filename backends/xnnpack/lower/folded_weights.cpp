#include "backends/xnnpack/lower/folded_weights.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/permute_elements.h"
#include "backends/xnnpack/lower/part_conversion.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <span>

namespace et::backends::xnnpack {
core::Result<> FoldedWeights::fold(const NormNumbers& norm) {
    const std::size_t channels = outputs();
    for (const auto* numbers : {&norm.scale, &norm.shift, &norm.mean, &norm.variance}) {
        if (!numbers->empty() && numbers->size() != channels) {
            return core::fail(
                core::ErrorCode::InvalidArgument,
                fmt::format("a batch norm has {} numbers for {} channels", numbers->size(), channels));
        }
    }
    const auto at = [](const std::vector<float>& numbers, std::size_t i, double otherwise) {
        return numbers.empty() ? otherwise : static_cast<double>(numbers[i]);
    };
    const auto inner = static_cast<std::size_t>(sizes[2] * sizes[3] * (outputsSecond ? 1 : sizes[1]));
    if (channels == 0 || inner == 0) {
        return {};
    }
    std::vector<double> factors(channels);
    bias.resize(channels, 0.0F);
    for (std::size_t i = 0; i < channels; ++i) {
        factors[i] = at(norm.scale, i, 1) / std::sqrt(at(norm.variance, i, 1) + norm.epsilon);
        bias[i] = static_cast<float>((static_cast<double>(bias[i]) - at(norm.mean, i, 0)) * factors[i] +
                                     at(norm.shift, i, 0));
    }
    for (std::size_t i = 0; i < weight.size(); ++i) {
        weight[i] = static_cast<float>(static_cast<double>(weight[i]) * factors[i / inner % channels]);
    }
    return {};
}

core::Result<std::string_view> foldNorm(PartConversion& to, const etrecord::Node& node,
                                        FoldedWeights& folded) {
    const etrecord::Node* norm = to.graph().onlyReader(lowering::firstResult(node));
    if (norm == nullptr || norm->op != foldedNorm) {
        return lowering::firstResult(node);
    }
    NormNumbers numbers;
    const auto read = [&](std::string_view name, std::vector<float>& into) -> core::Result<> {
        const std::string_view value = lowering::valueName(lowering::findArgument(*norm, name));
        if (!value.empty()) {
            ET_ASSIGN(into, to.constants().floats(value));
        }
        return {};
    };
    ET_TRY(read("weight", numbers.scale));
    ET_TRY(read("bias", numbers.shift));
    ET_TRY(read("running_mean", numbers.mean));
    ET_TRY(read("running_var", numbers.variance));
    numbers.epsilon = lowering::numberArgument(*norm, "eps").value_or(0);
    ET_TRY(folded.fold(numbers));
    to.skip(*norm);
    return lowering::firstResult(*norm);
}

std::array<std::uint8_t, 4> filterOrder(bool transposed, bool depthwise) {
    constexpr std::array<std::uint8_t, 4> usual{0, 2, 3, 1};
    constexpr std::array<std::uint8_t, 4> swapped{1, 2, 3, 0};
    return transposed || depthwise ? swapped : usual;
}

std::vector<float> FoldedWeights::ordered(std::span<const std::uint8_t> order) const {
    const auto bytes =
        lowering::permuteElements(std::as_bytes(std::span(weight)), sizeof(float), sizes, order);
    std::vector<float> out(weight.size());
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
}

}  // namespace et::backends::xnnpack
