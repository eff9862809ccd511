#pragma once

#include "tests/operators/case.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

// Shared code of rules of several families.
namespace et::test::operators {

/// Promoted dtype of two tensors.
[[nodiscard]] inline ScalarType promoted(ScalarType a, ScalarType b) {
    if (a == b) {
        return a;
    }
    if (core::isFloating(a) || core::isFloating(b)) {
        if (!core::isFloating(a) || !core::isFloating(b)) {
            return core::isFloating(a) ? a : b;
        }
        return a == ScalarType::Double || b == ScalarType::Double ? ScalarType::Double : ScalarType::Float;
    }
    if (a == ScalarType::Bool || b == ScalarType::Bool) {
        return a == ScalarType::Bool ? b : a;
    }
    const auto bytes = [](ScalarType type) {
        return core::scalarType(static_cast<std::int64_t>(type))->bytes;
    };
    const ScalarType larger = bytes(a) >= bytes(b) ? a : b;
    return bytes(a) == bytes(b) ? ScalarType::Short : larger;  // uint8 and int8
}

/// Category for promotion: bool, integer or float. A scalar or tensor without dimensions does not raise a
/// dtype within its category.
[[nodiscard]] inline int categoryOf(ScalarType dtype) {
    return dtype == ScalarType::Bool ? 0 : core::isFloating(dtype) ? 2 : 1;
}

/// The dtype that an operator computes two tensors in: one without dimensions counts only if its category is
/// higher.
[[nodiscard]] inline ScalarType promoted(const Array& a, const Array& b) {
    if (a.sizes.empty() != b.sizes.empty()) {
        const Array& tensor = a.sizes.empty() ? b : a;
        const Array& number = a.sizes.empty() ? a : b;
        return categoryOf(number.dtype) <= categoryOf(tensor.dtype) ? tensor.dtype
                                                                    : promoted(number.dtype, tensor.dtype);
    }
    return promoted(a.dtype, b.dtype);
}

[[nodiscard]] inline Sizes broadcast(const Sizes& a, const Sizes& b) {
    Sizes made = a.size() >= b.size() ? a : b;
    const Sizes& shorter = a.size() >= b.size() ? b : a;
    const std::size_t skipped = made.size() - shorter.size();
    for (std::size_t at = 0; at < shorter.size(); ++at) {
        std::int64_t& size = made[skipped + at];
        size = size == 1 ? shorter[at] : size;
    }
    return made;
}

/// Offset of the element of `array` that broadcasts to an index of the result.
[[nodiscard]] inline std::size_t broadcastOffset(const Array& array, const Sizes& index) {
    const std::size_t skipped = index.size() - array.sizes.size();
    std::int64_t offset = 0;
    for (std::size_t at = 0; at < array.sizes.size(); ++at) {
        offset = offset * array.sizes[at] + (array.sizes[at] == 1 ? 0 : index[skipped + at]);
    }
    return static_cast<std::size_t>(offset);
}

/// Returns Random's sizes; one in a thousand is large enough for several threads.
[[nodiscard]] inline Sizes sizesForThreads(Random& random, std::int64_t fewest = 0) {
    if (random.below(1000) != 0) {
        return random.sizes(fewest);
    }
    return random.pick<Sizes>(
        {{2, random.between(35'000, 50'000)}, {random.between(35'000, 50'000), 2}, {300, 400}, {7, 130, 90}});
}

/// A number and its allowed error.
struct Answer {
    Number number = 0;
    Number allowed = 0;
};

/// The result of an elementwise function of several broadcast arrays.
template <class Function>
Expected mapped(ScalarType dtype, const std::vector<const Array*>& inputs, Function&& function) {
    Sizes sizes;
    for (const Array* input : inputs) {
        sizes = broadcast(sizes, input->sizes);
    }
    Expected made{zeros(dtype, sizes), std::vector<Number>(static_cast<std::size_t>(elementCount(sizes)))};
    std::vector<Number> numbers(inputs.size());
    std::size_t at = 0;
    forEachIndex(sizes, [&](const Sizes& index) {
        for (std::size_t input = 0; input < inputs.size(); ++input) {
            numbers[input] = inputs[input]->numbers[broadcastOffset(*inputs[input], index)];
        }
        const Answer answer = function(numbers);
        made.array.numbers[at] = answer.number;
        made.allowed[at] = answer.allowed;
        ++at;
    });
    return made;
}

}  // namespace et::test::operators
