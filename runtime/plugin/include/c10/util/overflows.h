#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

namespace c10 {

/// True if `number` is outside the range of To. Infinity and NaN fit every type that has them.
template <typename To, typename From>
bool overflows(From number, bool strict_unsigned = false) {
    using Limits = std::numeric_limits<To>;
    if constexpr (std::is_same_v<To, bool>) {
        return false;
    } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        To converted{};
        // -1 as an unsigned number wraps, unless it is refused.
        if (!strict_unsigned && !std::numeric_limits<To>::is_signed && number < From{}) {
            return __builtin_sub_overflow(From{}, number, &converted);
        }
        return __builtin_add_overflow(number, From{}, &converted);
    } else {
        const auto wide = static_cast<double>(number);
        if (Limits::has_infinity && std::isinf(wide)) {
            return false;
        }
        if (!Limits::has_quiet_NaN && std::isnan(wide)) {
            return true;
        }
        return wide < static_cast<double>(Limits::lowest()) || wide > static_cast<double>(Limits::max());
    }
}

}  // namespace c10
