#pragma once

#include "runtime/core/kv_cache.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace et::kernels {

/// Keys and values of past positions of a layer.
struct KvCacheContent {
    core::KvCacheLayer layer;             ///< its dtype is that of the stored elements
    std::vector<std::int64_t> positions;  ///< of the cached tokens, ascending
    std::vector<std::byte> keys;          ///< [positions, batch, heads, keySize]; memory is reserved ahead
    std::vector<std::byte> values;        ///< [positions, batch, heads, valueSize]

    [[nodiscard]] std::uint64_t keyBytes() const;  ///< of one position
    [[nodiscard]] std::uint64_t valueBytes() const;
};

/// A write to a cache during an execution.
struct KvCacheWrite {
    std::int64_t layer = 0;
    std::int64_t start = 0;     ///< position of the first token
    std::int64_t count = 0;     ///< number of tokens
    std::int64_t expected = 0;  ///< position that follows the cached ones
    bool consecutive = true;    ///< the tokens have consecutive positions
    bool replaced =
        false;  ///< other keys or values of these positions, written by the same execution, were lost
};

/// The caches of a module that its programs update by kvcache::update_and_attend. Not thread-safe.
class KvCaches {
  public:
    /// `limit`: bytes of all layers together.
    explicit KvCaches(std::uint64_t limit) : limitBytes(limit) {}

    void configure(core::KvCacheSettings chosen) { settings = std::move(chosen); }
    /// Capacity 0: limited by memory only.
    [[nodiscard]] const core::KvCacheSettings& configuration() const { return settings; }
    [[nodiscard]] std::int64_t windowOf(std::int64_t layer) const;

    /// Empties all layers, as for a new conversation.
    void clear();
    /// Forgets the writes of the last execution.
    void beginExecution() { recent.clear(); }
    /// Writes since beginExecution(), at most maxWrites.
    [[nodiscard]] std::span<const KvCacheWrite> writes() const { return recent; }

    /// Drops the cached positions from `positions.front()` on, because the conversation continues there, and
    /// appends `positions` with `keys` [positions, batch, heads, keySize] and `values`, elements of the
    /// layer's dtype. Positions of one call are consecutive; others are noted and counted from the first.
    /// Errors: InvalidArgument (a layer of another shape, a negative position), Limit (more positions than
    /// the capacity, too many layers, no memory).
    [[nodiscard]] core::Result<const KvCacheContent*> update(const core::KvCacheLayer& layer,
                                                             std::span<const std::int64_t> positions,
                                                             std::span<const std::byte> keys,
                                                             std::span<const std::byte> values);

    [[nodiscard]] const std::map<std::int64_t, KvCacheContent>& layers() const { return contents; }
    /// Restores saved contents.
    void restore(std::map<std::int64_t, KvCacheContent> saved) { contents = std::move(saved); }
    [[nodiscard]] std::uint64_t bytes() const;  ///< memory in use

    static constexpr std::size_t maxWrites = 4096;

  private:
    core::Result<KvCacheContent*> find(const core::KvCacheLayer& layer);
    core::Result<> reserve(KvCacheContent& content, std::size_t positions) const;
    void note(const KvCacheWrite& write, bool differs);

    std::uint64_t limitBytes;
    core::KvCacheSettings settings;
    std::map<std::int64_t, KvCacheContent> contents;  ///< by layer
    std::vector<KvCacheWrite> recent;
};

}  // namespace et::kernels
