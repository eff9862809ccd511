#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

/// Sums and extremes of large tensors, several elements at a time. Each lane accumulates separately, so the
/// compiler can vectorize without reordering operations.
namespace et::inspector::lanes {

inline constexpr std::size_t count = 8;
using Doubles = std::array<double, count>;

/// Number of elements in complete blocks of `count`.
[[nodiscard]] constexpr std::size_t wholeBlocks(std::size_t size) {
    return size - size % count;
}

/// Calls `add(i, lane)` for each of `size` elements.
template <class Add>
void forEach(std::size_t size, const Add& add) {
    const std::size_t whole = wholeBlocks(size);
    for (std::size_t i = 0; i < whole; i += count) {
        for (std::size_t lane = 0; lane < count; ++lane) {
            add(i + lane, lane);
        }
    }
    for (std::size_t i = whole; i < size; ++i) {
        add(i, i - whole);
    }
}

[[nodiscard]] inline double sum(const Doubles& lanes) {
    double all = 0;
    for (const double lane : lanes) {
        all += lane;
    }
    return all;
}

template <class T>
[[nodiscard]] bool areFinite(std::span<const T> numbers) {
    // Becomes NaN if any number is not finite.
    std::array<T, 2 * count> zeros{};
    const std::size_t whole = numbers.size() - numbers.size() % zeros.size();
    for (std::size_t i = 0; i < whole; i += zeros.size()) {
        for (std::size_t lane = 0; lane < zeros.size(); ++lane) {
            zeros[lane] += numbers[i + lane] * 0;
        }
    }
    for (const T number : numbers.subspan(whole)) {
        zeros[0] += number * 0;
    }
    return std::ranges::all_of(zeros, [](T zero) { return zero == 0; });
}

/// The largest absolute value among finite numbers; 0 if there are none.
template <class T>
[[nodiscard]] double largestMagnitude(std::span<const T> numbers) {
    std::array<T, 2 * count> largest{};
    const std::size_t whole = numbers.size() - numbers.size() % largest.size();
    for (std::size_t i = 0; i < whole; i += largest.size()) {
        for (std::size_t lane = 0; lane < largest.size(); ++lane) {
            const T number = numbers[i + lane];
            const T magnitude = number < 0 ? -number : number;
            // Infinity exceeds the largest number, and comparisons with NaN are false.
            const T finite = magnitude <= std::numeric_limits<T>::max() ? magnitude : 0;
            largest[lane] = finite > largest[lane] ? finite : largest[lane];
        }
    }
    for (const T number : numbers.subspan(whole)) {
        const T magnitude = number < 0 ? -number : number;
        largest[0] =
            magnitude <= std::numeric_limits<T>::max() ? std::max(largest[0], magnitude) : largest[0];
    }
    return std::ranges::max(largest);
}

}  // namespace et::inspector::lanes
