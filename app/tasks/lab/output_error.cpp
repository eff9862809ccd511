#include "app/tasks/lab/output_error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;

constexpr double perDecade = 10;  ///< decibels

/// The numbers of a float32 tensor; empty for other values.
std::span<const float> numbersOf(const ReferenceValue& value) {
    const auto* tensor = value.as<ReferenceTensor>();
    if (tensor == nullptr || tensor->view.dtype() != core::ScalarType::Float) {
        return {};
    }
    return {tensor->view.data<float>(), static_cast<std::size_t>(tensor->view.numel())};
}

/// A row of strided numbers.
struct Row {
    const float* first = nullptr;
    std::size_t stride = 1;
    std::size_t count = 0;
    [[nodiscard]] double operator[](std::size_t index) const {
        return static_cast<double>(first[index * stride]);
    }
    [[nodiscard]] bool hasNan() const {
        for (std::size_t i = 0; i < count; ++i) {
            if (std::isnan((*this)[i])) {
                return true;
            }
        }
        return false;
    }
    [[nodiscard]] std::size_t largest() const {
        std::size_t best = 0;
        for (std::size_t i = 1; i < count; ++i) {
            best = (*this)[i] > (*this)[best] ? i : best;
        }
        return best;
    }
    /// Computes log-sum-exp.
    [[nodiscard]] double logSum() const {
        const double top = (*this)[largest()];
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            sum += std::exp((*this)[i] - top);
        }
        return top + std::log(sum);
    }
};

double computeDivergence(const Row& reference, const Row& row) {
    const double referenceSum = reference.logSum();
    const double sum = row.logSum();
    double divergence = 0;
    for (std::size_t i = 0; i < reference.count; ++i) {
        const double logarithm = reference[i] - referenceSum;
        const double share = std::exp(logarithm);
        divergence += share == 0 ? 0 : share * (logarithm - (row[i] - sum));
    }
    return divergence < 0 ? 0 : divergence;
}

/// Sums over all elements and rows.
class Sums {
  public:
    void add(const ReferenceValue& reference, const ReferenceValue& value) {
        const auto expected = numbersOf(reference);
        const auto given = numbersOf(value);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto number = static_cast<double>(expected[i]);
            const double other = given.size() == expected.size() ? static_cast<double>(given[i]) : 0;
            ++elements;
            if (!std::isfinite(number) || !std::isfinite(other)) {
                const bool isSame = number == other || (std::isnan(number) && std::isnan(other));
                nonFinite += isSame ? 0 : 1;
                continue;
            }
            power += number * number;
            otherPower += other * other;
            product += number * other;
            noise += (number - other) * (number - other);
        }
    }

    void addRows(const ReferenceValue& reference, const ReferenceValue& value) {
        const auto expected = numbersOf(reference);
        const auto given = numbersOf(value);
        if (expected.empty() || expected.size() != given.size()) {
            return;
        }
        const core::Tensor& shape = reference.as<ReferenceTensor>()->view;
        if (shape.dim() < 2 || shape.size(1) < 2) {
            return;
        }
        const auto count = static_cast<std::size_t>(shape.size(1));
        const auto inner = static_cast<std::size_t>(shape.stride(1));
        for (std::size_t i = 0; i < expected.size(); i += count * inner) {
            for (std::size_t j = 0; j < inner; ++j) {
                const Row left{.first = &expected[i + j], .stride = inner, .count = count};
                const Row right{.first = &given[i + j], .stride = inner, .count = count};
                same += left.hasNan() == right.hasNan() && left.largest() == right.largest() ? 1 : 0;
                divergence += computeDivergence(left, right);
                ++rows;
            }
        }
    }

    [[nodiscard]] OutputError finish() const {
        OutputError made{.nonFinite = nonFinite, .elements = elements};
        if (nonFinite > 0) {
            made.sqnrDecibels = -std::numeric_limits<double>::infinity();
        } else if (noise > 0) {
            made.sqnrDecibels = 10 * std::log10(power / noise);
        }
        if (power > 0 && otherPower > 0 && nonFinite == 0) {
            made.cosine = product / std::sqrt(power * otherPower);
        }
        if (rows > 0) {
            made.top1 = static_cast<double>(same) / static_cast<double>(rows);
            if (std::isfinite(divergence)) {
                made.divergence = divergence / static_cast<double>(rows);
            }
        }
        return made;
    }

  private:
    double power = 0;
    double otherPower = 0;
    double product = 0;
    double noise = 0;
    double divergence = 0;
    std::uint64_t nonFinite = 0;
    std::uint64_t elements = 0;
    std::uint64_t same = 0;
    std::uint64_t rows = 0;
};

}  // namespace

OutputError measureOutputError(std::span<const CaseOutputs> reference, std::span<const CaseOutputs> outputs) {
    Sums sums;
    for (std::size_t i = 0; i < reference.size() && i < outputs.size(); ++i) {
        for (std::size_t j = 0; j < reference[i].size() && j < outputs[i].size(); ++j) {
            sums.add(reference[i][j], outputs[i][j]);
        }
        if (!reference[i].empty() && !outputs[i].empty()) {
            sums.addRows(reference[i].front(), outputs[i].front());
        }
    }
    return sums.finish();
}

double OutputError::noise() const {
    if (!isFinite()) {
        return nonFiniteNoise * (1 + static_cast<double>(nonFinite) / static_cast<double>(elements));
    }
    return sqnrDecibels ? std::pow(perDecade, -*sqnrDecibels / perDecade) : 0;
}

OutputError meanOf(std::span<const OutputError> measured) {
    const auto count = static_cast<double>(measured.size());
    double noise = 0;
    const OutputError* worst = nullptr;
    for (const OutputError& each : measured) {
        noise += each.noise() / count;
        worst = worst == nullptr || each.nonFinite > worst->nonFinite ? &each : worst;
    }
    const auto mean = [&](std::optional<double> OutputError::* figure) {
        std::optional<double> sum = 0;
        for (const OutputError& each : measured) {
            sum = sum && each.*figure ? std::optional(*sum + *(each.*figure) / count) : std::nullopt;
        }
        return sum;
    };
    OutputError made{.cosine = mean(&OutputError::cosine),
                     .top1 = mean(&OutputError::top1),
                     .divergence = mean(&OutputError::divergence)};
    made.nonFinite = worst->nonFinite;
    made.elements = worst->elements;
    if (!made.isFinite()) {
        made.sqnrDecibels = worst->sqnrDecibels;
    } else if (noise > 0) {
        made.sqnrDecibels = -perDecade * std::log10(noise);
    }
    return made;
}

std::optional<DecibelRange> computeDecibelRange(std::span<const OutputError> measured) {
    std::optional<DecibelRange> range;
    for (const OutputError& each : measured) {
        if (!each.sqnrDecibels || !each.isFinite()) {
            return std::nullopt;
        }
        const double decibels = *each.sqnrDecibels;
        range = range ? DecibelRange{.low = std::min(range->low, decibels),
                                     .high = std::max(range->high, decibels)}
                      : DecibelRange{.low = decibels, .high = decibels};
    }
    return range;
}

}  // namespace et::tasks
