#include "inspector/comparison/checksum.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <span>
#include <string_view>

namespace et::inspector {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> roundConstants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::uint32_t mixed(std::uint32_t word, int first, int second, int third) {
    return std::rotr(word, first) ^ std::rotr(word, second) ^ std::rotr(word, third);
}

std::array<std::uint32_t, 64> schedule(const std::byte* block) {
    std::array<std::uint32_t, 64> words{};
    for (std::size_t i = 0; i < 16; ++i) {
        for (std::size_t byte = 0; byte < 4; ++byte) {
            words[i] = words[i] << 8U | std::to_integer<std::uint32_t>(block[4 * i + byte]);
        }
    }
    for (std::size_t i = 16; i < words.size(); ++i) {
        const std::uint32_t early =
            std::rotr(words[i - 15], 7) ^ std::rotr(words[i - 15], 18) ^ words[i - 15] >> 3U;
        const std::uint32_t late =
            std::rotr(words[i - 2], 17) ^ std::rotr(words[i - 2], 19) ^ words[i - 2] >> 10U;
        words[i] = words[i - 16] + early + words[i - 7] + late;
    }
    return words;
}

}  // namespace

void Sha256::takeBlock(const std::byte* block) {
    const std::array<std::uint32_t, 64> words = schedule(block);
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        const std::uint32_t first = h + mixed(e, 6, 11, 25) + choice + roundConstants[i] + words[i];
        const std::uint32_t second = mixed(a, 2, 13, 22) + majority;
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] += added[i];
    }
}

Sha256& Sha256::add(core::Bytes bytes) {
    while (!bytes.empty()) {
        const std::size_t filled = length % blockBytes;
        const std::size_t size = std::min(bytes.size(), blockBytes - filled);
        length += size;
        if (size == blockBytes) {
            takeBlock(bytes.data());
        } else {
            std::ranges::copy(bytes.first(size), waiting.begin() + static_cast<std::ptrdiff_t>(filled));
            if (filled + size == blockBytes) {
                takeBlock(waiting.data());
            }
        }
        bytes = bytes.subspan(size);
    }
    return *this;
}

Sha256& Sha256::add(std::string_view text) {
    return add(std::as_bytes(std::span(text)));
}

std::string Sha256::hex() {
    constexpr std::size_t lengthBytes = 8;
    const std::uint64_t bits = length * 8;
    std::array<std::byte, blockBytes + lengthBytes> padding{std::byte{0x80}};
    const std::size_t filled = length % blockBytes;
    const std::size_t zeros = (blockBytes + blockBytes - lengthBytes - filled - 1) % blockBytes;
    for (std::size_t i = 0; i < lengthBytes; ++i) {
        padding[1 + zeros + i] = static_cast<std::byte>(bits >> (8 * (lengthBytes - 1 - i)));
    }
    add(core::Bytes(padding).first(1 + zeros + lengthBytes));
    std::string text;
    for (const std::uint32_t word : state) {
        fmt::format_to(std::back_inserter(text), "{:08x}", word);
    }
    return text;
}

std::string sha256(core::Bytes bytes) {
    return Sha256().add(bytes).hex();
}

}  // namespace et::inspector
