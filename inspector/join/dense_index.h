#pragma once

#include "runtime/core/memory_pages.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::inspector::join::detail {

/// Spreads the bits of `value` over the whole word (finalizer of a 64-bit hash).
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

/// Numbers distinct keys 0, 1, 2, … in order of first appearance. Open addressing in one flat table: a
/// million keys need two allocations instead of a node each. `Key` has `hash()` and `==`.
template <class Key>
class DenseIndex {
  public:
    /// Reserves space for `count` keys without rehashing. The index must be empty.
    void reserve(std::size_t count) {
        const std::size_t room = std::bit_ceil(2 * count + fewest);
        core::reserveHuge(buckets, room);
        buckets.resize(room);
        core::reserveHuge(keys, count);
    }

    /// Prefetches the memory that add() of a key with this hash will access. A table of a million keys
    /// exceeds any cache, so prefetching known next keys avoids waiting.
    void prefetch(std::uint64_t hash) const {
        if (!buckets.empty()) {
            __builtin_prefetch(&buckets[hash & (buckets.size() - 1)]);
        }
    }

    /// The number of `key`, assigned now if it is new.
    std::uint32_t add(const Key& key) { return add(key, key.hash()); }
    /// Overload with the key's `hash` already computed.
    std::uint32_t add(const Key& key, std::uint64_t hash) {
        if (2 * (keys.size() + 1) > buckets.size()) {
            grow();
        }
        Bucket& bucket = find(key, hash);
        if (bucket.number == vacant) {
            bucket = {.number = static_cast<std::uint32_t>(keys.size()), .tag = tagOf(hash)};
            keys.push_back(key);
        }
        return bucket.number;
    }

    [[nodiscard]] std::size_t size() const { return keys.size(); }
    [[nodiscard]] const Key& operator[](std::uint32_t number) const { return keys[number]; }
    [[nodiscard]] std::vector<Key> release() && { return std::move(keys); }

  private:
    static constexpr std::uint32_t vacant = 0xFFFF'FFFF;
    static constexpr std::size_t fewest = 64;

    /// A differing tag avoids accessing the key, which is elsewhere in memory.
    struct Bucket {
        std::uint32_t number = vacant;
        std::uint32_t tag = 0;
    };
    static std::uint32_t tagOf(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

    Bucket& find(const Key& key, std::uint64_t hash) {
        const std::size_t mask = buckets.size() - 1;
        std::size_t at = hash & mask;
        while (buckets[at].number != vacant &&
               !(buckets[at].tag == tagOf(hash) && keys[buckets[at].number] == key)) {
            at = (at + 1) & mask;
        }
        return buckets[at];
    }

    void grow() {
        buckets.assign(buckets.empty() ? fewest : 2 * buckets.size(), {});
        for (std::uint32_t number = 0; number < keys.size(); ++number) {
            const std::uint64_t hash = keys[number].hash();
            find(keys[number], hash) = {.number = number, .tag = tagOf(hash)};
        }
    }

    std::vector<Key> keys;
    std::vector<Bucket> buckets;
};

}  // namespace et::inspector::join::detail
