#include "backends/lowering/weight_store.h"

#include "runtime/core/mapped_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace et::backends::lowering {

namespace {

std::size_t hashOf(core::Bytes bytes) {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

void WeightStore::keep(std::string_view name, core::Bytes bytes) {
    const auto [place, isNew] = blobs.emplace(std::string(name), bytes);
    if (isNew) {
        byHash.emplace(hashOf(bytes), place->first);
        core::releaseMappedPages(bytes);
    }
}

std::string WeightStore::add(core::Bytes bytes, std::string_view hint) {
    const std::size_t hash = hashOf(bytes);
    const auto [first, last] = byHash.equal_range(hash);
    for (auto each = first; each != last; ++each) {
        if (std::ranges::equal(blobs.at(each->second), bytes)) {
            return each->second;
        }
    }
    std::string name(hint);
    for (std::size_t number = 2; blobs.contains(name); ++number) {
        name = fmt::format("{}.{}", hint, number);
    }
    blobs.emplace(name, copies.emplace_back(bytes.begin(), bytes.end()));
    byHash.emplace(hash, name);
    return name;
}

}  // namespace et::backends::lowering
