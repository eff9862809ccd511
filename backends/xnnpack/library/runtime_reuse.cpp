#include "backends/xnnpack/library/runtime_reuse.h"

#include <cstddef>
#include <functional>
#include <numeric>

namespace et::backends::xnnpack {
namespace {

std::size_t rowsOf(const ValueSizes& sizes, std::size_t nonbatchDims) {
    return std::accumulate(sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(nonbatchDims),
                           std::size_t{1}, std::multiplies<>());
}

/// Whether the library plans memory for the value: neither a constant nor an argument.
bool isPlanned(const PayloadValue& value) {
    return value.constant == 0 && !value.isInput && !value.isOutput;
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
    kept = keptOf(shapes);
    for (Rows& each : quantized) {
        each.elements = elementsOf(shapes[each.value]);
        each.rows = rowsOf(shapes[each.value], each.nonbatchDims);
    }
}

bool RuntimeReuse::allows(const Shapes& shapes) {
    return keptOf(shapes) == kept && hasRowsFor(shapes);
}

RuntimeReuse::Kept RuntimeReuse::keptOf(const Shapes& shapes) const {
    Kept made;
    for (const ValueIndex value : limits.fixed) {
        made.fixed.push_back(shapes[value]);
    }
    for (const ValueIndex value : limits.fixedChannels) {
        made.channels.push_back(shapes[value].back());
    }
    for (const std::size_t index : limits.broadcasting) {
        const PayloadNode& node = payload->nodes[index];
        const std::size_t elements = elementsOf(shapes[node.outputs[0]]);
        for (const ValueIndex input : node.inputs) {
            const bool isShared =
                isPlanned(payload->value(input)) && isPlanned(payload->value(node.outputs[0]));
            made.isAsLarge.push_back(isShared && elementsOf(shapes[input]) == elements);
        }
    }
    return made;
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
