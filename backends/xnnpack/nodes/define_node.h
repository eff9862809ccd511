#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <xnnpack.h>

#include <array>
#include <cstdint>

namespace et::backends::xnnpack {

/// A node with the library's ids for its values.
struct NodeToDefine {
    xnn_subgraph_t graph;
    const PayloadNode& node;
    std::array<std::uint32_t, 5> inputs;  ///< XNN_INVALID_VALUE_ID: omitted
    std::array<std::uint32_t, 2> outputs;
    OutputRange range;

    template <class Fields>
    [[nodiscard]] const Fields& fields() const {
        return std::get<Fields>(node.fields);
    }
};

}  // namespace et::backends::xnnpack
