#pragma once

#include "runtime/core/graph.h"
#include "runtime/program/method.h"

#include <optional>
#include <vector>

namespace et::inspector {

/// What an output owes to quantized activations: integers that stand for results, not for weights. Two
/// machines that are both right may round these one step apart.
struct OutputQuantization {
    bool activations = false;  ///< there are some on the way to it
    /// Something computed with floats between two of them, which turns a step of one into any number of the
    /// next.
    bool floatsBetween = false;
    /// What one step of the output's own integers is worth; nothing: it is none of them made float, or they
    /// have more than one scale, or one that is found at run time.
    std::optional<double> step{};
};

/// For each output of the method in its order; `graph` is programGraph() of it.
[[nodiscard]] std::vector<OutputQuantization> outputQuantization(const core::ModelGraph& graph,
                                                                 const program::Method& method);

}  // namespace et::inspector
