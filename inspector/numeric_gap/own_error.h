#pragma once

#include "backends/reference/interpreter.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/units.h"
#include "inspector/numeric_gap/verdict.h"
#include "runtime/core/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Nodes and inputs of a unit's replay.
struct Replay {
    std::vector<etrecord::NodeIndex> nodes;  ///< in graph order, without constant ones
    std::vector<std::string> inputs;         ///< names of the given values
    OwnError error;
};

/// Replays single values of the graph on the inputs they had in the runtime.
class Replayer {
  public:
    /// All arguments are borrowed. `interpreter` is for the same graph, and has not run if the graph mutates
    /// buffers. `values`: of the reference's run. `tolerance`: multiple of the allowed error that still
    /// counts as rounding.
    Replayer(backends::reference::Interpreter& interpreter, const GraphWalk& graph, const GraphValues& values,
             double tolerance = 1);

    /// Registers the runtime's values of these units, in execution order. Errors: those of tensors.
    [[nodiscard]] core::Result<> know(std::span<const GapUnit> units);

    /// Replays the nodes between the nearest known values and the unit's value. Errors: as
    /// Interpreter::replay().
    [[nodiscard]] core::Result<Replay> replay(const GapUnit& unit);

    /// Removes the values of a place from the known values and returns them.
    GraphValues forget(const MappedValue& place);
    /// Adds values of the graph to the known values.
    void know(GraphValues values) { known.merge(std::move(values)); }
    /// Removes an input of the graph from the known values.
    void forget(std::string_view input) { known.erase(std::string(input)); }
    /// Computes values of the graph from the known values. Errors: as Interpreter::evaluate().
    [[nodiscard]] core::Result<GraphValues> evaluate(std::span<const std::string> wanted) const {
        return interpreter.evaluate(wanted, known);
    }

  private:
    struct Closure {
        std::vector<etrecord::NodeIndex> nodes;
        GraphValues given;
        std::vector<std::string> constants;  ///< values that depend only on weights and are not known
    };
    [[nodiscard]] Closure findClosure(std::string_view value) const;
    [[nodiscard]] core::Result<> addConstants(Closure& closure) const;
    [[nodiscard]] core::Result<OwnError> explained(const GapUnit& unit, const Closure& closure,
                                                   OwnError error);
    [[nodiscard]] core::Result<OwnError> compare(const GapUnit& unit, const Closure& closure,
                                                 const GraphValues& replayed);
    [[nodiscard]] core::Result<bool> readUnrounded(const GapUnit& unit, const Closure& closure,
                                                   const GraphValues& replayed);
    /// One value of both sides in comparable form and equal shape.
    struct Sides {
        const ReferenceTensor& runtime;
        const ReferenceTensor& replayed;
        const ReferenceTensor& reference;
    };
    [[nodiscard]] core::Result<OwnError> judged(const GapUnit& unit, const Closure& closure,
                                                const GraphValues& values, const Sides& sides);
    [[nodiscard]] LegalError computeLegalError(const Computation& computation, double magnitude) const;
    [[nodiscard]] Computation makeComputation(const GapUnit& unit, const Closure& closure,
                                              core::ScalarType dtype, bool isRounded) const;

    backends::reference::Interpreter& interpreter;
    const GraphWalk& graph;
    const GraphValues& reference;
    double tolerance;
    GraphValues known;  ///< the runtime's values, and the inputs of the graph
    /// Converted numbers of the compared value, if they cannot be read directly. Reused, so large tensors
    /// allocate only once.
    struct {
        std::vector<double> runtime;
        std::vector<double> replayed;
        std::vector<double> unrounded;
        std::vector<double> reference;
    } numbers;
};

}  // namespace et::inspector
