#include "runtime/kernels/layout/accumulate.h"

#include "runtime/core/element_types.h"
#include "runtime/kernels/kernel_context.h"

#include <complex>
#include <cstring>
#include <type_traits>

namespace et::kernels {
namespace {

template <class T>
T sum(T left, T right) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right));
    } else if constexpr (sizeof(T) == 2) {
        return static_cast<T>(static_cast<float>(left) + static_cast<float>(right));
    } else {
        return left + right;
    }
}

template <class T>
void addRow(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
            std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        T addend;
        T total;
        std::memcpy(&addend, from + i * fromStep, sizeof addend);
        std::memcpy(&total, to + i * toStep, sizeof total);
        total = sum(total, addend);
        std::memcpy(to + i * toStep, &total, sizeof total);
    }
}

/// A bool in a file may be any byte.
void orRow(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
           std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        const bool truth = from[i * fromStep] != std::byte{} || to[i * toStep] != std::byte{};
        to[i * toStep] = std::byte{truth};
    }
}

}  // namespace

core::Result<AddRow> selectAddRow(core::ScalarType type) {
    if (type == core::ScalarType::Bool) {
        return &orRow;
    }
    return core::visitNumberType(
        type, []<class T>(std::type_identity<T>) -> core::Result<AddRow> { return &addRow<T>; },
        [type]() -> core::Result<AddRow> { return unsupportedType(type); });
}

}  // namespace et::kernels
