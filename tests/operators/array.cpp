#include "tests/operators/array.h"

#include "runtime/core/scalar.h"

#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>

namespace et::test::operators {
namespace {

/// Calls `function` with the type of an element, or of its real part if the dtype is complex.
template <class Function>
auto visitPart(ScalarType dtype, Function function) {
    switch (dtype) {
        case ScalarType::ComplexHalf:
            return function(std::type_identity<core::Half>{});
        case ScalarType::ComplexFloat:
            return function(std::type_identity<float>{});
        case ScalarType::ComplexDouble:
            return function(std::type_identity<double>{});
        default:
            return core::visitRealType(dtype, function,
                                       [&]() -> decltype(function(std::type_identity<float>{})) {
                                           throw std::invalid_argument("a dtype without numbers");
                                       });
    }
}

/// Equivalent of numeric_limits that also covers the two 16-bit types.
struct FloatFormat {
    int digits;
    int minExponent;  ///< exponent of the smallest normal number, 2^minExponent
    int maxExponent;  ///< all numbers are below 2^maxExponent
};
FloatFormat formatOf(ScalarType dtype) {
    switch (dtype) {
        case ScalarType::Half:
        case ScalarType::ComplexHalf:
            return {11, -14, 16};
        case ScalarType::BFloat16:
            return {8, -126, 128};
        case ScalarType::Double:
        case ScalarType::ComplexDouble:
            return {53, -1022, 1024};
        default:
            return {24, -126, 128};
    }
}

bool rounds(ScalarType dtype) {
    return core::isFloating(dtype) || core::isComplex(dtype);
}

template <class T>
T partOf(Number number) {
    if constexpr (std::is_same_v<T, bool>) {
        return number != 0;
    } else if constexpr (std::is_integral_v<T>) {
        if (!std::isfinite(number)) {
            return 0;
        }
        constexpr Number modulus = 0x1p64L;
        Number wrapped = std::fmod(std::trunc(number), modulus);
        wrapped = wrapped < 0 ? wrapped + modulus : wrapped;
        return static_cast<T>(static_cast<std::uint64_t>(wrapped));
    } else {
        return static_cast<T>(number);
    }
}

}  // namespace

std::int64_t elementCount(const Sizes& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

Array zeros(ScalarType dtype, const Sizes& sizes) {
    const auto count = static_cast<std::size_t>(elementCount(sizes));
    return {dtype, sizes, std::vector<Number>(count),
            std::vector<Number>(core::isComplex(dtype) ? count : 0)};
}

Number rounded(ScalarType dtype, Number number) {
    return visitPart(dtype,
                     [&]<class T>(std::type_identity<T>) { return static_cast<Number>(partOf<T>(number)); });
}

Number spacing(ScalarType dtype, Number number) {
    if (!rounds(dtype) || !std::isfinite(number)) {
        return 0;
    }
    const FloatFormat format = formatOf(dtype);
    const int exponent = number == 0 ? format.minExponent : std::max(std::ilogb(number), format.minExponent);
    return std::ldexp(Number{1}, exponent - format.digits + 1);
}

Number roundoff(ScalarType dtype) {
    return rounds(dtype) ? std::ldexp(Number{1}, -formatOf(dtype).digits) : 0;
}

Number smallestNormal(ScalarType dtype) {
    return std::ldexp(Number{1}, formatOf(dtype).minExponent);
}

Number highest(ScalarType dtype) {
    if (rounds(dtype)) {
        const FloatFormat format = formatOf(dtype);
        return std::ldexp(1 - std::ldexp(Number{1}, -format.digits), format.maxExponent);
    }
    return visitPart(dtype, []<class T>(std::type_identity<T>) {
        return static_cast<Number>(std::numeric_limits<T>::max());
    });
}

Number lowest(ScalarType dtype) {
    if (rounds(dtype)) {
        return -highest(dtype);
    }
    return visitPart(dtype, []<class T>(std::type_identity<T>) {
        return static_cast<Number>(std::numeric_limits<T>::lowest());
    });
}

void forEachIndex(const Sizes& sizes, const std::function<void(const Sizes& index)>& visit) {
    Sizes index(sizes.size(), 0);
    for (std::int64_t left = elementCount(sizes); left > 0; --left) {
        visit(index);
        for (std::size_t dimension = sizes.size(); dimension-- > 0;) {
            if (++index[dimension] < sizes[dimension]) {
                break;
            }
            index[dimension] = 0;
        }
    }
}

std::size_t offsetOf(const Sizes& sizes, const Sizes& index) {
    std::int64_t offset = 0;
    for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
        offset = offset * sizes[dimension] + index[dimension];
    }
    return static_cast<std::size_t>(offset);
}

Array taken(const Array& source, const Sizes& sizes,
            const std::function<std::int64_t(const Sizes& index)>& from, Number otherwise) {
    Array made = zeros(source.dtype, sizes);
    std::size_t at = 0;
    forEachIndex(sizes, [&](const Sizes& index) {
        const std::int64_t offset = from(index);
        made.numbers[at] = offset < 0 ? otherwise : source.numbers.at(static_cast<std::size_t>(offset));
        if (offset >= 0 && !source.imaginary.empty()) {
            made.imaginary[at] = source.imaginary[static_cast<std::size_t>(offset)];
        }
        ++at;
    });
    return made;
}

namespace {

std::size_t placeOf(const core::Tensor& tensor, const Sizes& index) {
    std::int64_t place = 0;
    for (std::size_t dimension = 0; dimension < index.size(); ++dimension) {
        place += index[dimension] * tensor.stride(dimension);
    }
    return static_cast<std::size_t>(place);
}

}  // namespace

Array read(const core::Tensor& tensor) {
    Array made = zeros(tensor.dtype(), Sizes(tensor.sizes().begin(), tensor.sizes().end()));
    visitPart(tensor.dtype(), [&]<class T>(std::type_identity<T>) {
        const auto* parts = reinterpret_cast<const T*>(tensor.raw());
        std::size_t at = 0;
        forEachIndex(made.sizes, [&](const Sizes& index) {
            const std::size_t place = placeOf(tensor, index);
            if (made.imaginary.empty()) {
                made.numbers[at] = static_cast<Number>(parts[place]);
            } else {
                made.numbers[at] = static_cast<Number>(parts[2 * place]);
                made.imaginary[at] = static_cast<Number>(parts[2 * place + 1]);
            }
            ++at;
        });
    });
    return made;
}

void write(const Array& array, core::Tensor& tensor) {
    visitPart(tensor.dtype(), [&]<class T>(std::type_identity<T>) {
        auto* parts = reinterpret_cast<T*>(tensor.raw());
        std::size_t at = 0;
        forEachIndex(array.sizes, [&](const Sizes& index) {
            const std::size_t place = placeOf(tensor, index);
            if (array.imaginary.empty()) {
                parts[place] = partOf<T>(array.numbers[at]);
            } else {
                parts[2 * place] = partOf<T>(array.numbers[at]);
                parts[2 * place + 1] = partOf<T>(array.imaginary[at]);
            }
            ++at;
        });
    });
}

}  // namespace et::test::operators
