#include "backends/xnnpack/library/runtime_reuse.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

namespace et::backends::xnnpack {
namespace {

std::size_t product(std::span<const std::size_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

std::size_t elements(const ValueSizes& sizes) {
    return product(std::span<const std::size_t>(sizes));
}

std::size_t rowsOf(const ValueSizes& sizes, std::size_t nonbatchDims) {
    return product(std::span<const std::size_t>(sizes).first(sizes.size() - nonbatchDims));
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
    first = shapes;
    for (Rows& each : quantized) {
        each.elements = elements(shapes[each.value]);
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
            return (elements(shapes[input]) == elements(shapes[output])) ==
                   (elements(first[input]) == elements(first[output]));
        });
    });
}

bool RuntimeReuse::hasRowsFor(const Shapes& shapes) {
    for (Rows& each : quantized) {
        const std::size_t rows = rowsOf(shapes[each.value], each.nonbatchDims);
        if (elements(shapes[each.value]) > each.elements) {
            each.elements = elements(shapes[each.value]);
            each.rows = rows;
        } else if (rows > each.rows) {
            return false;
        }
    }
    return true;
}

}  // namespace et::backends::xnnpack
