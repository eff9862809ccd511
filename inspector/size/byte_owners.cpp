#include "inspector/size/byte_owners.h"

#include <algorithm>
#include <iterator>

namespace et::inspector {

void ByteOwners::paint(std::uint64_t offset, std::uint64_t bytes, std::size_t owner) {
    if (offset >= total || bytes == 0) {
        return;
    }
    const std::uint64_t end = offset + std::min(bytes, total - offset);
    // Bytes after the end keep their owner.
    if (end < total) {
        const std::size_t behind = std::prev(starts.upper_bound(end))->second;
        starts.emplace(end, behind);
    }
    starts.erase(starts.lower_bound(offset), starts.lower_bound(end));
    starts.emplace(offset, owner);
}

std::vector<std::uint64_t> ByteOwners::sums(std::size_t owners) const {
    std::vector<std::uint64_t> out(owners, 0);
    for (auto at = starts.begin(); at != starts.end(); ++at) {
        const auto next = std::next(at);
        out[at->second] += (next == starts.end() ? total : next->first) - at->first;
    }
    return out;
}

}  // namespace et::inspector
