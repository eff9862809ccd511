#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>

// Random bits of MLX delegates, by MLX's definition (mlx/random.cpp, https://github.com/ml-explore/mlx).
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::fail;
using core::ScalarType;
using Sizes = std::vector<std::int64_t>;

using Counter = std::pair<std::uint32_t, std::uint32_t>;

/// Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3").
Counter threefry(const Counter& key, Counter count) {
    constexpr std::uint32_t parity = 0x1BD11BDA;
    constexpr std::array<std::array<int, 4>, 2> rotations{{{13, 15, 26, 6}, {17, 29, 16, 24}}};
    const std::array<std::uint32_t, 3> keys{key.first, key.second, key.first ^ key.second ^ parity};
    count.first += keys[0];
    count.second += keys[1];
    for (std::size_t round = 0; round < 5; ++round) {
        for (const int rotation : rotations[round % 2]) {
            count.first += count.second;
            count.second = std::rotl(count.second, rotation) ^ count.first;
        }
        count.first += keys[(round + 1) % 3];
        count.second += keys[(round + 2) % 3] + static_cast<std::uint32_t>(round) + 1;
    }
    return count;
}

/// shape width seed: unsigned integers of `width` bytes
Composed threefryBits(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const Sizes sizes, integersOf(arguments[0]));
    ET_ASSIGN(const std::int64_t width, integerOf(arguments[1]));
    if (isNone(arguments[2])) {
        return fail(ErrorCode::Unsupported,
                    "random bits without a seed differ from run to run on the device");
    }
    ET_ASSIGN(const std::int64_t seed, integerOf(arguments[2]));
    if (width != 1 && width != 2 && width != 4) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected random numbers of 1, 2 or 4 bytes, got {}", width));
    }
    const auto key = Counter(static_cast<std::uint32_t>(static_cast<std::uint64_t>(seed) >> 32U),
                             static_cast<std::uint32_t>(seed));
    ET_ASSIGN(ResultTensor made, calls.empty(ScalarType::Long, sizes));
    const std::span to(made.tensor.mutableData<std::int64_t>(),
                       static_cast<std::size_t>(made.tensor.numel()));
    const std::size_t words = (to.size() * static_cast<std::size_t>(width) + 3) / 4;
    const std::size_t half = words / 2;
    const bool isOdd = words % 2 != 0;
    std::vector<std::uint32_t> bits(words);
    for (std::size_t i = 0; i < half; ++i) {
        const auto second = half + (isOdd ? 1 : 0) + i;
        std::tie(bits[i], bits[second]) =
            threefry(key, {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(second)});
    }
    if (isOdd) {
        bits[half] = threefry(key, {static_cast<std::uint32_t>(half), 0}).first;
    }
    const auto bytes = std::as_bytes(std::span(bits));
    for (std::size_t i = 0; i < to.size(); ++i) {
        std::uint32_t number = 0;
        std::memcpy(&number, bytes.data() + i * static_cast<std::size_t>(width),
                    static_cast<std::size_t>(width));
        to[i] = number;
    }
    const ReferenceTensor finished = std::move(made).finish();
    return gives(calls.converted(finished, resultTypeOf(results, arguments)));
}

constexpr Operator composedMlxRandomRows[] = {
    {"mlx_node.random_bits.default", "shape width seed=None", "", threefryBits},
};

}  // namespace

std::span<const Operator> composedMlxRandom() {
    return composedMlxRandomRows;
}

}  // namespace et::backends::reference
