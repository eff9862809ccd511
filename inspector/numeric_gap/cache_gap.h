#pragma once

#include "inspector/numeric_gap/metrics.h"
#include "runtime/kernels/kv_caches.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::inspector {

/// Keys or values of a layer of the KV caches outside the program, after a run on both sides.
struct GapCache {
    std::int64_t layer = 0;
    bool isValue = false;
    std::size_t positions = 0;  ///< cached by the runtime
    GapNumbers numbers;
    std::string difference;  ///< reason for missing metrics ("the graph caches 3 positions, the program 4")

    /// Whether other positions are cached, or the SNR is below leastCacheSnr.
    [[nodiscard]] bool differs() const;
};

/// Rounding of quantized weights leaves more.
inline constexpr double leastCacheSnr = 20;

/// The layers that either side has, by ascending layer.
[[nodiscard]] std::vector<GapCache> compareCaches(const kernels::KvCaches& reference,
                                                  const kernels::KvCaches& runtime);

/// "KV cache of layer 1, keys: 5 positions, SNR 142.1 dB".
[[nodiscard]] std::string describe(const GapCache& cache);

}  // namespace et::inspector
