#include "inspector/numeric_gap/verdict.h"

#include "inspector/numeric_gap/lanes.h"
#include "runtime/core/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace et::inspector {
namespace {

using core::ScalarType;

/// Error of a float dtype relative to the largest result that rounding explains: some hundred roundings.
struct Rounding {
    ScalarType type;
    double relative;
};
constexpr std::array roundings{Rounding{ScalarType::Double, 1e-11}, Rounding{ScalarType::Float, 1e-5},
                               Rounding{ScalarType::Half, 2e-2}, Rounding{ScalarType::BFloat16, 1e-1}};

/// Error of results that sum numbers quantized to a 255th of their range, one of which is a step off.
constexpr double roundingOfQuantized = 2e-2;
/// The same with one scale for all rows: the steps of small rows are coarse.
constexpr double roundingOfSharedScale = 5e-2;

/// Steps between a quantized result and its unrounded value: half a step, plus reordered products and sums
/// and an integer bias. Few elements come near the maximum.
constexpr double maxOfQuantized = 0.75;
constexpr double usualOfQuantized = 0.55;
/// Limit if both sides are rounded: a step.
constexpr double maxOfRounded = 1.25;
/// Elements of a channel that may exceed the usual error: a fraction plus a fixed number.
constexpr double exceptionalShare = 0.05;
constexpr std::uint64_t exceptions = 2;

double roundingOf(core::ScalarType type) {
    const auto* known = std::ranges::find(roundings, type, &Rounding::type);
    return known == roundings.end() ? 0 : known->relative;
}

double relativeRounding(const Computation& computation) {
    const double own = roundingOf(computation.type);
    const double inside = computation.sharesScale ? roundingOfSharedScale : roundingOfQuantized;
    return computation.quantizesInside ? std::max(own, inside) : own;
}

bool bothFinite(double left, double right) {
    return std::isfinite(left) && std::isfinite(right);
}

/// Whether two non-finite numbers are equal; NaNs are equal to one another.
bool sameSpecial(double left, double right) {
    return (std::isnan(left) && std::isnan(right)) || left == right;
}

template <class T>
double maxDifferenceWithSpecials(std::span<const T> left, std::span<const T> right) {
    double max = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (bothFinite(left[i], right[i])) {
            max = std::max(max, std::abs(static_cast<double>(left[i]) - static_cast<double>(right[i])));
        } else if (!sameSpecial(left[i], right[i])) {
            return std::numeric_limits<double>::infinity();
        }
    }
    return max;
}

/// Maximum difference, several elements at a time, since tensors are large and need several passes.
template <class T>
double maxDifference(std::span<const T> left, std::span<const T> right) {
    lanes::Doubles max{};
    lanes::Doubles zeros{};  // becomes NaN if any number is not finite
    const std::size_t whole = lanes::wholeBlocks(left.size());
    for (std::size_t i = 0; i < whole; i += lanes::count) {
        for (std::size_t lane = 0; lane < lanes::count; ++lane) {
            const double off = static_cast<double>(left[i + lane]) - static_cast<double>(right[i + lane]);
            const double distance = std::abs(off);
            max[lane] = distance > max[lane] ? distance : max[lane];
            zeros[lane] += off * 0;
        }
    }
    const bool areFinite = std::ranges::all_of(zeros, [](double zero) { return zero == 0; });
    const std::size_t from = areFinite ? whole : 0;
    return std::max(areFinite ? std::ranges::max(max) : 0,
                    maxDifferenceWithSpecials(left.subspan(from), right.subspan(from)));
}

/// Maximum differences between the sides.
struct Differences {
    double own = 0;
    double inherited = 0;
    double total = 0;
    double unrounded = 0;
};

/// Processes blocks, so that data read for one difference is still in the cache for the next.
template <class T>
Differences computeDifferences(const ErrorSourcesOf<T>& sources) {
    constexpr std::size_t block = 2048;
    const bool isRounded = sources.unrounded.data() != sources.replayed.data();
    Differences max;
    for (std::size_t at = 0; at < sources.runtime.size(); at += block) {
        const std::size_t count = std::min(block, sources.runtime.size() - at);
        const auto runtime = sources.runtime.subspan(at, count);
        const auto replayed = sources.replayed.subspan(at, count);
        const auto reference = sources.reference.subspan(at, count);
        max.own = std::max(max.own, maxDifference(runtime, replayed));
        max.inherited = std::max(max.inherited, maxDifference(replayed, reference));
        max.total = std::max(max.total, maxDifference(runtime, reference));
        if (isRounded) {
            const double off = maxDifference(runtime, sources.unrounded.subspan(at, count));
            max.unrounded = std::max(max.unrounded, off);
        }
    }
    max.unrounded = isRounded ? max.unrounded : max.own;
    return max;
}

/// Errors of a slice's elements, in steps.
struct Slice {
    std::uint64_t elements = 0;
    std::uint64_t off = 0;  ///< number of elements beyond the usual error
    double sum = 0;

    [[nodiscard]] double shift() const { return elements == 0 ? 0 : sum / static_cast<double>(elements); }
    [[nodiscard]] double share() const {
        return elements == 0 ? 0 : static_cast<double>(off) / static_cast<double>(elements);
    }
    [[nodiscard]] bool isTooOften() const { return off > exceptions && share() > exceptionalShare; }
};

/// The slice with the largest fraction of elements beyond the usual error.
struct WorstSlice {
    std::size_t dimension = 0;
    std::size_t index = 0;
    Slice slice;
};

/// Slices along one dimension: elements with the same index in it. `inner`: number of elements between
/// consecutive indices.
std::vector<Slice> slicesAlong(std::span<const double> steps, double usually, std::size_t size,
                               std::size_t inner) {
    std::vector<Slice> slices(size);
    for (std::size_t at = 0; at < steps.size();) {
        for (Slice& slice : slices) {
            std::uint64_t off = 0;
            double sum = 0;
            for (const double step : steps.subspan(at, inner)) {
                off += std::abs(step) > usually ? 1U : 0U;
                sum += step;
            }
            slice.elements += inner;
            slice.off += off;
            slice.sum += sum;
            at += inner;
        }
    }
    return slices;
}

/// `off`: total number of elements beyond the usual error.
WorstSlice worstSlice(std::span<const double> steps, double usually, std::span<const std::int64_t> sizes,
                      std::uint64_t off) {
    WorstSlice worst;
    if (off <= exceptions) {
        return worst;  // no slice can have more
    }
    std::size_t inner = 1;
    for (std::size_t dimension = sizes.size(); dimension-- > 0;) {
        const auto size = static_cast<std::size_t>(sizes[dimension]);
        const std::vector<Slice> slices = slicesAlong(steps, usually, size, inner);
        for (std::size_t i = 0; i < size; ++i) {
            if (slices[i].off > exceptions && slices[i].share() > worst.slice.share()) {
                worst = {.dimension = dimension, .index = i, .slice = slices[i]};
            }
        }
        inner *= size;
    }
    return worst;
}

/// Differences in steps; 0 if neither side has a finite number.
template <class T>
std::vector<double> inSteps(const ErrorSourcesOf<T>& sources, double step) {
    std::vector<double> steps(sources.runtime.size(), 0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double given = sources.runtime[i];
        const double expected = sources.unrounded[i];
        steps[i] = bothFinite(given, expected) ? (given - expected) / step : 0;
    }
    return steps;
}

void explain(const LegalError& legal, const WorstSlice& worst, OwnError& error) {
    if (std::isinf(error.own)) {
        error.reason = "NaN or infinity in only one of runtime and replay";
    } else if (error.ownSteps > legal.max) {
        error.reason =
            fmt::format("off by {:.3g} rounding steps; allowed: {:.3g}", error.ownSteps, legal.max);
    } else if (worst.slice.isTooOften()) {
        error.reason = fmt::format(
            "{:.0f} % of the {} elements at index {} of dimension {} are more than {:.3g} rounding steps "
            "off, by {:+.2f} steps on average",
            100 * worst.slice.share(), worst.slice.elements, worst.index, worst.dimension, legal.usually,
            worst.slice.shift());
    }
    error.diverges = !error.reason.empty();
}

template <class T>
OwnError judgeNumbers(const ErrorSourcesOf<T>& sources, const LegalError& legal) {
    OwnError error;
    if (sources.runtime.empty()) {
        return error;
    }
    const Differences differences = computeDifferences(sources);
    error.own = differences.own;
    error.inherited = differences.inherited;
    error.total = differences.total;
    WorstSlice worst;
    if (differences.unrounded > 0) {
        const std::vector<double> steps = inSteps(sources, legal.step);
        const Slice all = slicesAlong(steps, legal.usually, 1, steps.size()).front();
        worst = worstSlice(steps, legal.usually, sources.sizes, all.off);
        error.ownSteps = differences.unrounded / legal.step;
        error.ownShare = all.share();
        error.ownShift = worst.slice.elements == 0 ? all.shift() : worst.slice.shift();
    }
    explain(legal, worst, error);
    return error;
}

}  // namespace

ScalarType lessPrecise(ScalarType own, ScalarType other) {
    return core::isFloating(own) && roundingOf(other) > roundingOf(own) ? other : own;
}

LegalError legalError(const Computation& computation, double magnitude) {
    if (computation.quantization) {
        return {.step = computation.quantization->scale,
                .max = computation.isRounded ? maxOfRounded : maxOfQuantized,
                .usually = computation.isRounded ? maxOfRounded : usualOfQuantized};
    }
    if (!core::isFloating(computation.type)) {
        return {.step = 1, .max = 0.5, .usually = 0.5};
    }
    const double step = magnitude * relativeRounding(computation);
    return {.step = std::max(step, std::numeric_limits<double>::min()), .max = 1, .usually = 1};
}

OwnError judge(const ErrorSources& sources, const LegalError& legal) {
    return judgeNumbers(sources, legal);
}

OwnError judge(const ErrorSourcesOf<float>& sources, const LegalError& legal) {
    return judgeNumbers(sources, legal);
}

}  // namespace et::inspector
