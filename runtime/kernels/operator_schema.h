#pragma once

#include "runtime/core/cost.h"

#include <array>
#include <span>
#include <string_view>

// The table of operators: a row for each registered kernel. Nothing reads it when a program is loaded or run.
namespace et::kernels {

using core::Cost;

/// OperatorSchema::functional of operators without a functional overload, or with several names for one.
inline constexpr std::string_view noFunctional = "-";

struct OperatorSchema {
    std::string_view name;  ///< "aten::add.out"
    /// Arguments without outs in order, each `name` or `name=default`; after "->", the dtypes of results that
    /// an exported graph does not describe: "same" for that of the first tensor (the default), or a dtype's
    /// name. From aten/src/ATen/native/native_functions.yaml, and the libraries that ExecuTorch adds.
    std::string_view arguments;
    Cost cost = Cost::Unknown;
    /// Overload without outs that exported graphs call: "Tensor" for "aten::add.out". If empty, "default" for
    /// the overload "out", "X" for "X_out", and none for others.
    std::string_view functional = {};
};

/// Schemas of the operators of ATen, and of those of other libraries; both sorted by name.
[[nodiscard]] std::array<std::span<const OperatorSchema>, 2> operatorSchemas();

/// Returns the schema of an operator, or that of its first overload if the overload is unknown or missing;
/// null for an unknown operator.
[[nodiscard]] const OperatorSchema* findSchema(std::string_view name);

}  // namespace et::kernels
