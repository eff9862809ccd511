#include "runtime/core/scalar_type.h"

#include <algorithm>

namespace et::core {
std::optional<ScalarTypeInfo> scalarType(std::int64_t code) {
    const auto* found =
        std::ranges::find(scalarTypeTable, code, [](const auto& info) { return std::int64_t{info.code}; });
    return found == scalarTypeTable.end() ? std::nullopt : std::optional(*found);
}

std::string scalarTypeName(std::int64_t code) {
    const auto info = scalarType(code);
    return info ? std::string(info->torchName) : "dtype " + std::to_string(code);
}

std::size_t elementBytes(ScalarType type) {
    const auto info = scalarType(static_cast<std::int64_t>(type));
    return info ? info->bytes : 0;
}

std::optional<std::int64_t> tensorBytes(std::int64_t code, std::span<const std::int64_t> sizes) {
    const auto info = scalarType(code);
    if (!info || info->bytes == 0) {
        return std::nullopt;
    }
    std::int64_t total = info->bytes;
    bool isEmpty = false;
    bool isTooLarge = false;
    for (const std::int64_t size : sizes) {
        if (size < 0) {
            return std::nullopt;
        }
        isEmpty = isEmpty || size == 0;
        isTooLarge = __builtin_mul_overflow(total, size, &total) || isTooLarge;
    }
    if (isEmpty) {
        return 0;  // regardless of the other sizes
    }
    return isTooLarge ? std::nullopt : std::optional(total);
}

}  // namespace et::core
