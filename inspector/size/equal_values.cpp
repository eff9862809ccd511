#include "inspector/size/equal_values.h"

#include "inspector/size/piece_pages.h"
#include "runtime/core/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace et::inspector {
namespace {

/// A dtype for conversion of numbers. All values are represented as double. Integers beyond 2^53 may collapse
/// with their neighbours, which no other dtype distinguishes either.
struct NumberType {
    std::string_view name;
    std::size_t bytes = 0;
    double (*read)(const std::byte* from) = nullptr;
    /// Converts a value to this dtype; nothing if not representable.
    std::optional<double> (*as)(double value) = nullptr;
};

template <class T>
double readNumber(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
}

template <class T>
std::optional<double> floatAs(double value) {
    return static_cast<double>(static_cast<T>(value));
}

template <class T>
std::optional<double> integerAs(double value) {
    constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
    constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
    return value >= least && value <= most && value == std::nearbyint(value) ? std::optional(value)
                                                                             : std::nullopt;
}

constexpr std::array numberTypes{
    NumberType{"float64", 8, readNumber<double>, floatAs<double>},
    NumberType{"float32", 4, readNumber<float>, floatAs<float>},
    NumberType{"float16", 2, readNumber<core::Half>, floatAs<core::Half>},
    NumberType{"bfloat16", 2, readNumber<core::BFloat16>, floatAs<core::BFloat16>},
    NumberType{"int64", 8, readNumber<std::int64_t>, integerAs<std::int64_t>},
    NumberType{"int32", 4, readNumber<std::int32_t>, integerAs<std::int32_t>},
    NumberType{"int16", 2, readNumber<std::int16_t>, integerAs<std::int16_t>},
    NumberType{"int8", 1, readNumber<std::int8_t>, integerAs<std::int8_t>},
    NumberType{"uint8", 1, readNumber<std::uint8_t>, integerAs<std::uint8_t>},
};

struct Numbers {
    std::size_t piece = 0;
    const NumberType* type = nullptr;
    core::Bytes data{};

    [[nodiscard]] std::size_t count() const { return data.size() / type->bytes; }
    [[nodiscard]] double at(std::size_t index) const { return type->read(data.data() + index * type->bytes); }
};

std::optional<Numbers> numbersOf(const SizeMap& map, std::size_t number, std::uint64_t leastElements) {
    const SizePiece& piece = map.pieces[number];
    const bool isConstant = piece.kind == SizeKind::Constant || piece.kind == SizeKind::State ||
                            piece.kind == SizeKind::DelegateWeights || piece.kind == SizeKind::TensorData;
    const auto* const type = std::ranges::find(numberTypes, piece.dtype(), &NumberType::name);
    if (!isConstant || type == numberTypes.end() || piece.data.empty() ||
        piece.data.size() % type->bytes != 0 || piece.data.size() / type->bytes < leastElements) {
        return std::nullopt;
    }
    return Numbers{.piece = number, .type = type, .data = piece.data};
}

/// Equal for equal numbers; all NaNs are equal.
std::uint64_t bitsOf(double value) {
    return std::bit_cast<std::uint64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN()
                                                          : value + 0.0);
}

constexpr std::size_t sampled = 32;
using Sample = std::array<std::uint64_t, sampled>;

/// Samples numbers across a piece, converted to `type`. Nothing if they are not representable, or all equal,
/// which is no evidence.
std::optional<Sample> takeSample(const Numbers& numbers, const NumberType& type) {
    Sample out{};
    for (std::size_t i = 0; i < sampled; ++i) {
        const auto value = type.as(numbers.at(i * (numbers.count() - 1) / (sampled - 1)));
        if (!value) {
            return std::nullopt;
        }
        out[i] = bitsOf(*value);
    }
    return std::ranges::all_of(out, [&](std::uint64_t each) { return each == out.front(); })
               ? std::nullopt
               : std::optional(out);
}

enum class Agreement : std::uint8_t { None, Rounded, Equal };

Agreement compare(const SizeMap& map, const Numbers& from, const Numbers& to) {
    constexpr std::size_t step = std::size_t{1} << 18U;  // elements
    Agreement out = Agreement::Equal;
    for (std::size_t begin = 0; begin < from.count() && out != Agreement::None; begin += step) {
        const std::size_t end = std::min(begin + step, from.count());
        for (std::size_t i = begin; i < end && out != Agreement::None; ++i) {
            const double value = from.at(i);
            const auto rounded = to.type->as(value);
            const std::uint64_t there = bitsOf(to.at(i));
            if (!rounded || bitsOf(*rounded) != there) {
                out = Agreement::None;
            } else if (bitsOf(value) != there) {
                out = Agreement::Rounded;
            }
        }
        for (const Numbers* const each : {&from, &to}) {
            releasePages(map, map.pieces[each->piece],
                         each->data.subspan(begin * each->type->bytes, (end - begin) * each->type->bytes));
        }
    }
    return out;
}

/// Key of pieces with the same dtype, number of elements and sample.
using SampleKey = std::tuple<std::string_view, std::size_t, Sample>;

class ValueMatcher {
  public:
    ValueMatcher(const SizeMap& of, std::uint64_t leastElements) : map(of) {
        for (std::size_t i = 0; i < map.pieces.size(); ++i) {
            if (const auto numbers = numbersOf(map, i, leastElements)) {
                all.push_back(*numbers);
            }
        }
        for (const Numbers& each : all) {
            if (const auto sample = takeSample(each, *each.type)) {
                bySample.try_emplace({each.type->name, each.count(), *sample}, each);
            }
        }
    }

    std::vector<EqualValues> match() {
        for (const Numbers& from : all) {
            for (const NumberType& type : numberTypes) {
                // For two dtypes of the same size, only the one listed first is tried.
                if (&type != from.type && (type.bytes < from.type->bytes ||
                                           (type.bytes == from.type->bytes && from.type < &type))) {
                    tryType(from, type);
                }
            }
        }
        std::ranges::stable_sort(out, std::greater{}, &EqualValues::wasted);
        return std::move(out);
    }

  private:
    void tryType(const Numbers& from, const NumberType& type) {
        const auto sample = takeSample(from, type);
        const auto found = sample ? bySample.find({type.name, from.count(), *sample}) : bySample.end();
        if (found == bySample.end() || std::ranges::contains(out, found->second.piece, &EqualValues::to)) {
            return;
        }
        const Numbers& to = found->second;
        const Agreement agreement = compare(map, from, to);
        if (agreement != Agreement::None) {
            const bool isRounded = agreement == Agreement::Rounded;
            out.push_back({.from = from.piece,
                           .to = to.piece,
                           .isRounded = isRounded,
                           .wasted = isRounded ? to.data.size() : from.data.size()});
        }
    }

    const SizeMap& map;
    std::vector<Numbers> all;
    std::map<SampleKey, Numbers> bySample;
    std::vector<EqualValues> out;
};

}  // namespace

std::vector<EqualValues> equalValues(const SizeMap& map, std::uint64_t leastElements) {
    return ValueMatcher(map, std::max<std::uint64_t>(leastElements, 2)).match();
}

std::string whyEqual(const SizeMap& map, const EqualValues& pair) {
    return fmt::format("the same numbers as {} and{} as {}", map.pieces[pair.from].dtype(),
                       pair.isRounded ? ", rounded," : "", map.pieces[pair.to].dtype());
}

}  // namespace et::inspector
