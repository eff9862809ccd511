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

/// What a unit was replayed as.
struct Replay {
    std::vector<etrecord::NodeIndex> nodes;  ///< in graph order, without those that are constant
    std::vector<std::string> inputs;         ///< values that they were given
    OwnError error;
};

/// Replays single values of the graph on what the runtime fed them.
class Replayer {
  public:
    /// All is borrowed. `interpreter` is of the same graph, and has not run if the graph mutates buffers.
    /// `values`: of the reference's run. `tolerance`: how many times the legal error is taken for rounding.
    Replayer(backends::reference::Interpreter& interpreter, const GraphWalk& graph, const GraphValues& values,
             double tolerance = 1);

    /// Says what the runtime had for the values of these units, in execution order. Errors: those of tensors.
    [[nodiscard]] core::Result<> know(std::span<const GapUnit> units);

    /// The nodes between the unit's value and what is known before it. Errors: as Interpreter::replay().
    [[nodiscard]] core::Result<Replay> replay(const GapUnit& unit);

    /// Makes an input of the graph unknown.
    void forget(std::string_view input) { known.erase(std::string(input)); }
    /// Values of the graph, computed from what is known. Errors: as Interpreter::evaluate().
    [[nodiscard]] core::Result<GraphValues> evaluate(std::span<const std::string> wanted) const {
        return interpreter.evaluate(wanted, known);
    }

  private:
    struct Closure {
        std::vector<etrecord::NodeIndex> nodes;
        GraphValues given;
    };
    [[nodiscard]] Closure closureOf(std::string_view value) const;
    [[nodiscard]] core::Result<OwnError> explained(const GapUnit& unit, const Closure& closure,
                                                   OwnError error);
    [[nodiscard]] core::Result<OwnError> compare(const GapUnit& unit, const Closure& closure,
                                                 const GraphValues& replayed);
    [[nodiscard]] core::Result<bool> readUnrounded(const GapUnit& unit, const Closure& closure,
                                                   const GraphValues& replayed);
    /// One value in the form in which it is compared, of one shape.
    struct Sides {
        const ReferenceTensor& runtime;
        const ReferenceTensor& replayed;
        const ReferenceTensor& reference;
    };
    [[nodiscard]] core::Result<OwnError> judged(const GapUnit& unit, const Closure& closure,
                                                const GraphValues& values, const Sides& sides);
    [[nodiscard]] LegalError legalOf(const Computation& computation, double magnitude) const;
    [[nodiscard]] Computation computationOf(const GapUnit& unit, const Closure& closure,
                                            bool isRounded) const;

    backends::reference::Interpreter& interpreter;
    const GraphWalk& graph;
    const GraphValues& reference;
    double tolerance;
    GraphValues known;  ///< what the runtime had, and the inputs of the graph
    /// Numbers of the value that is compared, where they do not lie there as they are. Large tensors one
    /// after the other: memory is taken once.
    struct {
        std::vector<double> runtime;
        std::vector<double> replayed;
        std::vector<double> unrounded;
        std::vector<double> reference;
    } numbers;
};

}  // namespace et::inspector
