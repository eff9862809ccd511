#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::inspector::detail {

/// Spreads the bits of `value` over the whole word (the finalizer of a well-mixed 64-bit hash).
[[nodiscard]] constexpr std::uint64_t mixBits(std::uint64_t value) {
    value ^= value >> 32U;
    value *= 0x9E37'79B9'7F4A'7C15U;
    value ^= value >> 29U;
    value *= 0xD6E8'FEB8'6659'FD93U;
    value ^= value >> 32U;
    return value;
}

[[nodiscard]] constexpr std::uint64_t combineHash(std::uint64_t seed, std::uint64_t value) {
    return mixBits(seed ^ mixBits(value));
}

/// Numbers distinct keys 0, 1, 2, … in order of first appearance. Open addressing over one flat table: a
/// million keys cost two allocations that grow, not a node each. `Key` has `hash()` and `==`.
template <class Key>
class DenseIndex {
  public:
    /// The number of `key`, given out now if it is new.
    std::uint32_t add(const Key& key) {
        if (2 * (keys.size() + 1) > buckets.size()) {
            grow();
        }
        std::uint32_t& bucket = find(key);
        if (bucket == vacant) {
            bucket = static_cast<std::uint32_t>(keys.size());
            keys.push_back(key);
        }
        return bucket;
    }

    [[nodiscard]] std::size_t size() const { return keys.size(); }
    [[nodiscard]] const Key& operator[](std::uint32_t number) const { return keys[number]; }
    [[nodiscard]] std::vector<Key> release() && { return std::move(keys); }

  private:
    static constexpr std::uint32_t vacant = 0xFFFF'FFFF;

    std::uint32_t& find(const Key& key) {
        const std::size_t mask = buckets.size() - 1;
        std::size_t at = key.hash() & mask;
        while (buckets[at] != vacant && !(keys[buckets[at]] == key)) {
            at = (at + 1) & mask;
        }
        return buckets[at];
    }

    void grow() {
        buckets.assign(buckets.empty() ? 64 : 2 * buckets.size(), vacant);
        for (std::uint32_t number = 0; number < keys.size(); ++number) {
            find(keys[number]) = number;
        }
    }

    std::vector<Key> keys;
    std::vector<std::uint32_t> buckets;
};

}  // namespace et::inspector::detail
