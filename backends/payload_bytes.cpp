#include "backends/payload_bytes.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>

namespace et::backends {

void ByteCoverage::add(const void* start, std::size_t size) {
    const auto* const at = static_cast<const std::byte*>(start);
    if (at < payload.data() || at >= payload.data() + payload.size()) {
        return;
    }
    const auto first = static_cast<std::size_t>(at - payload.data());
    ranges.emplace_back(first, first + std::min(size, payload.size() - first));
}

void ByteCoverage::addTable(const flatbuffers::Table& table) {
    const std::uint8_t* const vtable = table.GetVTable();
    const auto vtableSize = flatbuffers::ReadScalar<flatbuffers::voffset_t>(vtable);
    add(vtable, vtableSize);
    const bool hasSize = vtableSize >= 2 * sizeof(flatbuffers::voffset_t);
    add(&table, hasSize
                    ? flatbuffers::ReadScalar<flatbuffers::voffset_t>(vtable + sizeof(flatbuffers::voffset_t))
                    : sizeof(flatbuffers::soffset_t));
}

PayloadBytes ByteCoverage::count() const {
    auto sorted = ranges;
    std::ranges::sort(sorted);
    PayloadBytes bytes;
    std::size_t at = 0;
    const auto gapUntil = [&](std::size_t end) {
        const core::Bytes gap = payload.subspan(at, end - at);
        const bool isZero = std::ranges::all_of(gap, [](std::byte each) { return each == std::byte{}; });
        (isZero ? bytes.padding : bytes.opaque) += gap.size();
    };
    for (const auto& [start, end] : sorted) {
        if (start > at) {
            gapUntil(start);
            at = start;
        }
        bytes.known += end > at ? end - at : 0;
        at = std::max(at, end);
    }
    gapUntil(payload.size());
    return bytes;
}

}  // namespace et::backends
