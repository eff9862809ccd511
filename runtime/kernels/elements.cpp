#include "runtime/kernels/elements.h"

#include "runtime/core/element_types.h"
#include "runtime/core/scalar.h"
#include "runtime/kernels/half_conversion.h"

#include <algorithm>
#include <type_traits>

namespace et::kernels {
namespace {

using core::ScalarType;

template <class T>
inline constexpr bool isComplexElement = false;
template <class T>
inline constexpr bool isComplexElement<std::complex<T>> = true;

/// A complex number of two halves, storage only.
struct ComplexHalf {
    core::Half real;
    core::Half imaginary;
};

template <class T>
inline constexpr bool isReduced = std::is_same_v<T, core::Half> || std::is_same_v<T, core::BFloat16>;

/// Memory representation of an element: a bool is a byte, because a file may contain bytes other than 0 and
/// 1.
template <class Element>
using Stored = std::conditional_t<std::is_same_v<Element, bool>, std::uint8_t, Element>;

/// A float outside int32 becomes INT32_MIN, also when converted to narrower integers: PyTorch's behaviour on
/// x86, where C++ leaves it undefined. (PyTorch converts floats to uint8 through int64.)
template <class To>
To signedInteger(double from) {
    constexpr double limit = 2147483648.0;
    return static_cast<To>(from > -limit - 1 && from < limit ? static_cast<std::int32_t>(from) : INT32_MIN);
}

template <class To, class From>
To numberAs(From from) {
    if constexpr (std::is_same_v<From, ComplexHalf>) {
        return To(static_cast<float>(from.real), static_cast<float>(from.imaginary));
    } else if constexpr (std::is_same_v<To, ComplexHalf>) {
        return {.real = core::convertTo<core::Half>(from.real()),
                .imaginary = core::convertTo<core::Half>(from.imag())};
    } else if constexpr (isComplexElement<To> && isComplexElement<From>) {
        return To(from);
    } else if constexpr (isComplexElement<To>) {
        return To(core::convertTo<typename To::value_type>(from));
    } else if constexpr (isComplexElement<From>) {
        return core::convertTo<To>(from.real());
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && std::is_signed_v<To> &&
                         sizeof(To) <= sizeof(std::int32_t)) {
        return signedInteger<To>(static_cast<double>(from));
    } else {
        return core::convertTo<To>(from);
    }
}

template <class T, class Element>
T fromStored(Stored<Element> element) {
    if constexpr (std::is_same_v<Element, bool>) {
        return numberAs<T>(element != 0);
    } else {
        return numberAs<T>(element);
    }
}

template <class T, class Element>
void load(const std::byte* from, std::int64_t stride, T* to, std::size_t count) {
    const auto* elements = reinterpret_cast<const Stored<Element>*>(from);
    if (stride == 1) {
        if constexpr (std::is_same_v<T, float> && isReduced<Element>) {
            floatsFrom(elements, to, count);
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                to[i] = fromStored<T, Element>(elements[i]);
            }
        }
    } else if (stride == 0) {
        std::fill_n(to, count, fromStored<T, Element>(*elements));
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            to[i] = fromStored<T, Element>(elements[static_cast<std::int64_t>(i) * stride]);
        }
    }
}

template <class T, class Element>
void store(const T* from, std::byte* to, std::int64_t stride, std::size_t count) {
    auto* elements = reinterpret_cast<Stored<Element>*>(to);
    if (stride == 1) {
        if constexpr (std::is_same_v<T, float> && isReduced<Element>) {
            floatsTo(from, elements, count);
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                elements[i] = numberAs<Element>(from[i]);
            }
        }
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            elements[static_cast<std::int64_t>(i) * stride] = numberAs<Element>(from[i]);
        }
    }
}

template <class Element>
void storeUnsigned(const std::int64_t* from, std::byte* to, std::int64_t stride, std::size_t count) {
    store<std::uint64_t, Element>(reinterpret_cast<const std::uint64_t*>(from), to, stride, count);
}

/// Returns the result of `function` for the element type of the dtype; null for complex dtypes if T is real.
template <class T, class Function>
auto functionFor(ScalarType dtype, Function function) {
    const auto none = [&]() -> decltype(function(std::type_identity<float>{})) { return nullptr; };
    if constexpr (isComplexElement<T>) {
        if (dtype == ScalarType::ComplexHalf) {
            return function(std::type_identity<ComplexHalf>{});
        }
        return core::visitNumberType(dtype, function, none);
    } else {
        return core::visitRealType(dtype, function, none);
    }
}

}  // namespace

template <ComputeType T>
LoadElements<T> elementLoader(ScalarType dtype) {
    return functionFor<T>(dtype, []<class Element>(std::type_identity<Element>) -> LoadElements<T> {
        return &load<T, Element>;
    });
}

template <ComputeType T>
StoreElements<T> elementStorer(ScalarType dtype) {
    return functionFor<T>(dtype, []<class Element>(std::type_identity<Element>) -> StoreElements<T> {
        return &store<T, Element>;
    });
}

StoreElements<std::int64_t> unsignedStorer(ScalarType dtype) {
    return functionFor<std::int64_t>(
        dtype, []<class Element>(std::type_identity<Element>) -> StoreElements<std::int64_t> {
            return &storeUnsigned<Element>;
        });
}

template LoadElements<float> elementLoader<float>(ScalarType);
template LoadElements<double> elementLoader<double>(ScalarType);
template LoadElements<std::int64_t> elementLoader<std::int64_t>(ScalarType);
template LoadElements<std::complex<float>> elementLoader<std::complex<float>>(ScalarType);
template LoadElements<std::complex<double>> elementLoader<std::complex<double>>(ScalarType);
template StoreElements<float> elementStorer<float>(ScalarType);
template StoreElements<double> elementStorer<double>(ScalarType);
template StoreElements<std::int64_t> elementStorer<std::int64_t>(ScalarType);
template StoreElements<std::complex<float>> elementStorer<std::complex<float>>(ScalarType);
template StoreElements<std::complex<double>> elementStorer<std::complex<double>>(ScalarType);

}  // namespace et::kernels
