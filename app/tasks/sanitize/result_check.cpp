#include "app/tasks/sanitize/result_check.h"

#include <bit>
#include <cstring>

namespace et::tasks {
namespace {

/// Whether the bits of a floating-point number are NaN; false for other dtypes.
bool isNan(core::ScalarType dtype, const std::byte* bytes) {
    constexpr std::uint32_t half = 0x7c00;
    constexpr std::uint32_t brain = 0x7f80;
    if (dtype == core::ScalarType::Float) {
        float number = 0;
        std::memcpy(&number, bytes, sizeof(number));
        return number != number;
    }
    if (dtype == core::ScalarType::Double) {
        double number = 0;
        std::memcpy(&number, bytes, sizeof(number));
        return number != number;
    }
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes, sizeof(bits));
    return (dtype == core::ScalarType::Half && (bits & 0x7fffU) > half) ||
           (dtype == core::ScalarType::BFloat16 && (bits & 0x7fffU) > brain);
}

std::size_t nanBytes(core::ScalarType dtype) {
    switch (dtype) {
        case core::ScalarType::Double:
            return 8;
        case core::ScalarType::Float:
            return 4;
        case core::ScalarType::Half:
        case core::ScalarType::BFloat16:
            return 2;
        default:
            return 0;
    }
}

}  // namespace

ResultDifference compareWorlds(const WorldBytes& result, bool isPoisoned) {
    ResultDifference out;
    const auto& [first, second] = result.copies;
    if (first.empty() || std::memcmp(first.data(), second.data(), first.size()) == 0) {
        return out;
    }
    const auto poison = poisonOf(result.dtype);
    const std::size_t width = nanBytes(result.dtype);
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i] == second[i]) {
            continue;
        }
        if (isPoisoned && first[i] == poison[0] && second[i] == poison[1]) {
            out.firstUnwritten = out.unwritten++ == 0 ? i : out.firstUnwritten;
            continue;
        }
        const std::size_t start = width == 0 ? 0 : i / width * width;
        if (width > 0 && start + width <= first.size() && isNan(result.dtype, &first[start]) &&
            isNan(result.dtype, &second[start])) {
            continue;
        }
        out.firstDiffering = out.differing++ == 0 ? i : out.firstDiffering;
    }
    return out;
}

ChangedBytes changedBytes(std::span<const std::byte> bytes, std::byte expected) {
    ChangedBytes out;
    if (bytes.empty() ||
        (bytes.front() == expected && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0)) {
        return out;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] != expected) {
            out.first = out.count++ == 0 ? i : out.first;
        }
    }
    return out;
}

}  // namespace et::tasks
