#include "inspector/program_diff/detail/constant_comparison.h"

#include "runtime/core/element_types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace et::inspector::program_diff::detail {
namespace {

using core::Bytes;
using core::ScalarType;

/// Backends' names for the element types of their weights.
constexpr std::array<std::pair<std::string_view, ScalarType>, 8> backendWords{{
    {"fp32", ScalarType::Float},
    {"fp16", ScalarType::Half},
    {"bf16", ScalarType::BFloat16},
    {"qint8", ScalarType::Char},
    {"qcint8", ScalarType::Char},
    {"quint8", ScalarType::Byte},
    {"qint32", ScalarType::Int},
    {"qcint32", ScalarType::Int},
}};

std::optional<ScalarType> dtypeOf(std::string_view word) {
    for (const core::ScalarTypeInfo& each : core::scalarTypes()) {
        if (each.torchName == word) {
            return static_cast<ScalarType>(each.code);
        }
    }
    const auto* found =
        std::ranges::find(backendWords, word, &std::pair<std::string_view, ScalarType>::first);
    return found == backendWords.end() ? std::nullopt : std::optional(found->second);
}

template <class T>
T load(Bytes bytes, std::size_t index) {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

template <class T>
double distance(T before, T after) {
    const double apart = std::abs(static_cast<double>(before) - static_cast<double>(after));
    return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
}

/// Compares the elements that both have; the rest of the longer one counts as different.
template <class T, bool numbers>
ElementDifference differenceOf(Bytes before, Bytes after) {
    const std::size_t shorter = std::min(before.size(), after.size()) / sizeof(T);
    const std::size_t longer = std::max(before.size(), after.size()) / sizeof(T);
    ElementDifference found{.elements = longer, .different = longer - shorter, .maxAbsolute = {}};
    double largest = 0;
    for (std::size_t i = 0; i < shorter; ++i) {
        if (std::memcmp(before.data() + i * sizeof(T), after.data() + i * sizeof(T), sizeof(T)) != 0) {
            ++found.different;
            if constexpr (numbers) {
                largest = std::max(largest, distance(load<T>(before, i), load<T>(after, i)));
            }
        }
    }
    if (numbers) {
        found.maxAbsolute = largest;
    }
    return found;
}

ElementDifference differenceOf(Bytes before, Bytes after, std::string_view dtype) {
    const auto opaque = [&] { return differenceOf<std::uint8_t, false>(before, after); };
    const std::optional<ScalarType> type = dtypeOf(dtype);
    if (!type) {
        return opaque();
    }
    return core::visitRealType(
        *type,
        [&]<class T>(std::type_identity<T>) {
            // A bool in a file may be any byte.
            using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
            return differenceOf<Stored, true>(before, after);
        },
        opaque);
}

}  // namespace

core::Result<ElementDifference> ConstantComparer::compare(const ConstantData& before,
                                                          const ConstantData& after) {
    const Bytes left = before.bytes;
    const Bytes right = after.bytes;
    if (left.data() == right.data() && left.size() == right.size()) {
        return ElementDifference{.elements = left.size(), .maxAbsolute = {}};
    }
    const Key key{left.data(), left.size(), right.data(), right.size()};
    if (const auto found = known.find(key); found != known.end()) {
        return found->second;
    }
    const std::uint64_t bytes = std::max(left.size(), right.size());
    if (bytes > budget) {
        return core::fail(
            core::ErrorCode::Limit,
            "the constants of the programs overlap: together they are many times the file size");
    }
    budget -= bytes;
    const ElementDifference result = std::ranges::equal(left, right)
                                         ? ElementDifference{.elements = left.size(), .maxAbsolute = {}}
                                         : differenceOf(left, right, before.dtype);
    known.emplace(key, result);
    return result;
}

}  // namespace et::inspector::program_diff::detail
