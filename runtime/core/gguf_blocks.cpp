#include "runtime/core/gguf_blocks.h"

#include "runtime/core/element_types.h"

#include <algorithm>
#include <cstring>
#include <ranges>

// Compiled without FMA: products are rounded before the sum.
namespace et::core {
namespace {

/// Elements of the small blocks, and of the large ones ("k").
constexpr std::size_t smallBlock = 32;
constexpr std::size_t largeBlock = 256;

float halfAt(const std::uint8_t* bytes) {
    Half number;
    std::memcpy(&number, bytes, sizeof(number));
    return static_cast<float>(number);
}

float signedAt(const std::uint8_t* byte) {
    return static_cast<float>(static_cast<std::int8_t>(*byte));
}

/// d * (q - 8); the second half of the integers is in the high bits.
void q4With0(const std::uint8_t* block, float* to) {
    const float scale = halfAt(block);
    for (std::size_t i = 0; i < smallBlock / 2; ++i) {
        const int byte = block[2 + i];
        to[i] = scale * static_cast<float>((byte & 15) - 8);
        to[i + smallBlock / 2] = scale * static_cast<float>((byte >> 4) - 8);
    }
}

/// d * q + m.
void q4With1(const std::uint8_t* block, float* to) {
    const float scale = halfAt(block);
    const float least = halfAt(block + 2);
    for (std::size_t i = 0; i < smallBlock / 2; ++i) {
        const int byte = block[4 + i];
        to[i] = scale * static_cast<float>(byte & 15) + least;
        to[i + smallBlock / 2] = scale * static_cast<float>(byte >> 4) + least;
    }
}

/// The 32 integers of 5 bits: one bit each in 4 bytes, then the low bits as in q4_0.
void read5Bits(const std::uint8_t* high, int* integers) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, high, sizeof(bits));
    const std::uint8_t* const low = high + sizeof(bits);
    for (std::size_t i = 0; i < smallBlock; ++i) {
        const unsigned byte = low[i % (smallBlock / 2)];
        const unsigned nibble = i < smallBlock / 2 ? byte & 15U : byte >> 4U;
        integers[i] = static_cast<int>(nibble | (bits >> i & 1U) << 4U);
    }
}

void q5With0(const std::uint8_t* block, float* to) {
    const float scale = halfAt(block);
    int integers[smallBlock];
    read5Bits(block + 2, integers);
    for (std::size_t i = 0; i < smallBlock; ++i) {
        to[i] = scale * static_cast<float>(integers[i] - 16);
    }
}

void q5With1(const std::uint8_t* block, float* to) {
    const float scale = halfAt(block);
    const float least = halfAt(block + 2);
    int integers[smallBlock];
    read5Bits(block + 4, integers);
    for (std::size_t i = 0; i < smallBlock; ++i) {
        to[i] = scale * static_cast<float>(integers[i]) + least;
    }
}

void q8With0(const std::uint8_t* block, float* to) {
    const float scale = halfAt(block);
    for (std::size_t i = 0; i < smallBlock; ++i) {
        to[i] = scale * signedAt(block + 2 + i);
    }
}

/// 16 groups with a 4-bit scale and minimum; integers of 2 bits, in bytes that four runs of 32 share.
void q2Large(const std::uint8_t* block, float* to) {
    const std::uint8_t* const integers = block + 16;
    const float scale = halfAt(block + 80);
    const float least = halfAt(block + 82);
    for (std::size_t i = 0; i < largeBlock; ++i) {
        const unsigned group = block[i / 16];
        const unsigned byte = integers[i / 128 * 32 + i % 32];
        const unsigned integer = byte >> (i / 32 % 4 * 2) & 3U;
        to[i] = scale * static_cast<float>(group & 15U) * static_cast<float>(integer) -
                least * static_cast<float>(group >> 4U);
    }
}

/// The 16 scales of 6 bits of q3_k: low bits in 8 bytes, high bits in 4.
int q3Scale(const std::uint8_t* scales, std::size_t group) {
    const unsigned low = group < 8 ? scales[group] & 15U : static_cast<unsigned>(scales[group - 8]) >> 4U;
    const unsigned high = static_cast<unsigned>(scales[8 + group % 4]) >> (group / 4 * 2) & 3U;
    return static_cast<int>(low | high << 4U) - 32;
}

/// Integers of 3 bits: the high bits (0: minus 4) in 32 bytes, a bit for each run of 32; low bits as in q2_k.
void q3Large(const std::uint8_t* block, float* to) {
    const std::uint8_t* const integers = block + 32;
    const float scale = halfAt(block + 108);
    for (std::size_t i = 0; i < largeBlock; ++i) {
        const unsigned high = static_cast<unsigned>(block[i % 32]) >> (i / 32) & 1U;
        const unsigned low = static_cast<unsigned>(integers[i / 128 * 32 + i % 32]) >> (i / 32 % 4 * 2) & 3U;
        const int integer = static_cast<int>(low) - (high == 0 ? 4 : 0);
        to[i] = scale * static_cast<float>(q3Scale(block + 96, i / 16)) * static_cast<float>(integer);
    }
}

/// Scale and minimum of a group of 32 elements of q4_k and q5_k: 6 bits each, of 8 groups in 12 bytes.
struct LargeGroup {
    LargeGroup(const std::uint8_t* block, std::size_t group) {
        const std::uint8_t* const packed = block + 4;
        unsigned factor = 0;
        unsigned offset = 0;
        if (group < 4) {
            factor = packed[group] & 63U;
            offset = packed[group + 4] & 63U;
        } else {
            const unsigned low = packed[group + 4];
            factor = (low & 15U) | static_cast<unsigned>(packed[group - 4]) >> 6U << 4U;
            offset = low >> 4U | static_cast<unsigned>(packed[group]) >> 6U << 4U;
        }
        scale = halfAt(block) * static_cast<float>(factor);
        least = halfAt(block + 2) * static_cast<float>(offset);
    }

    float scale;
    float least;
};

/// Integers of 4 bits: pairs of runs of 32 share 32 bytes.
unsigned nibbleOf(const std::uint8_t* integers, std::size_t element) {
    const unsigned byte = integers[element / 64 * 32 + element % 32];
    return element / 32 % 2 == 0 ? byte & 15U : byte >> 4U;
}

void q4Large(const std::uint8_t* block, float* to) {
    for (std::size_t first = 0; first < largeBlock; first += 32) {
        const LargeGroup group(block, first / 32);
        for (std::size_t i = first; i < first + 32; ++i) {
            to[i] = group.scale * static_cast<float>(nibbleOf(block + 16, i)) - group.least;
        }
    }
}

/// As q4_k, with a fifth bit: bit g of byte i is of element i of group g.
void q5Large(const std::uint8_t* block, float* to) {
    for (std::size_t first = 0; first < largeBlock; first += 32) {
        const LargeGroup group(block, first / 32);
        for (std::size_t i = first; i < first + 32; ++i) {
            const unsigned high = static_cast<unsigned>(block[16 + i % 32]) >> (first / 32) & 1U;
            to[i] = group.scale * static_cast<float>(nibbleOf(block + 48, i) | high << 4U) - group.least;
        }
    }
}

/// 16 groups with an 8-bit scale. Each half of the block: 64 bytes of low bits, which two pairs of runs of 32
/// share, and 32 bytes of high bits, which four runs share.
void q6Large(const std::uint8_t* block, float* to) {
    const float scale = halfAt(block + 208);
    for (std::size_t i = 0; i < largeBlock; ++i) {
        const std::size_t half = i / 128;
        const std::size_t run = i / 32 % 4;
        const unsigned lowByte = block[half * 64 + run % 2 * 32 + i % 32];
        const unsigned low = run < 2 ? lowByte & 15U : lowByte >> 4U;
        const unsigned high = static_cast<unsigned>(block[128 + half * 32 + i % 32]) >> (2 * run) & 3U;
        to[i] = scale * signedAt(block + 192 + i / 16) *
                static_cast<float>(static_cast<int>(low | high << 4U) - 32);
    }
}

constexpr GgufLayout layouts[] = {
    {"q4_0", smallBlock, 18, q4With0},  {"q4_1", smallBlock, 20, q4With1},
    {"q5_0", smallBlock, 22, q5With0},  {"q5_1", smallBlock, 24, q5With1},
    {"q8_0", smallBlock, 34, q8With0},  {"q2_k", largeBlock, 84, q2Large},
    {"q3_k", largeBlock, 110, q3Large}, {"q4_k", largeBlock, 144, q4Large},
    {"q5_k", largeBlock, 176, q5Large}, {"q6_k", largeBlock, 210, q6Large},
};

auto withoutUnderscores(std::string_view name) {
    return name | std::views::filter([](char each) { return each != '_'; });
}

}  // namespace

std::span<const GgufLayout> ggufLayouts() {
    return layouts;
}

const GgufLayout* ggufLayout(std::string_view name) {
    const auto* const found = std::ranges::find_if(layouts, [name](const GgufLayout& layout) {
        return std::ranges::equal(withoutUnderscores(layout.name), withoutUnderscores(name));
    });
    return found == std::ranges::end(layouts) ? nullptr : found;
}

}  // namespace et::core
