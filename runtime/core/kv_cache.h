#pragma once

#include "runtime/core/scalar_type.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// KV caches that the host keeps outside of the program: the operator kvcache::update_and_attend names a layer
// and leaves capacity, sliding window and element type to the host. Called off-graph caches by ExecuTorch.
namespace et::core {

/// A layer of such a cache, as far as the program determines it.
struct KvCacheLayer {
    std::int64_t layer = 0;  ///< the operator's layer_id
    std::int64_t batch = 1;
    std::int64_t heads = 0;                ///< of keys and values; 0: unknown
    std::int64_t keySize = 0;              ///< elements of a head of the keys
    std::int64_t valueSize = 0;            ///< elements of a head of the values
    ScalarType dtype = ScalarType::Float;  ///< of the keys that the program computes
    std::int64_t maxStep = 0;              ///< maximum positions of one call; 0: unknown

    /// Keys and values of one position: 2 · heads · head size · element size if both heads have equal sizes.
    [[nodiscard]] std::uint64_t bytesPerPosition() const {
        return static_cast<std::uint64_t>(batch) * static_cast<std::uint64_t>(heads) *
               static_cast<std::uint64_t>(keySize + valueSize) * elementBytes(dtype);
    }

    bool operator==(const KvCacheLayer&) const = default;
};

/// Settings of the host.
struct KvCacheSettings {
    std::int64_t capacity = 0;          ///< maximum positions of a layer; 0: derived from the program
    std::vector<std::int64_t> windows;  ///< sliding windows, repeated over the layers; 0: none; empty: the
                                        ///< program's
    std::optional<ScalarType> dtype;    ///< of stored elements; nothing: that of the program's keys

    bool operator==(const KvCacheSettings&) const = default;
};

/// Positions for which a layer reserves memory. A layer with a sliding window reuses the positions that no
/// token of a step can reach any more.
[[nodiscard]] inline std::int64_t reservedPositions(std::int64_t capacity, std::int64_t window,
                                                    std::int64_t maxStep) {
    return window <= 0 || window >= capacity
               ? capacity
               : std::min(capacity, window - 1 + std::max(maxStep, std::int64_t{1}));
}

}  // namespace et::core
