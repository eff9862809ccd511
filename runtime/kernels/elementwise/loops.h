#pragma once

#include "runtime/kernels/elementwise/operation.h"

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// Builds an operation's loops from a generic lambda over single numbers: `[](auto a, auto b) { return … }`,
// or `[](auto a, const auto& numbers) { return … }` if it uses Numbers.
namespace et::kernels {

template <auto function, class T, std::size_t... index>
void loopOver(const T* const* inputs, T* out, std::size_t count, const Numbers<T>& given,
              std::index_sequence<index...>) {
    // Local copies, so the compiler knows that `out` does not alias them.
    const std::array<const T*, sizeof...(index)> in{inputs[index]...};
    const Numbers<T> numbers = given;
    for (std::size_t i = 0; i < count; ++i) {
        if constexpr (std::invocable<decltype(function), decltype(in[index][i])..., const Numbers<T>&>) {
            out[i] = static_cast<T>(function(in[index][i]..., numbers));
        } else {
            out[i] = static_cast<T>(function(in[index][i]...));
        }
    }
}

template <auto function, class T, std::size_t count>
void loop(const T* const* inputs, T* out, std::size_t elements, const Numbers<T>& numbers) {
    loopOver<function, T>(inputs, out, elements, numbers, std::make_index_sequence<count>{});
}

/// `function` of `inputs` numbers, defined for floats. `fast` replaces the loop over float.
template <auto function, std::size_t inputs, auto fast = nullptr>
constexpr Loops floatLoops() {
    Loops loops{.floats = &loop<function, float, inputs>, .doubles = &loop<function, double, inputs>};
    // Checked by type: GCC cannot compare functions with null in a constant expression under UBSan.
    if constexpr (!std::is_null_pointer_v<std::remove_const_t<decltype(fast)>>) {
        loops.floats = fast;
    }
    return loops;
}

template <auto function, std::size_t inputs>
constexpr Loops integerLoops() {
    return {.integers = &loop<function, std::int64_t, inputs>};
}

/// Defined for all real numbers.
template <auto function, std::size_t inputs, auto fast = nullptr>
constexpr Loops realLoops() {
    Loops loops = floatLoops<function, inputs, fast>();
    loops.integers = &loop<function, std::int64_t, inputs>;
    return loops;
}

/// A loop over uint64 values stored as int64 bits.
template <auto function, std::size_t inputs>
void unsignedLoop(const std::int64_t* const* given, std::int64_t* out, std::size_t elements,
                  const Numbers<std::int64_t>& signedNumbers) {
    std::array<const std::uint64_t*, inputs> places;
    for (std::size_t i = 0; i < inputs; ++i) {
        places[i] = reinterpret_cast<const std::uint64_t*>(given[i]);
    }
    Numbers<std::uint64_t> numbers;
    for (std::size_t i = 0; i < maxNumbers; ++i) {
        numbers[i] = static_cast<std::uint64_t>(signedNumbers[i]);
    }
    loop<function, std::uint64_t, inputs>(places.data(), reinterpret_cast<std::uint64_t*>(out), elements,
                                          numbers);
}

/// Adds a loop for uint64, whose upper half is negative in int64, for functions that depend on order or sign.
template <auto function, std::size_t inputs>
constexpr Loops withUnsigned(Loops loops) {
    loops.unsignedIntegers = &unsignedLoop<function, inputs>;
    return loops;
}

/// Defined for all real numbers; the function compares or divides.
template <auto function, std::size_t inputs, auto fast = nullptr>
constexpr Loops orderedLoops() {
    return withUnsigned<function, inputs>(realLoops<function, inputs, fast>());
}

/// Adds complex loops.
template <auto function, std::size_t inputs>
constexpr Loops withComplex(Loops loops) {
    loops.complexFloats = &loop<function, std::complex<float>, inputs>;
    loops.complexDoubles = &loop<function, std::complex<double>, inputs>;
    return loops;
}

/// Removes support for bool.
constexpr Loops withoutBool(Loops loops) {
    loops.takeBool = false;
    return loops;
}

template <class T>
inline constexpr bool isInteger = std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>;
template <class T>
inline constexpr bool isComplexNumber = !std::is_arithmetic_v<T>;

/// False for unsigned types.
template <class T>
constexpr bool isNegative(T number) {
    if constexpr (std::is_unsigned_v<T>) {
        return false;
    } else {
        return number < 0;
    }
}
/// True if `number` is -1; always false for unsigned types.
template <class T>
constexpr bool isMinusOne(T number) {
    if constexpr (std::is_unsigned_v<T>) {
        return false;
    } else {
        return number == -1;
    }
}

// Sums, differences and products in every compute type: integers wrap around instead of overflowing, and
// complex products use the plain formula, without C's handling of infinities.

template <class T>
constexpr T sumOf(T left, T right) {
    if constexpr (isInteger<T>) {
        return static_cast<T>(static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right));
    } else {
        return left + right;
    }
}

template <class T>
constexpr T differenceOf(T left, T right) {
    if constexpr (isInteger<T>) {
        return static_cast<T>(static_cast<std::uint64_t>(left) - static_cast<std::uint64_t>(right));
    } else {
        return left - right;
    }
}

template <class T>
constexpr T productOf(T left, T right) {
    if constexpr (isInteger<T>) {
        return static_cast<T>(static_cast<std::uint64_t>(left) * static_cast<std::uint64_t>(right));
    } else if constexpr (isComplexNumber<T>) {
        return T(left.real() * right.real() - left.imag() * right.imag(),
                 left.real() * right.imag() + left.imag() * right.real());
    } else {
        return left * right;
    }
}

/// The larger number; NaN if either is.
template <class T>
constexpr T maximumOf(T left, T right) {
    // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
    return left > right || left != left ? left : right;
}

/// The smaller number; NaN if either is.
template <class T>
constexpr T minimumOf(T left, T right) {
    // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
    return left < right || left != left ? left : right;
}

}  // namespace et::kernels
