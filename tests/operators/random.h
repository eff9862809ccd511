#pragma once

#include "tests/operators/array.h"

#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <vector>

namespace et::test::operators {

/// Range of an array's numbers.
enum class Values : std::uint8_t {
    Any,    ///< like Plain; in one of four arrays, some are infinite, NaN, huge, tiny, or limits of the dtype
    Plain,  ///< floats from -4 to 4, integers from -20 (0) to 20
    Positive,  ///< floats from 0.1 to 4, integers from 1 to 20
    Unit,      ///< floats from -1 to 1; integers like Plain
};

/// Random source of test cases, determined by the seed.
class Random {
  public:
    explicit Random(std::uint64_t seed) : engine(seed) {}

    /// Returns an integer from 0 to count - 1.
    std::int64_t below(std::int64_t count) {
        return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(count));
    }
    std::int64_t between(std::int64_t first, std::int64_t last) { return first + below(last - first + 1); }
    bool chance(int percent) { return below(100) < percent; }
    bool flip() { return chance(50); }
    /// Returns a number from first to last with few digits.
    double real(double first, double last) {
        return first + (last - first) * static_cast<double>(below(1 << 20)) / (1 << 20);
    }

    template <class T>
    T pick(std::initializer_list<T> from) {
        return from.begin()[below(static_cast<std::int64_t>(from.size()))];
    }
    template <class Range>
    const auto& pickOf(const Range& from) {
        return from[static_cast<std::size_t>(below(static_cast<std::int64_t>(std::size(from))))];
    }

    /// Sizes with about 200 elements at most in `fewest` to `most` dimensions; one in fifteen is empty, one
    /// in forty has thousands of elements.
    Sizes sizes(std::int64_t fewest = 0, std::int64_t most = 4);
    /// Same as sizes(), but never empty.
    Sizes filledSizes(std::int64_t fewest = 0, std::int64_t most = 4);
    /// Sizes that broadcast to `sizes`: some dimensions are omitted or 1.
    Sizes broadcastable(const Sizes& sizes);
    /// A permutation of the dimensions 0 to count - 1.
    std::vector<std::int64_t> order(std::int64_t count);
    /// Returns `dimension`, or the equivalent negative one.
    std::int64_t either(std::int64_t dimension, std::int64_t count) {
        return flip() ? dimension : dimension - std::max<std::int64_t>(count, 1);
    }

    Array array(ScalarType dtype, const Sizes& sizes, Values values = Values::Any);
    /// Integers from 0 to count - 1.
    Array indices(ScalarType dtype, const Sizes& sizes, std::int64_t count);

  private:
    Number number(ScalarType dtype, Values values);
    Number edge(ScalarType dtype);

    std::mt19937_64 engine;
};

inline constexpr std::initializer_list<ScalarType> floats{ScalarType::Float, ScalarType::Double,
                                                          ScalarType::Half, ScalarType::BFloat16};
inline constexpr std::initializer_list<ScalarType> integers{
    ScalarType::Byte, ScalarType::Char, ScalarType::Short, ScalarType::Int, ScalarType::Long};
inline constexpr std::initializer_list<ScalarType> integersAndBool{ScalarType::Byte,  ScalarType::Char,
                                                                   ScalarType::Short, ScalarType::Int,
                                                                   ScalarType::Long,  ScalarType::Bool};
inline constexpr std::initializer_list<ScalarType> numbersOf{
    ScalarType::Float, ScalarType::Float, ScalarType::Double, ScalarType::Half, ScalarType::BFloat16,
    ScalarType::Byte,  ScalarType::Char,  ScalarType::Short,  ScalarType::Int,  ScalarType::Long};
inline constexpr std::initializer_list<ScalarType> realTypes{
    ScalarType::Float,    ScalarType::Float, ScalarType::Double, ScalarType::Half,
    ScalarType::BFloat16, ScalarType::Byte,  ScalarType::Char,   ScalarType::Short,
    ScalarType::Int,      ScalarType::Long,  ScalarType::Bool};

}  // namespace et::test::operators
