#include "inspector/size/content_digest.h"

#include <algorithm>
#include <cstring>
#include <random>

// Polynomial hashing modulo a Mersenne prime: Carter and Wegman, "Universal classes of hash functions", 1979.
namespace et::inspector {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr unsigned primeBits = 61;
constexpr std::uint64_t prime = (std::uint64_t{1} << primeBits) - 1;

/// Reduces a value below 2^124 to one below 2^62.
std::uint64_t folded(Wide value) {
    return static_cast<std::uint64_t>(value & prime) + static_cast<std::uint64_t>(value >> primeBits);
}

std::uint64_t reduced(std::uint64_t value) {
    value = (value & prime) + (value >> primeBits);
    return value >= prime ? value - prime : value;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return reduced(folded(static_cast<Wide>(a) * b));
}

}  // namespace

DigestPoints::DigestPoints(std::uint64_t forWords, std::uint64_t forHalves) {
    // Evaluation points 0 and 1 would lose most of the input.
    const std::uint64_t wordPoint = 2 + forWords % (prime - 2);
    const std::uint64_t halfPoint = 2 + forHalves % (prime - 2);
    wordPowers[0] = 1;
    halfPowers[0] = 1;
    for (std::size_t i = 1; i <= lanes; ++i) {
        wordPowers[i] = product(wordPowers[i - 1], wordPoint);
        halfPowers[i] = product(halfPowers[i - 1], halfPoint);
    }
}

DigestPoints DigestPoints::random() {
    std::random_device device;
    const auto number = [&] {
        constexpr unsigned half = 32;
        return std::uint64_t{device()} << half | device();
    };
    return {number(), number()};
}

ContentDigest DigestPoints::append(ContentDigest before, core::Bytes more) const {
    while (!more.empty()) {
        std::uint64_t words[lanes]{};
        const std::size_t taken = std::min(more.size(), blockBytes);
        std::memcpy(words, more.data(), taken);
        more = more.subspan(taken);
        // Each term is below 2^122, so a few of them can be added. The first multiplies the previous digest
        // by the power for the whole block.
        Wide wordSum = static_cast<Wide>(before.words) * wordPowers[lanes];
        Wide halfSum = static_cast<Wide>(before.halves) * halfPowers[lanes];
        for (std::size_t i = 0; i < lanes; ++i) {
            constexpr unsigned half = 32;
            wordSum +=
                static_cast<Wide>((words[i] & prime) + (words[i] >> primeBits)) * wordPowers[lanes - 1 - i];
            halfSum += static_cast<Wide>(words[i] >> half) * halfPowers[lanes - 1 - i];
        }
        before = {reduced(folded(wordSum)), reduced(folded(halfSum))};
    }
    return before;
}

}  // namespace et::inspector
