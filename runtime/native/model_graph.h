#pragma once

#include "runtime/core/graph.h"
#include "runtime/native/graph.h"
#include "runtime/native/read_graph.h"

#include <string>
#include <string_view>

namespace et::native {

/// Attributes of values in the graph.
inline constexpr std::string_view keyAttribute = "data name";  ///< of a stored tensor or a mutable buffer
inline constexpr std::string_view codecAttribute = "quantization";  ///< quantizationText()
inline constexpr std::string_view stateAttribute = "state";    ///< "zero at load", "stored initial value"
inline constexpr std::string_view writesAttribute = "writes";  ///< key of the buffer that a value replaces

/// "float32 [2, 3..9, 12]"; an unbounded size is "2..".
[[nodiscard]] std::string typeText(const TensorMeta& meta);

/// "aten.add.Tensor" for "torch.ops.aten.add.Tensor".
[[nodiscard]] std::string_view operatorName(std::string_view target);

/// The graph of a method: its calls in order, with arguments that are no tensors as attributes, and subgraphs
/// as groups. Constants have their bytes if `find` has them, which the graph borrows. A value that is written
/// in place becomes a new value. `isDelegate`: user inputs, then user outputs, have their number as argument
/// of the delegate call.
[[nodiscard]] core::ModelGraph modelGraph(const Method& method, const FindTensor& find,
                                          bool isDelegate = false);

}  // namespace et::native
