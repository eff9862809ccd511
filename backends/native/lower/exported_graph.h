#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/native/graph.h"

#include <cstdint>
#include <functional>

namespace et::backends::native {

/// The dtype of a constant in a record, which has no quantized tensors: core::scalarType() code.
using ConstantType = std::function<std::int8_t(const et::native::Constant& constant)>;

/// The graph of a method as an Edge graph: same names; nodes get debug handles counted from `lastHandle`.
/// Dynamic sizes with the same range are one symbol.
[[nodiscard]] etrecord::ExportedGraph exportedGraph(const et::native::Method& method,
                                                    const ConstantType& constantType,
                                                    std::uint32_t& lastHandle);

}  // namespace et::backends::native
