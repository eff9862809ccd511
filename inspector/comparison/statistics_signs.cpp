#include "inspector/comparison/statistics_signs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <ranges>
#include <utility>

namespace et::inspector {
namespace {

/// Maximum number of launches for which all sign assignments are enumerated.
constexpr std::size_t maxEnumerated = 12;
constexpr std::size_t drawnAssignments = 4095;

/// Enumerates or draws a sign for each launch; the first assignment is the measured one.
class SignAssignments {
  public:
    SignAssignments(std::size_t count, std::uint64_t seed) : signs(count, 1.0), random(seed) {
        enumerated = count <= maxEnumerated;
        // Inverting all signs changes nothing, so the first sign is fixed.
        ways = enumerated ? std::size_t{1} << (std::max<std::size_t>(count, 1) - 1) : drawnAssignments + 1;
    }

    [[nodiscard]] std::size_t count() const { return ways; }

    std::span<const double> way(std::size_t at) {
        std::uint64_t bits = at;
        for (std::size_t i = 0; i < signs.size(); ++i) {
            if (!enumerated && i % 64 == 0) {
                bits = at == 0 ? 0 : random();
            }
            const std::uint64_t place = enumerated ? i - std::min<std::size_t>(i, 1) : i % 64;
            const bool minus = (bits >> place & 1U) != 0 && !(enumerated && i == 0);
            signs[i] = minus ? -1 : 1;
        }
        return signs;
    }

  private:
    std::vector<double> signs;
    std::mt19937_64 random;
    bool enumerated = false;
    std::size_t ways = 0;
};

double product(std::span<const double> left, std::span<const double> right) {
    return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

/// Sums that do not depend on the signs.
struct Squares {
    double own = 0;
    double mixed = 0;
    double process = 0;
};

class SignSums {
  public:
    SignSums(std::span<const SignedEffects> all, std::span<const double> shift)
        : family(all), process(shift), values(all.size()) {
        for (const SignedEffects& each : family) {
            std::vector<double> present(process.begin(), process.end());
            std::ranges::transform(present, each.present, present.begin(), std::multiplies<>());
            squares.push_back({.own = product(each.own, each.own),
                               .mixed = product(each.own, present),
                               .process = product(present, present)});
            presentProcess.push_back(std::move(present));
        }
    }

    std::span<const double> of(std::span<const double> signs) {
        const double share = processShare(signs);
        for (std::size_t i = 0; i < family.size(); ++i) {
            double sum = product(signs, family[i].own);
            double square = squares[i].own;
            if (share > 0) {
                sum += share * product(signs, presentProcess[i]);
                square += share * (2 * squares[i].mixed + share * squares[i].process);
            }
            values[i] = square > 0 ? std::abs(sum) / std::sqrt(square) : 0;
        }
        return values;
    }

  private:
    [[nodiscard]] double processShare(std::span<const double> signs) const {
        const auto count = static_cast<double>(process.size());
        const double mean = product(signs, process) / count;
        const double rest = std::max(0.0, product(process, process) - count * mean * mean);
        return believedShare(mean, std::sqrt(rest / (count - 1) / count), processStrictness);
    }

    std::span<const SignedEffects> family;
    std::span<const double> process;
    std::vector<std::vector<double>> presentProcess;
    std::vector<Squares> squares;
    std::vector<double> values;
};

}  // namespace

double believedShare(double mean, double error, double strictness) {
    if (mean == 0) {
        return 0;
    }
    return std::max(0.0, 1 - strictness * (error / mean) * (error / mean));
}

std::vector<double> signProbabilities(std::span<const SignedEffects> family, std::span<const double> process,
                                      std::uint64_t seed) {
    std::vector<double> probabilities(family.size(), 1.0);
    if (family.empty() || process.size() < 2) {
        return probabilities;
    }
    SignAssignments ways(process.size(), seed);
    SignSums sums(family, process);
    const auto first = sums.of(ways.way(0));
    const std::vector<double> measured(first.begin(), first.end());
    std::vector<std::size_t> order(family.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t l, std::size_t r) { return measured[l] > measured[r]; });
    constexpr double rounding = 1e-9;
    std::vector<std::size_t> asClear(family.size());
    for (std::size_t way = 0; way < ways.count(); ++way) {
        const auto values = sums.of(ways.way(way));
        double largest = 0;
        for (const std::size_t each : std::views::reverse(order)) {
            largest = std::max(largest, values[each]);
            asClear[each] += largest >= measured[each] * (1 - rounding) ? 1 : 0;
        }
    }
    double least = 0;
    for (const std::size_t each : order) {
        least = std::max(least, static_cast<double>(asClear[each]) / static_cast<double>(ways.count()));
        probabilities[each] = least;
    }
    return probabilities;
}

}  // namespace et::inspector
