#pragma once

#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/payload/payload.h"

#include <xnnpack.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace et::backends::xnnpack {

/// Sizes in the form that the library accepts.
struct Dims {
    std::array<std::size_t, XNN_MAX_TENSOR_DIMS> sizes{};
    std::size_t rank = 0;
};

/// At most XNN_MAX_TENSOR_DIMS sizes.
[[nodiscard]] Dims dimsOf(std::span<const std::size_t> sizes);

/// Invalid for a datatype that the library lacks.
[[nodiscard]] xnn_datatype libraryType(Datatype type);

/// Marks a value as an external input or output.
struct ValueEnds {
    std::uint32_t externalId = XNN_INVALID_VALUE_ID;
    std::uint32_t flags = 0;
};

/// A value of the payload to add to the library's graph with these sizes.
struct ValueToDefine {
    xnn_subgraph_t graph;
    const PayloadValue& value;
    ValueIndex index;
    const ConstantData& constants;
    const Dims& dims;
    ValueEnds ends;
    bool widenHalf;  ///< compute fp16 as fp32
};

/// Adds the value with the payload's quantization. Sets `id` to the library's id.
[[nodiscard]] xnn_status defineLibraryValue(const ValueToDefine& what, std::uint32_t& id);

}  // namespace et::backends::xnnpack
