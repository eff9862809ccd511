#include "runtime/kernels/kv_caches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace et::kernels {
namespace {

using core::ErrorCode;

constexpr std::size_t maxLayers = 65536;
constexpr std::size_t firstPositions = 64;

std::uint64_t bytesPerPosition(const core::KvCacheLayer& layer, std::int64_t headSize) {
    return static_cast<std::uint64_t>(layer.batch) * static_cast<std::uint64_t>(layer.heads) *
           static_cast<std::uint64_t>(headSize) * core::elementBytes(layer.dtype);
}

std::string shapeText(const core::KvCacheLayer& layer) {
    return fmt::format("{} [{}, {} heads, {} and {}]", core::scalarTypeName(layer.dtype), layer.batch,
                       layer.heads, layer.keySize, layer.valueSize);
}

bool isSameShape(const core::KvCacheLayer& a, const core::KvCacheLayer& b) {
    return a.batch == b.batch && a.heads == b.heads && a.keySize == b.keySize && a.valueSize == b.valueSize &&
           a.dtype == b.dtype;
}

/// Writes `content` at the end of the first `kept` positions; returns whether other bytes were there.
bool place(std::span<const std::byte> content, std::size_t at, std::vector<std::byte>& memory) {
    if (content.empty()) {
        return false;
    }
    const bool differs = std::memcmp(memory.data() + at, content.data(), content.size()) != 0;
    std::memcpy(memory.data() + at, content.data(), content.size());
    return differs;
}

}  // namespace

std::uint64_t KvCacheContent::keyBytes() const {
    return bytesPerPosition(layer, layer.keySize);
}
std::uint64_t KvCacheContent::valueBytes() const {
    return bytesPerPosition(layer, layer.valueSize);
}

std::int64_t KvCaches::windowOf(std::int64_t layer) const {
    return settings.windows.empty() || layer < 0
               ? 0
               : settings.windows[static_cast<std::size_t>(layer) % settings.windows.size()];
}

void KvCaches::clear() {
    contents.clear();
    recent.clear();
}

std::uint64_t KvCaches::bytes() const {
    std::uint64_t total = 0;
    for (const auto& [layer, content] : contents) {
        total += content.keys.size() + content.values.size();
    }
    return total;
}

core::Result<KvCacheContent*> KvCaches::find(const core::KvCacheLayer& layer) {
    const auto known = contents.find(layer.layer);
    if (known == contents.end()) {
        if (contents.size() >= maxLayers) {
            return core::fail(ErrorCode::Limit, fmt::format("more than {} layers of KV caches", maxLayers));
        }
        KvCacheContent& made = contents[layer.layer];
        made.layer = layer;
        return &made;
    }
    if (!isSameShape(known->second.layer, layer)) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("the KV cache of layer {} has {}, got {}", layer.layer,
                                      shapeText(known->second.layer), shapeText(layer)));
    }
    return &known->second;
}

core::Result<> KvCaches::reserve(KvCacheContent& content, std::size_t positions) const {
    const std::uint64_t each = content.keyBytes() + content.valueBytes();
    std::uint64_t held = each == 0 ? positions : (content.keys.size() + content.values.size()) / each;
    if (held >= positions) {
        return {};
    }
    const std::uint64_t others = bytes() - content.keys.size() - content.values.size();
    const std::uint64_t available = others < limitBytes ? (limitBytes - others) / each : 0;
    if (available < positions) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("the KV cache of layer {} needs {} bytes for {} positions: "
                                      "more than the memory limit of {}",
                                      content.layer.layer, each * positions, positions, limitBytes));
    }
    held = std::max<std::uint64_t>({held * 2, firstPositions, positions});
    if (settings.capacity > 0) {
        held =
            std::min(held, std::max<std::uint64_t>(static_cast<std::uint64_t>(settings.capacity), positions));
    }
    held = std::min(held, available);
    content.keys.resize(held * content.keyBytes());
    content.values.resize(held * content.valueBytes());
    return {};
}

void KvCaches::note(const KvCacheWrite& write, bool differs) {
    KvCacheWrite noted = write;
    noted.replaced = differs && std::ranges::any_of(recent, [&](const KvCacheWrite& earlier) {
                         return earlier.layer == write.layer && earlier.start < write.start + write.count &&
                                write.start < earlier.start + earlier.count;
                     });
    if (recent.size() < maxWrites) {
        recent.push_back(noted);
    }
}

core::Result<const KvCacheContent*> KvCaches::update(const core::KvCacheLayer& layer,
                                                     std::span<const std::int64_t> positions,
                                                     std::span<const std::byte> keys,
                                                     std::span<const std::byte> values) {
    const std::int64_t start = positions.front();
    const auto count = static_cast<std::int64_t>(positions.size());
    if (start < 0 || start > (std::int64_t{1} << 40)) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected a position from 0 on, got {}", start));
    }
    ET_ASSIGN(KvCacheContent * content, find(layer));
    std::vector<std::int64_t>& cached = content->positions;
    const std::int64_t expected = cached.empty() ? 0 : cached.back() + 1;
    const auto kept = static_cast<std::size_t>(std::ranges::lower_bound(cached, start) - cached.begin());
    if (settings.capacity > 0 && start > settings.capacity - count) {
        return core::fail(
            ErrorCode::Limit,
            fmt::format("{} of layer {} exceed{} the capacity of its KV cache, {} positions",
                        count == 1 ? fmt::format("position {}", start)
                                   : fmt::format("positions {} to {}", start, start + count - 1),
                        layer.layer, count == 1 ? "s" : "", settings.capacity));
    }
    ET_TRY(reserve(*content, kept + positions.size()));
    const bool keysDiffer = place(keys, kept * content->keyBytes(), content->keys);
    const bool valuesDiffer = place(values, kept * content->valueBytes(), content->values);
    cached.resize(kept);
    bool consecutive = true;
    for (std::int64_t i = 0; i < count; ++i) {
        consecutive = consecutive && positions[static_cast<std::size_t>(i)] == start + i;
        cached.push_back(start + i);
    }
    note({.layer = layer.layer,
          .start = start,
          .count = count,
          .expected = expected,
          .consecutive = consecutive},
         keysDiffer || valuesDiffer);
    return content;
}

}  // namespace et::kernels
