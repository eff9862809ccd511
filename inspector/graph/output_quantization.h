#pragma once

#include "runtime/core/graph.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/method.h"

#include <optional>
#include <vector>

namespace et::inspector {

/// Influence of quantized activations on an output: integers for results, not weights. Two correct machines
/// may round these one step apart. 16-bit floats on the path to it are rounded, too.
struct OutputQuantization {
    bool activations = false;  ///< there are some on the path to it
    /// A float computation between two of them, which turns a step of one into any number of steps of the
    /// next.
    bool floatsBetween = false;
    /// Value of one step of the output's integers; empty: it does not consist of dequantized integers, or
    /// they have more than one scale, or one computed at run time.
    std::optional<double> step{};
    /// Half or BFloat16: the least precise float that is computed on the path to it; empty: neither.
    std::optional<core::ScalarType> reducedFloat{};
};

/// One entry per output of the method, in order; `graph` is its programGraph().
[[nodiscard]] std::vector<OutputQuantization> outputQuantization(const core::ModelGraph& graph,
                                                                 const program::Method& method);

}  // namespace et::inspector
