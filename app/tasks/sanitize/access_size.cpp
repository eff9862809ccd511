#include "app/tasks/sanitize/access_size.h"

#include <array>
#include <cstring>

namespace et::tasks {
namespace {

#if defined(__x86_64__)

/// Prefixes of an instruction.
struct Prefixes {
    bool isShort = false;   ///< 0x66
    bool isSingle = false;  ///< 0xf3
    bool isDouble = false;  ///< 0xf2
    bool isLong = false;    ///< REX.W
};

std::uint32_t wordSize(const Prefixes& prefixes) {
    return prefixes.isLong ? 8 : prefixes.isShort ? 2 : 4;
}

/// Size of an SSE or AVX operand of opcode map 0f.
std::uint32_t vectorSize(std::uint32_t opcode, const Prefixes& prefixes, std::uint32_t width) {
    const bool isArithmetic =
        opcode == 0x10 || opcode == 0x11 || opcode == 0x51 || (opcode >= 0x58 && opcode <= 0x5f);
    if (isArithmetic && prefixes.isSingle) {
        return 4;
    }
    if (isArithmetic && prefixes.isDouble) {
        return 8;
    }
    switch (opcode) {
        case 0x6e:
        case 0x7e:
            return prefixes.isSingle || prefixes.isLong ? 8 : 4;
        case 0xd6:
        case 0x12:
        case 0x13:
        case 0x16:
        case 0x17:
            return 8;
        case 0x2a:
            return prefixes.isLong ? 8 : 4;
        case 0x2e:
        case 0x2f:
            return prefixes.isShort ? 8 : 4;
        default:
            break;
    }
    const bool isVector = isArithmetic || opcode == 0x28 || opcode == 0x29 || opcode == 0x6f ||
                          opcode == 0x7f || opcode == 0x2b || opcode == 0xe7 ||
                          (opcode >= 0x54 && opcode <= 0x57) || opcode >= 0xd0 ||
                          (opcode >= 0x60 && opcode <= 0x6d);
    return isVector ? width : 0;
}

std::uint32_t twoByteSize(std::uint32_t opcode, const Prefixes& prefixes) {
    switch (opcode) {
        case 0xb6:
        case 0xbe:
            return 1;
        case 0xb7:
        case 0xbf:
            return 2;
        case 0xaf:
            return wordSize(prefixes);
        default:
            return opcode >= 0x40 && opcode <= 0x4f ? wordSize(prefixes) : vectorSize(opcode, prefixes, 16);
    }
}

std::uint32_t oneByteSize(std::uint32_t opcode, const Prefixes& prefixes) {
    const bool isArithmetic = opcode < 0x40 && (opcode & 7U) < 4;
    if (isArithmetic || (opcode >= 0x88 && opcode <= 0x8b) || opcode == 0xc6 || opcode == 0xc7 ||
        opcode == 0x80 || opcode == 0x81 || opcode == 0x83 || opcode == 0xa4 || opcode == 0xa5 ||
        opcode == 0xaa || opcode == 0xab || opcode == 0x84 || opcode == 0x85 || opcode == 0xf6 ||
        opcode == 0xf7 || opcode == 0xfe || opcode == 0xff) {
        const bool isWord = (opcode & 1U) != 0 || opcode == 0x83;
        return isWord ? wordSize(prefixes) : 1;
    }
    return opcode == 0x63 ? 4 : 0;
}

/// Instructions with a VEX prefix of three bytes (0xc4) or two (0xc5).
std::uint32_t vexSize(const std::byte* code) {
    const bool isThree = code[0] == std::byte{0xc4};
    const auto last = std::to_integer<std::uint32_t>(code[isThree ? 2 : 1]);
    const std::uint32_t map = isThree ? std::to_integer<std::uint32_t>(code[1]) & 31U : 1;
    const auto opcode = std::to_integer<std::uint32_t>(code[isThree ? 3 : 2]);
    const Prefixes prefixes{.isShort = (last & 3U) == 1,
                            .isSingle = (last & 3U) == 2,
                            .isDouble = (last & 3U) == 3,
                            .isLong = isThree && (last & 0x80U) != 0};
    const std::uint32_t width = (last & 4U) != 0 ? 32 : 16;
    if (map == 1) {
        return vectorSize(opcode, prefixes, width);
    }
    if (map == 2 && opcode == 0x18) {
        return 4;
    }
    if (map == 2 && opcode >= 0x96 && opcode <= 0xbf) {
        const bool isScalar = (opcode & 1U) != 0 && (opcode & 15U) >= 9;
        return isScalar ? (prefixes.isLong ? 8 : 4) : width;
    }
    return 0;
}

#endif

}  // namespace

#if defined(__x86_64__)
std::uint32_t accessSize(const std::byte* code) {
    Prefixes prefixes;
    for (std::size_t i = 0; i < 8; ++i) {
        const auto byte = std::to_integer<std::uint32_t>(code[i]);
        if (byte == 0x66) {
            prefixes.isShort = true;
        } else if (byte == 0xf3) {
            prefixes.isSingle = true;
        } else if (byte == 0xf2) {
            prefixes.isDouble = true;
        } else if (byte >= 0x40 && byte <= 0x4f) {
            prefixes.isLong = (byte & 8U) != 0;
        } else if (byte == 0xc4 || byte == 0xc5) {
            return vexSize(code + i);
        } else if (byte == 0x62) {
            return 0;  // EVEX: the mask decides
        } else if (byte == 0x0f) {
            return twoByteSize(std::to_integer<std::uint32_t>(code[i + 1]), prefixes);
        } else {
            return oneByteSize(byte, prefixes);
        }
    }
    return 0;
}
#elif defined(__aarch64__)
std::uint32_t accessSize(const std::byte* code) {
    std::uint32_t word = 0;
    std::memcpy(&word, code, sizeof(word));
    const std::uint32_t size = word >> 30U;
    const bool isVector = (word >> 26U & 1U) != 0;
    if ((word >> 27U & 7U) == 7) {  // one register
        return isVector && size == 0 && (word >> 23U & 1U) != 0 ? 16 : 1U << size;
    }
    if ((word >> 27U & 7U) == 5) {  // a pair
        return isVector ? 8U << size : size == 2 ? 16 : 8;
    }
    return 0;
}
#else
std::uint32_t accessSize(const std::byte*) {
    return 0;
}
#endif

}  // namespace et::tasks
