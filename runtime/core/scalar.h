#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

namespace et::core {

/// A Python number: an int, a float or a bool. (Not a zero-dimensional tensor.)
class Scalar {
  public:
    constexpr Scalar() = default;
    // NOLINTBEGIN(google-explicit-constructor): a number is taken wherever a Scalar is asked for
    constexpr Scalar(std::int64_t number) : value(number) {}
    constexpr Scalar(double number) : value(number) {}
    constexpr Scalar(bool truth) : value(truth) {}
    // NOLINTEND(google-explicit-constructor)

    [[nodiscard]] constexpr bool isInt() const { return std::holds_alternative<std::int64_t>(value); }
    [[nodiscard]] constexpr bool isDouble() const { return std::holds_alternative<double>(value); }
    [[nodiscard]] constexpr bool isBool() const { return std::holds_alternative<bool>(value); }

    /// The value, converted as by convertTo().
    template <class T>
    [[nodiscard]] T to() const;

  private:
    std::variant<std::int64_t, double, bool> value;
};

/// Truncates a float to an integer. Where C++ leaves this undefined (out of range, NaN), the result is the
/// minimum of int64, as on x86.
[[nodiscard]] constexpr std::int64_t toInt64(double number) {
    constexpr double limit = 9223372036854775808.0;
    return number >= -limit && number < limit ? static_cast<std::int64_t>(number) : INT64_MIN;
}

/// Converts between real number types: floats to integers through toInt64 (then truncated to T's bits),
/// anything to bool by comparing with 0.
template <class T, class From>
[[nodiscard]] constexpr T convertTo(From from) {
    if constexpr (std::is_same_v<T, From>) {
        return from;
    } else if constexpr (std::is_same_v<T, bool>) {
        return from != From{};
    } else if constexpr (std::is_integral_v<T> && !std::is_integral_v<From>) {
        return static_cast<T>(toInt64(static_cast<double>(from)));
    } else if constexpr (!std::is_integral_v<T> && sizeof(T) == 2) {
        return static_cast<T>(static_cast<float>(from));
    } else {
        return static_cast<T>(from);
    }
}

template <class T>
T Scalar::to() const {
    return std::visit([](auto number) { return convertTo<T>(number); }, value);
}

}  // namespace et::core
