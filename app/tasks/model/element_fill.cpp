#include "app/tasks/model/element_fill.h"

#include "runtime/core/element_types.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <complex>
#include <cstring>
#include <random>
#include <type_traits>
#include <utility>

namespace et::tasks {
namespace {

using inspector::HostTensor;

constexpr std::array fills{std::pair{std::string_view("random"), Fill::Random},
                           std::pair{std::string_view("ones"), Fill::Ones},
                           std::pair{std::string_view("zeros"), Fill::Zeros}};

template <class T, class Next>
void generate(HostTensor& tensor, Next next) {
    for (std::size_t at = 0; at + sizeof(T) <= tensor.data.size(); at += sizeof(T)) {
        const T value = next();
        std::memcpy(tensor.data.data() + at, &value, sizeof(T));
    }
}

template <class T>
constexpr bool isComplex = false;
template <class T>
constexpr bool isComplex<std::complex<T>> = true;

/// Converts a real number to an element.
template <class T>
T elementOf(core::Scalar number) {
    if constexpr (isComplex<T>) {
        return T(number.to<typename T::value_type>());
    } else {
        return number.to<T>();
    }
}

template <class T>
void fillElements(HostTensor& tensor, Fill fill, std::uint64_t seed) {
    if constexpr (isComplex<T>) {
        if (fill == Fill::Random) {
            return fillElements<typename T::value_type>(tensor, fill, seed);  // real and imaginary parts
        }
    }
    if (fill != Fill::Random) {
        return generate<T>(tensor, [&] { return elementOf<T>(std::int64_t{fill == Fill::Ones}); });
    }
    std::mt19937_64 random(seed);
    if constexpr (std::is_same_v<T, bool>) {
        generate<T>(tensor, [&] { return (random() >> 63U) != 0; });
    } else if constexpr (sizeof(T) == 1) {
        generate<T>(tensor, [&] { return static_cast<T>(random() >> 56U); });
    } else if constexpr (std::is_integral_v<T>) {
        generate<T>(tensor, [&] { return static_cast<T>(random() >> 63U); });
    } else if constexpr (!isComplex<T>) {
        // 53 bits, so that every machine produces the same values.
        generate<T>(tensor,
                    [&] { return core::convertTo<T>(static_cast<double>(random() >> 11U) * 0x1p-52 - 1.0); });
    }
}

template <class T>
void setElements(HostTensor& tensor, core::Scalar number) {
    generate<T>(tensor, [&] { return elementOf<T>(number); });
}

template <class T>
constexpr ElementFill elementType{core::scalarTypeOf<T>, fillElements<T>, setElements<T>};
constexpr std::array elementTypes{
    elementType<std::uint8_t>,
    elementType<std::int8_t>,
    elementType<std::int16_t>,
    elementType<std::int32_t>,
    elementType<std::int64_t>,
    elementType<core::Half>,
    elementType<float>,
    elementType<double>,
    elementType<core::BFloat16>,
    elementType<bool>,
    elementType<std::uint16_t>,
    elementType<std::uint32_t>,
    elementType<std::uint64_t>,
    elementType<std::complex<float>>,
    elementType<std::complex<double>>,
};

}  // namespace

std::optional<Fill> fillOf(std::string_view text) {
    const auto* found = std::ranges::find(fills, text, &decltype(fills)::value_type::first);
    return found == fills.end() ? std::nullopt : std::optional(found->second);
}

/// Parses a number in Python syntax; nothing for other text.
std::optional<core::Scalar> numberOf(std::string_view text) {
    if (text == "true" || text == "True") {
        return core::Scalar(true);
    }
    if (text == "false" || text == "False") {
        return core::Scalar(false);
    }
    text.remove_prefix(text.starts_with('+') ? 1 : 0);
    const char* last = text.data() + text.size();
    std::int64_t whole = 0;
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): ends at `last`
    if (const auto [end, error] = std::from_chars(text.data(), last, whole);
        error == std::errc{} && end == last) {
        return core::Scalar(whole);
    }
    double number = 0;
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): ends at `last`
    if (const auto [end, error] = std::from_chars(text.data(), last, number);
        error == std::errc{} && end == last) {
        return core::Scalar(number);
    }
    return std::nullopt;
}

const ElementFill* elementFill(core::ScalarType type) {
    const auto* const found = std::ranges::find(elementTypes, type, &ElementFill::type);
    return found == elementTypes.end() ? nullptr : found;
}

}  // namespace et::tasks
