#pragma once

#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <optional>

namespace et::native {

/// The format numbers uint16, uint32 and uint64 otherwise than c10::ScalarType, and the rest likewise.
inline constexpr std::int8_t firstWideUnsigned = 16;
inline constexpr std::int8_t lastWideUnsigned = 18;
inline constexpr auto wideUnsignedShift =
    static_cast<std::int8_t>(static_cast<std::int8_t>(core::ScalarType::UInt16) - firstWideUnsigned);
inline constexpr auto lastSharedCode = static_cast<std::int8_t>(core::ScalarType::BFloat16);

/// The core::scalarType() code of a dtype of the format; nothing if it is unknown.
[[nodiscard]] constexpr std::optional<std::int8_t> scalarTypeOfCode(std::int8_t code) {
    if (code < 0 || code > lastWideUnsigned) {
        return std::nullopt;
    }
    return code > lastSharedCode ? static_cast<std::int8_t>(code + wideUnsignedShift) : code;
}

/// The format's dtype of a core::scalarType() code; nothing if it has none.
[[nodiscard]] constexpr std::optional<std::int8_t> codeOfScalarType(std::int8_t type) {
    const auto wide = static_cast<std::int8_t>(type - wideUnsignedShift);
    if (wide >= firstWideUnsigned && wide <= lastWideUnsigned) {
        return wide;
    }
    return type >= 0 && type <= lastSharedCode ? std::optional(type) : std::nullopt;
}

}  // namespace et::native
