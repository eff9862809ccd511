#include "backends/lowering/weight_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace et::backends::lowering {

std::string WeightStore::add(core::Bytes bytes, std::string_view hint) {
    const std::size_t hash =
        std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
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
    blobs.emplace(name, std::vector<std::byte>(bytes.begin(), bytes.end()));
    byHash.emplace(hash, name);
    return name;
}

}  // namespace et::backends::lowering
