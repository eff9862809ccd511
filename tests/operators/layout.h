#pragma once

#include "tests/operators/rules.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

// Shared code of rules that move elements.
namespace et::test::operators::layout {

using Dims = std::vector<std::int64_t>;

inline constexpr std::initializer_list<ScalarType> everyType{
    ScalarType::Float, ScalarType::Double, ScalarType::Half,         ScalarType::BFloat16,
    ScalarType::Byte,  ScalarType::Char,   ScalarType::Short,        ScalarType::Int,
    ScalarType::Long,  ScalarType::Bool,   ScalarType::ComplexFloat, ScalarType::ComplexDouble};

inline Array anyArray(Random& random, std::int64_t fewest = 0) {
    return random.array(random.pick(everyType), random.sizes(fewest));
}

inline std::int64_t at(const Array& array, const Sizes& index) {
    return static_cast<std::int64_t>(offsetOf(array.sizes, index));
}

/// A dimension of a non-scalar array, as an index and as a call may specify it.
struct Along {
    std::size_t place;
    std::int64_t given;
};
inline Along alongDim(Random& random, std::int64_t count) {
    const std::int64_t dimension = random.below(count);
    return {static_cast<std::size_t>(dimension), random.either(dimension, count)};
}

/// The input with one dimension resized to `length`, where step i is the input's step `from(i)`.
inline Expected alongTaken(const Array& input, std::size_t dimension, std::int64_t length,
                           const std::function<std::int64_t(std::int64_t)>& from) {
    Sizes sizes = input.sizes;
    sizes[dimension] = length;
    return {taken(input, sizes, [&](Sizes index) {
        index[dimension] = from(index[dimension]);
        return at(input, index);
    })};
}

}  // namespace et::test::operators::layout
