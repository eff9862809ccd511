#pragma once

#include "runtime/core/kv_cache.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace et::executor {

/// The KV caches that a program expects from its host.
struct KvCachePlan {
    std::vector<core::KvCacheLayer> layers;  ///< by ascending layer, each once
    std::int64_t capacity = 0;               ///< in positions; 0: unknown
    std::string_view capacitySource;  ///< the constant that has it: "get_max_ctx_len"; "length": the maximum
                                      ///< length of a call; empty: given, or unknown
    std::vector<std::int64_t> windows;  ///< repeated over the layers; 0: none

    [[nodiscard]] std::int64_t windowOf(std::int64_t layer) const;
    /// In positions; 0: unknown.
    [[nodiscard]] std::int64_t reservedPositions(const core::KvCacheLayer& layer) const;
    [[nodiscard]] std::uint64_t reservedBytes(const core::KvCacheLayer& layer) const;
    [[nodiscard]] std::uint64_t reservedBytes() const;  ///< of all layers
    [[nodiscard]] std::uint64_t bytesPerPosition() const;
    /// Settings for KvCaches. The capacity is a limit only if it was given or is a constant of the program.
    [[nodiscard]] core::KvCacheSettings limits() const;
};

/// Finds the layers in calls of kvcache::update_and_attend and in delegates that can be described. Capacity:
/// `settings`, otherwise the constants get_max_ctx_len, get_max_context_len or get_max_seq_len, otherwise the
/// maximum length of a call. Windows: `settings`, otherwise the constant get_windows.
[[nodiscard]] KvCachePlan planKvCaches(const program::Program& program,
                                       std::span<const Backend* const> backends,
                                       const NamedDataSource& namedData,
                                       const core::KvCacheSettings& settings);
/// The layers of one method.
[[nodiscard]] std::vector<core::KvCacheLayer> kvCacheLayers(const program::Method& method,
                                                            std::span<const Backend* const> backends,
                                                            const NamedDataSource& namedData);

}  // namespace et::executor
