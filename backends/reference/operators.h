#pragma once

#include "backends/reference/reference_value.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::reference {

class Calls;

/// Kind and dtype that a graph states for one result of a node.
struct ResultKind {
    enum class Kind : std::uint8_t { None, Tensor, Tensors, Number };
    Kind kind = Kind::None;
    std::vector<core::ScalarType> dtypes;  ///< of the tensor, or one per tensor of a list
};

/// Composes an operator without a kernel from others. `arguments`: all that its row declares, in the order of
/// the operator's schema.
using Compose = core::Result<std::vector<ReferenceValue>> (*)(Calls& calls,
                                                              std::span<const ReferenceValue> arguments,
                                                              std::span<const ResultKind> results);

/// An operator of the Edge and ATen dialects, and how the runtime computes it.
struct Operator {
    std::string_view name;  ///< "aten.add.Tensor": the target without the dialect prefix
    /// As kernels::OperatorSchema::arguments; from aten/src/ATen/native/native_functions.yaml.
    std::string_view arguments;
    std::string_view kernel;    ///< "aten::add.out"; empty if composed
    Compose compose = nullptr;  ///< null if it has a kernel
    bool view = false;  ///< for a composed operator: the result shares the memory of the first argument
};

/// Operators with kernels; the other tables contain composed operators, each defined in the file of that
/// name.
[[nodiscard]] std::span<const Operator> kernelOperators();
[[nodiscard]] std::span<const Operator> composedElementwise();
[[nodiscard]] std::span<const Operator> composedShapes();
[[nodiscard]] std::span<const Operator> composedLayers();
[[nodiscard]] std::span<const Operator> composedAttention();
[[nodiscard]] std::span<const Operator> composedReductions();
[[nodiscard]] std::span<const Operator> composedQuantized();
[[nodiscard]] std::span<const Operator> composedRecurrent();
[[nodiscard]] std::span<const Operator> composedIndexing();
[[nodiscard]] std::span<const Operator> composedEinsum();
[[nodiscard]] std::span<const Operator> composedArrangements();
[[nodiscard]] std::span<const Operator> composedMlx();
[[nodiscard]] std::span<const Operator> composedMlxProducts();
[[nodiscard]] std::span<const Operator> composedMlxRandom();

/// All operator tables.
[[nodiscard]] std::span<const std::span<const Operator>> operatorTables();

/// Result of resolving a node's target.
struct ResolvedOperator {
    const Operator* row = nullptr;  ///< null for an unknown operator
    bool inPlace = false;           ///< the result replaces the first argument ("add_")
    bool view = false;              ///< the result shares the memory of the first argument ("select")
};

/// Resolves a target. In-place operators resolve to their functional form, and views to their copying form.
[[nodiscard]] ResolvedOperator resolveOperator(std::string_view target);

/// "aten.add.Tensor" for "executorch.exir.dialects.edge.ops.aten.add.Tensor" and "torch.ops.aten.add.Tensor".
[[nodiscard]] std::string_view plainTarget(std::string_view target);

/// An argument declared by a row.
struct DeclaredArgument {
    std::string_view name;
    bool hasDefault = false;
    ReferenceValue defaultValue{};
};
struct OperatorSignature {
    std::vector<DeclaredArgument> arguments;
    std::vector<std::string_view> resultTypes;  ///< behind "->"
};
[[nodiscard]] OperatorSignature signatureOf(const Operator& row);

}  // namespace et::backends::reference
