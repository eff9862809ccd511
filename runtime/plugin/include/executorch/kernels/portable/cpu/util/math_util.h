#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>

#include <cmath>
#include <type_traits>

// Arithmetic as PyTorch has it.
namespace torch::executor::native::utils {

/// Rounds down.
template <typename T>
T floor_divide(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        const auto quotient = a / b;
        const bool differs = (a < 0) != (b < 0) && a % b != 0;
        return static_cast<T>(differs ? quotient - 1 : quotient);
    } else {
        if (b == 0) {
            return static_cast<T>(a / b);
        }
        auto remainder = std::fmod(static_cast<double>(a), static_cast<double>(b));
        double quotient = (static_cast<double>(a) - remainder) / static_cast<double>(b);
        if (remainder != 0 && (b < 0) != (remainder < 0)) {
            quotient -= 1;
        }
        return static_cast<T>(quotient);
    }
}

template <typename T>
T isnan_override(T value) {
    if constexpr (is_floating_point<T>::value) {
        return std::isnan(static_cast<float>(value));
    } else {
        return false;
    }
}

/// NaN if either is NaN.
template <typename T>
T max_override(T a, T b) {
    if constexpr (is_floating_point<T>::value) {
        if (std::isnan(static_cast<float>(a))) {
            return a;
        }
        if (std::isnan(static_cast<float>(b))) {
            return b;
        }
    }
    return a < b ? b : a;
}
template <typename T>
T min_override(T a, T b) {
    if constexpr (is_floating_point<T>::value) {
        if (std::isnan(static_cast<float>(a))) {
            return a;
        }
        if (std::isnan(static_cast<float>(b))) {
            return b;
        }
    }
    return b < a ? b : a;
}

template <typename T>
T remainder_override(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b);
    } else {
        const auto left = static_cast<double>(a);
        const auto right = static_cast<double>(b);
        const double remainder = std::fmod(left, right);
        return static_cast<T>(remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right
                                                                               : remainder);
    }
}

}  // namespace torch::executor::native::utils
