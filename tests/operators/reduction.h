#pragma once

#include "tests/operators/rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

// Shared code of reduction rules.
namespace et::test::operators::reduction {

inline constexpr Number infinity = std::numeric_limits<Number>::infinity();
inline const Number unknown = std::numeric_limits<Number>::quiet_NaN();  ///< as an allowed error: any result
                                                                         ///< is accepted

/// Elements that are reduced into each element of a result.
struct Groups {
    Sizes sizes;
    std::vector<std::vector<std::size_t>> members;  ///< in row-major order
};

inline Groups groupsOf(const Sizes& sizes, const std::vector<bool>& reduced, bool keeps) {
    Groups groups;
    Sizes whole;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
        whole.push_back(reduced[dim] ? 1 : sizes[dim]);
        if (!reduced[dim] || keeps) {
            groups.sizes.push_back(whole.back());
        }
    }
    groups.members.resize(static_cast<std::size_t>(elementCount(whole)));
    std::size_t at = 0;
    forEachIndex(sizes, [&](const Sizes& index) {
        Sizes kept = index;
        for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
            kept[dim] = reduced[dim] ? 0 : kept[dim];
        }
        groups.members[offsetOf(whole, kept)].push_back(at++);
    });
    return groups;
}

/// A choice of dimensions and the argument that expresses it.
struct Dims {
    std::vector<bool> reduced;
    Argument argument;
};

/// An optional list of dimensions; if none is given (or, with `emptyIsAll`, an empty list), all are reduced.
inline Dims someDims(Random& random, const Sizes& sizes, bool mayBeNone = true, bool emptyIsAll = true) {
    const auto count = static_cast<std::int64_t>(sizes.size());
    if (mayBeNone && random.chance(15)) {
        return {std::vector<bool>(sizes.size(), true), std::monostate{}};
    }
    Dims made{std::vector<bool>(sizes.size()), {}};
    std::vector<std::int64_t> list;
    for (const std::int64_t dim : random.order(count)) {
        if (random.flip()) {
            made.reduced[static_cast<std::size_t>(dim)] = true;
            list.push_back(random.either(dim, count));
        }
    }
    if (list.empty() && emptyIsAll) {
        made.reduced.assign(sizes.size(), true);
    }
    if (count == 0 && random.flip()) {
        list.push_back(random.pick<std::int64_t>({0, -1}));
    }
    made.argument = list;
    return made;
}

/// One dimension; 0 or -1 for a tensor without dimensions.
inline Dims oneDim(Random& random, const Sizes& sizes) {
    const auto count = static_cast<std::int64_t>(sizes.size());
    const std::int64_t dim = random.below(std::max<std::int64_t>(count, 1));
    Dims made{std::vector<bool>(sizes.size()), random.either(dim, count)};
    if (count > 0) {
        made.reduced[static_cast<std::size_t>(dim)] = true;
    }
    return made;
}

inline Dims allDims(const Sizes& sizes) {
    return {std::vector<bool>(sizes.size(), true), std::monostate{}};
}

inline std::vector<Number> numbersOfGroup(const Array& array, const std::vector<std::size_t>& members) {
    std::vector<Number> numbers;
    numbers.reserve(members.size());
    for (const std::size_t member : members) {
        numbers.push_back(array.numbers[member]);
    }
    return numbers;
}

/// A result with `answer(numbers of the group)` for each group.
template <class Function>
Expected ofGroups(ScalarType dtype, const Array& array, const Groups& groups, const Function& answer) {
    Expected made{zeros(dtype, groups.sizes), {}};
    for (std::size_t at = 0; at < groups.members.size(); ++at) {
        const Answer given = answer(numbersOfGroup(array, groups.members[at]));
        made.array.numbers[at] = given.number;
        made.allowed.push_back(std::isfinite(given.number) || std::isnan(given.allowed) ? given.allowed : 0);
    }
    return made;
}

/// Maximum number of successive roundings in a sum of `terms` terms with several partial sums.
inline Number stepsOf(std::size_t terms) {
    return 4 + static_cast<Number>(terms) / 8;
}

/// The sum of numbers in a floating dtype, and the error that its order may cause.
inline Answer sumOf(ScalarType dtype, const std::vector<Number>& numbers) {
    Number sum = 0;
    Number size = 0;
    for (const Number number : numbers) {
        sum += number;
        size += std::isfinite(number) ? std::abs(number) : 0;
    }
    const ScalarType compute = computeType(dtype);
    const Number allowed = roundings(compute, stepsOf(numbers.size()), size);
    return {sum, size > highest(compute) ? unknown : allowed};
}

inline Argument asArgument(ScalarType dtype) {
    return static_cast<std::int64_t>(dtype);
}

}  // namespace et::test::operators::reduction
