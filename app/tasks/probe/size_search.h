#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

// Finds the sizes of one dimension for which a device computes wrong results, by testing few of them.
namespace et::tasks {

/// Consecutive wrong sizes.
struct SizeBand {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t rightBefore = 0;  ///< largest smaller size that is right; 0: none was tested
    std::int64_t rightAfter = 0;   ///< smallest larger size that is right; 0: none was tested
    bool operator==(const SizeBand&) const = default;
};

/// Rule that explains all tested sizes.
struct SizeRule {
    enum class Kind : std::uint8_t {
        Right,        ///< no tested size is wrong
        Wrong,        ///< all tested sizes are wrong
        Indivisible,  ///< sizes that are not divisible by `divisor` are wrong
        Bands,        ///< the sizes in `bands` are wrong; of sizes that are divisible by `divisor`, if it is
                      ///< above 1: all others are wrong
    };
    Kind kind = Kind::Right;
    std::int64_t divisor = 1;
    std::vector<SizeBand> bands{};
    bool isExact = true;  ///< no further size would make it more precise
};

/// Tested sizes of one dimension, with their range.
struct SizeTrials {
    std::int64_t typical = 1;  ///< size in the model
    std::int64_t least = 1;
    std::int64_t most = 1;
    std::map<std::int64_t, bool> wrong{};  ///< by size: whether the result was wrong
    std::set<std::int64_t> unavailable{};  ///< sizes that cannot be tested
};

/// Rule for the sizes tested so far, and the sizes to test next: for each end of a band `perEdge` of them.
struct SizeSearchStep {
    SizeRule rule;
    std::vector<std::int64_t> next;
};
[[nodiscard]] SizeSearchStep searchSizes(const SizeTrials& trials, std::size_t perEdge);

/// Sizes that find most rules, in the order of their use: the next size, a grid, nearest to the typical size
/// first, further neighbours, the double, the half, and a finer grid.
[[nodiscard]] std::vector<std::int64_t> scanSizes(const SizeTrials& trials);

}  // namespace et::tasks
