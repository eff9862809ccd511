#pragma once

#include "app/tasks/probe/probe_graph.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// A number among the arguments of a node.
struct ProbeNumber {
    std::size_t node = 0;
    std::size_t argument = 0;
    std::optional<std::size_t> item{};  ///< of a list
    bool operator==(const ProbeNumber&) const = default;
};

/// A dimension of a given value.
struct ProbeDimension {
    std::string value;
    std::size_t dimension = 0;
    bool operator==(const ProbeDimension&) const = default;
};

/// Dimensions of inputs and constants, and numbers among the arguments, that only change together.
struct ProbeAxis {
    std::string name;       ///< "input dim 1": argument of the operator that reads the first dimension
    std::int64_t size = 1;  ///< in the model
    std::vector<ProbeDimension> dimensions{};
    std::vector<ProbeNumber> numbers{};
};

/// The sizes of a graph that can be changed: found by running it with other sizes.
[[nodiscard]] std::vector<ProbeAxis> axesOf(const ProbeGraph& probe);

/// The graph with another size of an axis: elements are repeated or left out. Errors: Limit (more than
/// `maxElements`), those of computeProbe().
[[nodiscard]] core::Result<ProbeGraph> resizedProbe(const ProbeGraph& probe, const ProbeAxis& axis,
                                                    std::int64_t size, std::int64_t maxElements);

/// The graph with a NaN in each floating-point input; nothing if it has none. Errors: those of
/// computeProbe().
[[nodiscard]] core::Result<std::optional<ProbeGraph>> probeWithNan(const ProbeGraph& probe);

}  // namespace et::tasks
