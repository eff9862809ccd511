#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

// Packs integers as torchao does, bit by bit: the inverse of the kernels, written separately.
namespace et::test {

struct BitPlace {
    int byte;
    int bit;
};

/// Place of bit `b` of integer `i` in a run of `count` (128, 64 or 32) integers of `bits` bits.
inline BitPlace placeOfBit(int bits, int count, int i, int b) {
    // Runs of eight planes; 32 integers are packed in eights, each integer of an eight in its own plane.
    const int lanes = count == 32 ? 1 : count / 8;
    const int base = i / (8 * lanes) * bits * lanes + i % lanes;
    const int slot = i / lanes % 8;
    switch (bits) {
        case 1:
            if (count == 64) {
                return {i % 8, 3 - i / 16 + (i % 16 < 8 ? 0 : 4)};
            }
            return {base, 7 - slot};
        case 2:
            return count == 32 ? BitPlace{i % 8, 6 - 2 * (i / 8) + b}
                               : BitPlace{i / 64 * 16 + i % 16, 6 - 2 * (i / 16 % 4) + b};
        case 3:
            if (slot < 6) {
                return {base + slot / 2 * lanes, (slot % 2 == 0 ? 3 : 0) + b};
            }
            return b < 2 ? BitPlace{base + (slot - 6) * lanes, 6 + b} : BitPlace{base + 2 * lanes, 13 - slot};
        case 4:
            return {i / 32 * 16 + i % 16, i % 32 / 16 * 4 + b};
        case 5:
            if (count == 64) {
                const int quarter = i / 16;
                const int in = i % 16;
                if (quarter % 2 == 0 || b < 3) {
                    return {quarter / 2 * 16 + in, quarter % 2 * 5 + b};
                }
                return {32 + in % 8, quarter / 2 * 4 + in / 8 * 2 + b - 3};
            }
            if (slot % 2 == 0 || b < 3) {
                return {base + slot / 2 * lanes, slot % 2 * 5 + b};
            }
            return {base + 4 * lanes, slot / 2 * 2 + b - 3};
        case 6: {
            const int wide = count == 32 ? 8 : 16;
            const int start = i / (4 * wide) * 3 * wide + i % wide;
            const int quarter = i / wide % 4;
            return quarter < 3 ? BitPlace{start + quarter * wide, b}
                               : BitPlace{start + b / 2 * wide, 6 + b % 2};
        }
        case 7:
            return slot < 7 ? BitPlace{base + slot * lanes, b} : BitPlace{base + b * lanes, 7};
        default:
            return {i, b};
    }
}

/// Packs signed integers of `bits` bits, or unsigned ones if `isUnsigned`.
inline void packRun(int bits, const std::int8_t* integers, int count, std::uint8_t* to,
                    bool isUnsigned = false) {
    const int offset = bits == 8 || isUnsigned ? 0 : 1 << (bits - 1);
    std::fill_n(to, count / 8 * bits, std::uint8_t{0});
    for (int i = 0; i < count; ++i) {
        const int number = integers[i] + offset;
        for (int b = 0; b < bits; ++b) {
            const BitPlace place = placeOfBit(bits, count, i, b);
            to[place.byte] = static_cast<std::uint8_t>(to[place.byte] | ((number >> b & 1) << place.bit));
        }
    }
}

template <class T>
void append(std::vector<std::uint8_t>& to, const T& number) {
    std::uint8_t bytes[sizeof(T)];
    std::memcpy(bytes, &number, sizeof(T));
    to.insert(to.end(), bytes, bytes + sizeof(T));
}

inline void appendHeader(std::vector<std::uint8_t>& to, std::vector<std::int32_t> numbers) {
    append(to, std::int32_t{6712});
    numbers.resize(15);
    for (const std::int32_t number : numbers) {
        append(to, number);
    }
}

/// The weights of a linear layer: integers [outputs, depth], scales and zero points [outputs, depth / group].
struct LinearWeights {
    int bits;
    int outputs;
    int depth;
    int group;
    std::vector<std::int8_t> integers;
    std::vector<float> scales;
    std::vector<std::int8_t> zeros{};  ///< may be empty
    std::vector<float> biases{};       ///< may be empty

    [[nodiscard]] int groups() const { return depth / group; }
};

inline void packGroup(const LinearWeights& weights, int firstOutput, int group,
                      std::vector<std::uint8_t>& to) {
    std::int32_t sums[8] = {};
    for (int k = group * weights.group; k < (group + 1) * weights.group; k += 16) {
        std::int8_t tile[128] = {};
        for (int output = 0; output < 8 && firstOutput + output < weights.outputs; ++output) {
            for (int i = 0; i < 16; ++i) {
                const std::int8_t integer =
                    weights
                        .integers[static_cast<std::size_t>((firstOutput + output) * weights.depth + k + i)];
                tile[i / 8 * 64 + output * 8 + i % 8] = integer;
                sums[output] += integer;
            }
        }
        std::uint8_t packed[128];
        packRun(weights.bits, tile, 128, packed);
        to.insert(to.end(), packed, packed + 16 * weights.bits);
    }
    const auto at = [&](int output) {
        return static_cast<std::size_t>((firstOutput + output) * weights.groups() + group);
    };
    for (int output = 0; output < 8; ++output) {
        append(to, firstOutput + output < weights.outputs ? weights.scales[at(output)] : 0.0F);
    }
    for (const std::int32_t sum : sums) {
        append(to, sum);
    }
    for (int output = 0; output < 8 && !weights.zeros.empty(); ++output) {
        append(to, firstOutput + output < weights.outputs ? std::int32_t{weights.zeros[at(output)]} : 0);
    }
}

/// torchao's universal packing.
inline std::vector<std::uint8_t> packLinear(const LinearWeights& weights) {
    std::vector<std::uint8_t> packed;
    appendHeader(packed,
                 {1, weights.bits, weights.zeros.empty() ? 0 : 1, weights.biases.empty() ? 0 : 1, 8, 16, 2});
    for (int first = 0; first < weights.outputs; first += 8) {
        for (int group = 0; group < weights.groups(); ++group) {
            packGroup(weights, first, group, packed);
        }
        for (int output = first; output < first + 8 && !weights.biases.empty(); ++output) {
            append(packed,
                   output < weights.outputs ? weights.biases[static_cast<std::size_t>(output)] : 0.0F);
        }
    }
    return packed;
}

/// Packed rows [rows, depth] of an embedding.
inline std::vector<std::uint8_t> packEmbedding(int bits, int depth,
                                               const std::vector<std::int8_t>& integers) {
    std::vector<std::uint8_t> packed;
    appendHeader(packed, {2, 1, bits, 32, 128});
    for (std::size_t row = 0; row < integers.size(); row += static_cast<std::size_t>(depth)) {
        int done = 0;
        for (const int run : {128, 64, 32}) {
            for (; done + run <= depth; done += run) {
                std::uint8_t bytes[128];
                packRun(bits, integers.data() + row + done, run, bytes);
                packed.insert(packed.end(), bytes, bytes + run / 8 * bits);
            }
        }
    }
    return packed;
}

/// `count` integers of `bits` bits, or fewer; repeatable.
inline std::vector<std::int8_t> lowBitIntegers(int bits, std::size_t count, unsigned seed) {
    std::vector<std::int8_t> integers(count);
    std::uint64_t state = seed * 2654435761U + 1;
    for (std::int8_t& integer : integers) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        integer = static_cast<std::int8_t>(static_cast<int>(state >> 33U) % (1 << bits) - (1 << (bits - 1)));
    }
    return integers;
}

}  // namespace et::test
