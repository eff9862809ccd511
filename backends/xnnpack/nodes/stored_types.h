#pragma once

#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <vector>

// Datatypes that values are computed and stored in. `widenHalf`: the CPU cannot compute fp16.
namespace et::backends::xnnpack {

/// Whether any value has fp16.
[[nodiscard]] bool hasHalf(const Payload& payload);

/// Datatype used for computing a value: fp32 for bfloat16, which the library lacks, and for fp16 on CPUs
/// without support.
[[nodiscard]] Datatype computedAs(Datatype type, bool widenHalf);

/// Datatype of a value in memory outside the library: the one it is computed in; fp32 for a dynamically
/// quantized value, which is stored dequantized.
[[nodiscard]] Datatype storedAs(Datatype type, bool widenHalf);

/// Bytes of a value of these sizes outside the library.
[[nodiscard]] std::size_t storedBytes(const Payload& payload, ValueIndex value, const ValueSizes& sizes,
                                      bool widenHalf);

/// By ValueIndex: bfloat16 values that must be rounded after their node computed them in fp32. PyTorch and
/// later libraries round at the end of each node. A value that is only read by a clamp is rounded after the
/// clamp instead, which gives the same numbers.
[[nodiscard]] std::vector<bool> roundedValues(const Payload& payload);

}  // namespace et::backends::xnnpack
