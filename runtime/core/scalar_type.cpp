#include "runtime/core/scalar_type.h"

#include <algorithm>
#include <limits>

namespace et::core {
std::optional<ScalarTypeFacts> scalarType(std::int64_t code) {
    const auto* found =
        std::ranges::find(scalarTypeTable, code, [](const auto& facts) { return std::int64_t{facts.code}; });
    return found == scalarTypeTable.end() ? std::nullopt : std::optional(*found);
}

std::string scalarTypeName(std::int64_t code) {
    const auto facts = scalarType(code);
    return facts ? std::string(facts->torchName) : "dtype " + std::to_string(code);
}

std::size_t elementBytes(ScalarType type) {
    const auto facts = scalarType(static_cast<std::int64_t>(type));
    return facts ? facts->bytes : 0;
}

std::optional<std::int64_t> tensorBytes(std::int64_t code, std::span<const std::int64_t> sizes) {
    const auto facts = scalarType(code);
    if (!facts || facts->bytes == 0 ||
        std::ranges::any_of(sizes, [](std::int64_t size) { return size < 0; })) {
        return std::nullopt;
    }
    std::int64_t total = facts->bytes;
    if (std::ranges::find(sizes, 0) != sizes.end()) {
        return 0;
    }
    for (const std::int64_t size : sizes) {
        if (total > std::numeric_limits<std::int64_t>::max() / size) {
            return std::nullopt;
        }
        total *= size;
    }
    return total;
}

}  // namespace et::core
