#pragma once

#include "tests/operators/rules.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Shared code of rules that sum over windows of an image or other sets.
namespace et::test::operators::windowed {

using Dims = std::vector<std::int64_t>;

/// A sum of products and the sum of their magnitudes, for its error.
struct Sum {
    Number number = 0;
    Number size = 0;
    Number terms = 0;

    void add(Number term) {
        number += term;
        size += std::abs(term);
        ++terms;
    }
    [[nodiscard]] Answer in(ScalarType dtype, Number more = 2) const {
        return {number, roundings(computeType(dtype), terms + more, size)};
    }
};

inline void set(Expected& output, std::size_t at, const Answer& answer) {
    output.array.numbers[at] = answer.number;
    output.allowed[at] = answer.allowed;
}
inline Expected emptyOutput(ScalarType dtype, const Sizes& sizes) {
    Array array = zeros(dtype, sizes);
    std::vector<Number> allowed(array.count());
    return {std::move(array), std::move(allowed)};
}

/// Window parameters of each spatial dimension.
struct Windows {
    Dims kernel;
    Dims stride;
    Dims padding;
    Dims dilation;

    [[nodiscard]] std::int64_t reach(std::size_t dimension) const {
        return dilation[dimension] * (kernel[dimension] - 1) + 1;
    }
    [[nodiscard]] std::int64_t steps(std::size_t dimension, std::int64_t size) const {
        return (size + 2 * padding[dimension] - reach(dimension)) / stride[dimension] + 1;
    }
};
/// Windows and input sizes that they fit into.
inline std::pair<Windows, Dims> windowsOf(Random& random, std::size_t dimensions, bool dilates) {
    Windows made;
    Dims sizes;
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        made.kernel.push_back(random.between(1, 3));
        made.stride.push_back(random.between(1, 3));
        made.padding.push_back(random.between(0, made.kernel.back() / 2));
        made.dilation.push_back(dilates ? random.between(1, 2) : 1);
        sizes.push_back(made.reach(dimension) + random.between(0, 6));
    }
    return {std::move(made), std::move(sizes)};
}

/// Calls `visit` with each input position covered by a window and with its tap; positions in the padding are
/// skipped.
template <class Visit>
void overWindow(const Windows& windows, const Dims& sizes, const Sizes& step, Visit&& visit) {
    forEachIndex(windows.kernel, [&](const Sizes& tap) {
        Sizes place;
        for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
            const std::int64_t at = step[dimension] * windows.stride[dimension] - windows.padding[dimension] +
                                    tap[dimension] * windows.dilation[dimension];
            if (at < 0 || at >= sizes[dimension]) {
                return;
            }
            place.push_back(at);
        }
        visit(place, tap);
    });
}

inline Sizes joined(Sizes front, const Sizes& back) {
    front.insert(front.end(), back.begin(), back.end());
    return front;
}

}  // namespace et::test::operators::windowed
