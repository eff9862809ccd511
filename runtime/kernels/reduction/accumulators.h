#pragma once

#include "runtime/kernels/reduction/element_access.h"
#include "runtime/kernels/reduction/row_functions.h"
#include "runtime/kernels/reduction/slot_accumulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

// Accumulators for reduce(): one per kind of reduction, each for up to blockSize results at a time.
namespace et::kernels::reduction {

/// Sums and products of floats are double, those of complex numbers complex; those of integers wrap around,
/// which is well-defined for unsigned types.
template <class Compute>
using Total = std::conditional_t<std::is_floating_point_v<Compute>, double,
                                 std::conditional_t<std::is_integral_v<Compute>, std::uint64_t, Compute>>;

template <class Compute>
class Sum final : public SlotAccumulator<Compute> {
  public:
    void start(std::size_t first, std::size_t slots) override {
        std::fill_n(&totals[first], slots, Total<Compute>{});
    }
    void column(const Compute* x, std::size_t slots, std::int64_t) override {
        for (std::size_t slot = 0; slot < slots; ++slot) {
            totals[slot] += static_cast<Total<Compute>>(x[slot]);
        }
    }
    void row(std::size_t slot, const Compute* x, std::size_t count, std::int64_t) override {
        if constexpr (std::is_floating_point_v<Compute>) {
            totals[slot] += static_cast<double>(rowFunctions<Compute>().sum(x, count));
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                totals[slot] += static_cast<Total<Compute>>(x[i]);
            }
        }
    }
    [[nodiscard]] Total<Compute> result(std::size_t slot) const { return totals[slot]; }

  private:
    std::array<Total<Compute>, blockSize> totals;
};

template <class Compute>
class Product final : public SlotAccumulator<Compute> {
  public:
    void start(std::size_t first, std::size_t slots) override {
        std::fill_n(&totals[first], slots, Total<Compute>{1});
    }
    void column(const Compute* x, std::size_t slots, std::int64_t) override {
        for (std::size_t slot = 0; slot < slots; ++slot) {
            totals[slot] *= static_cast<Total<Compute>>(x[slot]);
        }
    }
    void row(std::size_t slot, const Compute* x, std::size_t count, std::int64_t) override {
        Total<Compute> total = totals[slot];
        for (std::size_t i = 0; i < count; ++i) {
            total *= static_cast<Total<Compute>>(x[i]);
        }
        totals[slot] = total;
    }
    [[nodiscard]] Total<Compute> result(std::size_t slot) const { return totals[slot]; }

  private:
    std::array<Total<Compute>, blockSize> totals;
};

/// True if any element is true, or if all are.
template <bool any>
class Truth final : public SlotAccumulator<bool> {
  public:
    void start(std::size_t first, std::size_t slots) override { std::fill_n(&truths[first], slots, !any); }
    void column(const bool* x, std::size_t slots, std::int64_t) override {
        for (std::size_t slot = 0; slot < slots; ++slot) {
            truths[slot] = any ? truths[slot] || x[slot] : truths[slot] && x[slot];
        }
    }
    void row(std::size_t slot, const bool* x, std::size_t count, std::int64_t) override {
        if (truths[slot] != any && std::find(x, x + count, any) != x + count) {
            truths[slot] = any;
        }
    }
    [[nodiscard]] bool result(std::size_t slot) const { return truths[slot]; }

  private:
    std::array<bool, blockSize> truths;
};

/// Order of two values: NaN takes precedence, then the earlier of equal values.
template <class Compute, bool largest>
struct Order {
    /// Value that every element beats or equals.
    static constexpr Compute worst = [] {
        using Limits = std::numeric_limits<Compute>;
        if constexpr (Limits::has_infinity) {
            return largest ? -Limits::infinity() : Limits::infinity();
        } else {
            return largest ? Limits::min() : Limits::max();
        }
    }();

    static constexpr bool isNan([[maybe_unused]] Compute x) {
        if constexpr (std::is_floating_point_v<Compute>) {
            // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
            return x != x;
        }
        return false;
    }
    static constexpr bool beats(Compute x, Compute other) {
        return (largest ? x > other : x < other) || (isNan(x) && !isNan(other));
    }

    static Compute ofRow(const Compute* x, std::size_t count) {
        if constexpr (std::is_floating_point_v<Compute>) {
            return largest ? rowFunctions<Compute>().maximum(x, count)
                           : rowFunctions<Compute>().minimum(x, count);
        } else {
            Compute found = worst;
            for (std::size_t i = 0; i < count; ++i) {
                found = largest ? std::max(found, x[i]) : std::min(found, x[i]);
            }
            return found;
        }
    }
};

/// The largest (or smallest) element.
template <class Compute, bool largest>
class Extreme final : public SlotAccumulator<Compute> {
  public:
    using Rank = Order<Compute, largest>;

    void start(std::size_t first, std::size_t slots) override {
        std::fill_n(&best[first], slots, Rank::worst);
    }
    void column(const Compute* x, std::size_t slots, std::int64_t) override {
        if constexpr (std::is_floating_point_v<Compute>) {
            const auto& functions = rowFunctions<Compute>();
            (largest ? functions.maximumEach : functions.minimumEach)(x, slots, best.data());
        } else {
            for (std::size_t slot = 0; slot < slots; ++slot) {
                best[slot] = largest ? std::max(best[slot], x[slot]) : std::min(best[slot], x[slot]);
            }
        }
    }
    void row(std::size_t slot, const Compute* x, std::size_t count, std::int64_t) override {
        const Compute found = Rank::ofRow(x, count);
        best[slot] = Rank::beats(found, best[slot]) ? found : best[slot];
    }
    [[nodiscard]] Compute result(std::size_t slot) const { return best[slot]; }

  private:
    std::array<Compute, blockSize> best;
};

/// The extreme and its index.
template <class Compute, bool largest>
class ArgExtreme final : public SlotAccumulator<Compute> {
  public:
    using Rank = Order<Compute, largest>;

    void start(std::size_t first, std::size_t slots) override {
        std::fill_n(&best[first], slots, Rank::worst);
        std::fill_n(&places[first], slots, 0);
    }
    void column(const Compute* x, std::size_t slots, std::int64_t index) override {
        for (std::size_t slot = 0; slot < slots; ++slot) {
            const bool better = Rank::beats(x[slot], best[slot]);
            best[slot] = better ? x[slot] : best[slot];
            places[slot] = better ? index : places[slot];
        }
    }
    void row(std::size_t slot, const Compute* x, std::size_t count, std::int64_t index) override {
        const Compute found = Rank::ofRow(x, count);
        if (Rank::beats(found, best[slot])) {
            best[slot] = found;
            const Compute* at = std::find_if(x, x + count, [found](Compute y) {
                return y == found || (Rank::isNan(y) && Rank::isNan(found));
            });
            places[slot] = index + (at - x);
        }
    }
    [[nodiscard]] Compute result(std::size_t slot) const { return best[slot]; }
    [[nodiscard]] std::int64_t index(std::size_t slot) const { return places[slot]; }

  private:
    std::array<Compute, blockSize> best;
    std::array<std::int64_t, blockSize> places;
};

/// Running mean and sum of squared distances from it (https://doi.org/10.1080/00401706.1962.10490022; partial
/// results are combined as in https://doi.org/10.1080/00031305.1983.10483115).
struct Moments {
    double mean = 0;
    double squares = 0;
    double count = 0;

    void add(double x) {
        count += 1;
        const double distance = x - mean;
        mean += distance / count;
        squares += distance * (x - mean);
    }

    template <class Compute>
    void add(const Compute* x, std::size_t added) {
        const auto number = static_cast<double>(added);
        const auto& functions = rowFunctions<Compute>();
        const double center = static_cast<double>(functions.sum(x, added)) / number;
        if (!std::isfinite(center)) {
            // In PyTorch the mean of an infinity followed by other numbers is NaN.
            for (std::size_t i = 0; i < added; ++i) {
                add(static_cast<double>(x[i]));
            }
            return;
        }
        const auto distances =
            static_cast<double>(functions.squaredDistance(x, added, static_cast<Compute>(center)));
        const double distance = center - mean;
        const double sum = count + number;
        mean += distance * number / sum;
        squares += distances + distance * distance * count * number / sum;
        count = sum;
    }

    /// NaN or infinity if the count does not exceed the correction.
    [[nodiscard]] double variance(double correction) const {
        return squares / std::max(count - correction, 0.0);
    }
};

template <class Compute>
class Spread final : public SlotAccumulator<Compute> {
  public:
    void start(std::size_t first, std::size_t slots) override {
        std::fill_n(&means[first], slots, 0.0);
        std::fill_n(&squares[first], slots, 0.0);
        seen = 0;
    }
    void column(const Compute* x, std::size_t slots, std::int64_t) override {
        seen += 1;
        const double share = 1 / seen;
        for (std::size_t slot = 0; slot < slots; ++slot) {
            const double value = static_cast<double>(x[slot]);
            const double distance = value - means[slot];
            means[slot] += distance * share;
            squares[slot] += distance * (value - means[slot]);
        }
    }
    void row(std::size_t slot, const Compute* x, std::size_t count, std::int64_t) override {
        Moments moments = result(slot);
        moments.add(x, count);
        means[slot] = moments.mean;
        squares[slot] = moments.squares;
        seen = moments.count;
    }
    [[nodiscard]] Moments result(std::size_t slot) const {
        return {.mean = means[slot], .squares = squares[slot], .count = seen};
    }

  private:
    std::array<double, blockSize> means;
    std::array<double, blockSize> squares;
    double seen = 0;  ///< of the slots being filled; all have the same number at the end
};

}  // namespace et::kernels::reduction
