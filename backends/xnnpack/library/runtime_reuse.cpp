#include "backends/xnnpack/library/runtime_reuse.h"

#include <algorithm>
#include <cstddef>
#include <functional>
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
    const bool isAsked =
        !limits.fixed.empty() || !limits.fixedChannels.empty() || !limits.broadcasting.empty();
    first = isAsked ? shapes : Shapes{};
    for (Rows& each : quantized) {
        each.elements = elementsOf(shapes[each.value]);
        each.rows = rowsOf(shapes[each.value], each.nonbatchDims);
    }
}

bool RuntimeReuse::allows(const Shapes& shapes) {
    const auto isSame = [&](ValueIndex value) { return shapes[value] == first[value]; };
    const auto hasSameChannels = [&](ValueIndex value) {
        return shapes[value].back() == first[value].back();
    };
    return std::ranges::all_of(limits.fixed, isSame) &&
           std::ranges::all_of(limits.fixedChannels, hasSameChannels) && sharesAsBefore(shapes) &&
           hasRowsFor(shapes);
}

/// An output gets the memory of an input that is as large when memory is planned, and keeps it when both are
/// planned with what they needed at most, which need not be the same.
bool RuntimeReuse::sharesAsBefore(const Shapes& shapes) const {
    return std::ranges::all_of(limits.broadcasting, [&](std::size_t index) {
        const PayloadNode& node = payload->nodes[index];
        return std::ranges::all_of(node.inputs, [&](ValueIndex input) {
            const ValueIndex output = node.outputs[0];
            return (elementsOf(shapes[input]) == elementsOf(shapes[output])) ==
                   (elementsOf(first[input]) == elementsOf(first[output]));
        });
    });
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
