#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/lab/delegate_choice.h"
#include "app/tasks/model/model_options.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Measures operators outside delegates: their cost, and the time with them delegated to XNNPACK.
namespace et::tasks {

struct UndelegatedSettings {
    std::filesystem::path record;  ///< ETRecord with weights
    std::filesystem::path model;   ///< program whose delegated nodes are used; empty: nothing is delegated
    ModelOptions options;          ///< options for running programs; the inputs are for the first method
    std::size_t depth = 0;  ///< groups operators by this number of levels of their modules; 0: no grouping
    double seconds = 60;    ///< for all measurements; at least one is made
    ProgressOptions progress{};
};

/// An operator that runs as a kernel call, or all such operators of a module.
struct UndelegatedWork {
    std::vector<std::string> nodes;   ///< in the Edge graph: "aten_mul_scalar"
    std::vector<std::string> wanted;  ///< nodes that XNNPACK supports
    std::string op;                   ///< "aten.mul.Scalar"; "3 operators" for several
    std::string module;               ///< "layers.0.attention"; empty: the root
    std::string line;                 ///< "model.py:12", of the most expensive one; empty: not in the record
    std::string rule;  ///< why XNNPACK does not support the most expensive unsupported operator; empty: all
                       ///< are supported
    double nanoseconds = 0;  ///< current time per run
    /// Time per run in delegates of their own, including conversions at their boundaries; nothing: not
    /// measured, or they can only be delegated together with others.
    std::optional<double> alone{};
    /// Time saved per run by adding them to the existing delegates.
    std::optional<MeasuredGain> gain{};
};

struct UndelegatedReport {
    std::string method;
    std::size_t delegates = 0;  ///< now
    double total = 0;           ///< current nanoseconds per run
    /// Largest gain first, then the most expensive.
    std::vector<UndelegatedWork> works{};
    std::size_t operators = 0;  ///< number outside delegates
    std::optional<MeasuredGain>
        all{};  ///< with everything delegated that XNNPACK supports; nothing: that is already the case
    std::size_t unmeasured = 0;  ///< number of operators that XNNPACK supports but for which there was no
                                 ///< time
    std::vector<std::string> warnings{};

    /// Time of all operators outside delegates.
    [[nodiscard]] double outside() const;
};

/// Builds programs with the model's delegates from the record, with and without each operator, and runs them
/// alternately. Starts processes: must be called before there are threads. Errors: those of opening the
/// files, lower() and measurePrograms(); NotFound (no such method); Format (including a record of another
/// program); Cancelled.
[[nodiscard]] core::Result<UndelegatedReport> measureUndelegated(const UndelegatedSettings& settings);

}  // namespace et::tasks
