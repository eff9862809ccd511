#include "runtime/core/gguf_blocks.h"

#include "runtime/core/element_types.h"

#include <algorithm>
#include <array>
#include <cstring>

// Compiled without FMA: products are rounded before the sum.
namespace et::core {
namespace {

constexpr std::size_t shortBlock = 32;
constexpr std::size_t superBlock = 256;
constexpr std::size_t kScaleBytes = 12;

float halfAt(const std::byte* from) {
    Half value{};
    std::memcpy(&value, from, sizeof value);
    return static_cast<float>(value);
}

unsigned at(const std::byte* bytes, std::size_t index) {
    return std::to_integer<unsigned>(bytes[index]);
}

void decodeQ40(const std::byte* block, float* values) {
    constexpr int zero = 8;
    const float scale = halfAt(block);
    const std::byte* const pairs = block + sizeof(Half);
    for (std::size_t i = 0; i < shortBlock / 2; ++i) {
        values[i] = static_cast<float>(static_cast<int>(at(pairs, i) & 0xFU) - zero) * scale;
        values[i + shortBlock / 2] = static_cast<float>(static_cast<int>(at(pairs, i) >> 4U) - zero) * scale;
    }
}

void decodeQ80(const std::byte* block, float* values) {
    const float scale = halfAt(block);
    const std::byte* const bytes = block + sizeof(Half);
    for (std::size_t i = 0; i < shortBlock; ++i) {
        values[i] = static_cast<float>(static_cast<std::int8_t>(at(bytes, i))) * scale;
    }
}

struct ScaleAndMinimum {
    unsigned scale;
    unsigned minimum;
};

/// Eight pairs of 6-bit numbers in 12 bytes: the first four in the low bits of bytes 0 to 7, whose high bits
/// complete the rest.
ScaleAndMinimum packedScale(const std::byte* scales, std::size_t group) {
    if (group < 4) {
        return {at(scales, group) & 63U, at(scales, group + 4) & 63U};
    }
    return {(at(scales, group + 4) & 0xFU) | ((at(scales, group - 4) >> 6U) << 4U),
            (at(scales, group + 4) >> 4U) | ((at(scales, group) >> 6U) << 4U)};
}

/// Q4_K and Q5_K: groups of 32 values with their own scale and minimum; two groups share bytes. `high`: the
/// fifth bits, one byte for the values at the same position of all groups; null: there are none.
void decodeGroups(const std::byte* block, const std::byte* high, const std::byte* low, float* values) {
    const float scale = halfAt(block);
    const float minimum = halfAt(block + sizeof(Half));
    const std::byte* const scales = block + 2 * sizeof(Half);
    for (std::size_t group = 0; group < superBlock / shortBlock; ++group) {
        const ScaleAndMinimum own = packedScale(scales, group);
        const float groupScale = scale * static_cast<float>(own.scale);
        const float groupMinimum = minimum * static_cast<float>(own.minimum);
        const std::byte* const pairs = low + group / 2 * shortBlock;
        for (std::size_t i = 0; i < shortBlock; ++i) {
            unsigned number = group % 2 == 0 ? at(pairs, i) & 0xFU : at(pairs, i) >> 4U;
            if (high != nullptr) {
                number += ((at(high, i) >> group) & 1U) << 4U;
            }
            values[group * shortBlock + i] = groupScale * static_cast<float>(number) - groupMinimum;
        }
    }
}

void decodeQ4K(const std::byte* block, float* values) {
    decodeGroups(block, nullptr, block + 2 * sizeof(Half) + kScaleBytes, values);
}

void decodeQ5K(const std::byte* block, float* values) {
    const std::byte* const high = block + 2 * sizeof(Half) + kScaleBytes;
    decodeGroups(block, high, high + shortBlock, values);
}

/// Groups of 16 values with an 8-bit scale; of each value, the low 4 bits and the high 2 bits are apart.
void decodeQ6K(const std::byte* block, float* values) {
    constexpr std::size_t half = superBlock / 2;
    constexpr std::size_t groupValues = 16;
    constexpr int zero = 32;
    const std::byte* const low = block;
    const std::byte* const high = low + half;
    const std::byte* const scales = high + half / 2;
    const float scale = halfAt(scales + superBlock / groupValues);
    for (std::size_t i = 0; i < superBlock; ++i) {
        const std::size_t side = i / half;                  // each half has its own bytes
        const std::size_t quarter = i % half / shortBlock;  // 32 values that share the position of their bits
        const std::size_t column = i % shortBlock;
        const unsigned lowByte = at(low, side * (half / 2) + quarter % 2 * shortBlock + column);
        const unsigned lowBits = quarter < 2 ? lowByte & 0xFU : lowByte >> 4U;
        const unsigned highBits = (at(high, side * shortBlock + column) >> (2 * quarter)) & 3U;
        const auto groupScale = static_cast<std::int8_t>(at(scales, i / groupValues));
        const int number = static_cast<int>(lowBits | (highBits << 4U)) - zero;
        values[i] = scale * static_cast<float>(groupScale) * static_cast<float>(number);
    }
}

constexpr std::array layouts = std::to_array<GgufLayout>({
    {"q4_0", shortBlock, 18, decodeQ40},
    {"q8_0", shortBlock, 34, decodeQ80},
    {"q4_k", superBlock, 144, decodeQ4K},
    {"q5_k", superBlock, 176, decodeQ5K},
    {"q6_k", superBlock, 210, decodeQ6K},
});

/// Compares names without '_'.
bool isSame(std::string_view left, std::string_view right) {
    const auto next = [](std::string_view& text) {
        while (text.starts_with('_')) {
            text.remove_prefix(1);
        }
        const char first = text.empty() ? '\0' : text.front();
        text.remove_prefix(text.empty() ? 0 : 1);
        return first;
    };
    while (true) {
        const char first = next(left);
        if (first != next(right)) {
            return false;
        }
        if (first == '\0') {
            return true;
        }
    }
}

}  // namespace

const GgufLayout* ggufLayout(std::string_view name) {
    const auto* const found =
        std::ranges::find_if(layouts, [name](const GgufLayout& layout) { return isSame(layout.name, name); });
    return found == layouts.end() ? nullptr : found;
}

}  // namespace et::core
