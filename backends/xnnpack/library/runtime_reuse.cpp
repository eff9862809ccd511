#include "backends/xnnpack/library/runtime_reuse.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>

namespace et::backends::xnnpack {
namespace {

std::size_t rowsOf(const ValueSizes& sizes, std::size_t nonbatchDims) {
    return std::accumulate(sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(nonbatchDims),
                           std::size_t{1}, std::multiplies<>());
}

}  // namespace

RuntimeReuse::RuntimeReuse(const Payload& from) : payload(&from) {
    for (std::size_t i = 0; i < payload->nodes.size(); ++i) {
        if (const auto limit = payload->nodes[i].traits->functions->limitReuse) {
            limit(*payload, i, limits);
        }
    }
    for (ValueIndex i = 0; i < payload->values.size(); ++i) {
        if (const auto* rows = std::get_if<PerTokenQuantization>(&payload->value(i).quantization)) {
            quantized.push_back({.value = i, .nonbatchDims = rows->nonbatchDims});
        }
    }
}

void RuntimeReuse::begin(const Shapes& shapes) {
    fixed = fixedOf(shapes);
    channels = channelsOf(shapes);
    sharing = sharingOf(shapes);
    for (Rows& each : quantized) {
        each.elements = elementsOf(shapes[each.value]);
        each.rows = rowsOf(shapes[each.value], each.nonbatchDims);
    }
}

bool RuntimeReuse::allows(const Shapes& shapes) {
    return fixedOf(shapes) == fixed && channelsOf(shapes) == channels && sharingOf(shapes) == sharing &&
           hasRowsFor(shapes);
}

std::vector<ValueSizes> RuntimeReuse::fixedOf(const Shapes& shapes) const {
    std::vector<ValueSizes> sizes;
    sizes.reserve(limits.fixed.size());
    std::ranges::transform(limits.fixed, std::back_inserter(sizes),
                           [&](ValueIndex value) { return shapes[value]; });
    return sizes;
}

std::vector<std::size_t> RuntimeReuse::channelsOf(const Shapes& shapes) const {
    std::vector<std::size_t> sizes;
    sizes.reserve(limits.fixedChannels.size());
    std::ranges::transform(limits.fixedChannels, std::back_inserter(sizes),
                           [&](ValueIndex value) { return shapes[value].back(); });
    return sizes;
}

/// An output gets the memory of an input that is as large when memory is planned, and keeps it when both are
/// planned with what they needed at most, which need not be the same.
std::vector<bool> RuntimeReuse::sharingOf(const Shapes& shapes) const {
    std::vector<bool> isAsLarge;
    for (const std::size_t index : limits.broadcasting) {
        const PayloadNode& node = payload->nodes[index];
        const std::size_t elements = elementsOf(shapes[node.outputs[0]]);
        for (const ValueIndex input : node.inputs) {
            isAsLarge.push_back(elementsOf(shapes[input]) == elements);
        }
    }
    return isAsLarge;
}

bool RuntimeReuse::hasRowsFor(const Shapes& shapes) {
    for (Rows& each : quantized) {
        const std::size_t rows = rowsOf(shapes[each.value], each.nonbatchDims);
        if (elementsOf(shapes[each.value]) > each.elements) {
            each.elements = elementsOf(shapes[each.value]);
            each.rows = rows;
        } else if (rows > each.rows) {
            return false;
        }
    }
    return true;
}

}  // namespace et::backends::xnnpack
