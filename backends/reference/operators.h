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

/// What a graph says of one result of a node.
struct ResultKind {
    enum class Kind : std::uint8_t { None, Tensor, Tensors, Number };
    Kind kind = Kind::None;
    std::vector<core::ScalarType> dtypes;  ///< of the tensor, or one for each of the tensors
};

/// Computes an operator that has no kernel of its own out of others. `arguments` in the order of the
/// operator's schema, as many as its row declares.
using Compose = core::Result<std::vector<ReferenceValue>> (*)(Calls& calls,
                                                              std::span<const ReferenceValue> arguments,
                                                              std::span<const ResultKind> results);

/// One operator of the Edge and ATen dialects: what our runtime computes it with.
struct Operator {
    std::string_view name;  ///< "aten.add.Tensor": the target without the dialect
    /// The arguments of its kernel in the schema's order, each `name` or `name=default`; behind "->" the
    /// dtypes of results that the graph says nothing of: "same" as the first tensor (the default) or a
    /// dtype's name. From aten/src/ATen/native/native_functions.yaml.
    std::string_view arguments;
    std::string_view kernel;    ///< "aten::add.out"; empty where it is composed
    Compose compose = nullptr;  ///< null where it has a kernel
    bool view = false;          ///< of a composed one: the result shares the memory of the first argument
};

/// The rows that go to kernels; the others are composed, each in the file of its name.
[[nodiscard]] std::span<const Operator> kernelOperators();
[[nodiscard]] std::span<const Operator> elementwiseOperators();
[[nodiscard]] std::span<const Operator> composedElementwise();
[[nodiscard]] std::span<const Operator> composedShapes();
[[nodiscard]] std::span<const Operator> composedLayers();
[[nodiscard]] std::span<const Operator> composedAttention();
[[nodiscard]] std::span<const Operator> composedReductions();
[[nodiscard]] std::span<const Operator> composedQuantized();
[[nodiscard]] std::span<const Operator> composedRecurrent();
[[nodiscard]] std::span<const Operator> composedIndexing();
[[nodiscard]] std::span<const Operator> composedFunctions();
[[nodiscard]] std::span<const Operator> composedEinsum();
[[nodiscard]] std::span<const Operator> composedArrangements();
[[nodiscard]] std::span<const Operator> acceleratorOperators();

/// All tables of operators.
[[nodiscard]] std::span<const std::span<const Operator>> operatorTables();

/// How a node computes.
struct ResolvedOperator {
    const Operator* row = nullptr;  ///< null: an unknown operator
    bool inPlace = false;           ///< the result replaces the first argument ("add_")
    bool view = false;              ///< the result shares the memory of the first argument ("select")
};

/// Looks a target up, also as the functional form of an operator that works in place, and as the copying
/// form of a view.
[[nodiscard]] ResolvedOperator resolveOperator(std::string_view target);

/// "aten.add.Tensor" for "executorch.exir.dialects.edge.ops.aten.add.Tensor" and "torch.ops.aten.add.Tensor".
[[nodiscard]] std::string_view plainTarget(std::string_view target);

/// One argument as a row declares it.
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
