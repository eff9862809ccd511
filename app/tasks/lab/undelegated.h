#pragma once

#include "app/tasks/lab/measured_gain.h"
#include "app/tasks/run/model_options.h"
#include "app/tasks/run/watch.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// What runs outside of delegates, what it costs, and what XNNPACK would take for it: measured, not modelled.
namespace et::app {

struct UndelegatedSettings {
    std::filesystem::path record;  ///< ETRecord with the weights
    std::filesystem::path model;   ///< what it delegates is delegated; empty: nothing is
    ModelOptions options;          ///< how programs run; the inputs are of the first method
    std::size_t depth = 0;  ///< operators are taken together by so many levels of their module; 0: each alone
    double seconds = 60;    ///< for all measurements; one is made at least
    ProgressOptions progress{};
};

/// An operator that runs as a call of a kernel, or those of a module.
struct UndelegatedWork {
    std::vector<std::string> nodes;   ///< of the Edge graph: "aten_mul_scalar"
    std::vector<std::string> wanted;  ///< those that XNNPACK would take
    std::string op;                   ///< "aten.mul.Scalar"; of several "3 operators"
    std::string module;               ///< "layers.0.attention"; empty: the root
    std::string line;                 ///< "model.py:12", of the most costly; empty: the record has none
    std::string rule;  ///< why XNNPACK does not take the most costly that it does not; empty: it takes all
    double nanoseconds = 0;  ///< of a run, now
    /// Of a run, as delegates that have nothing else in them, conversions at their borders included; nothing:
    /// not measured, or it goes into a delegate with others only.
    std::optional<double> alone{};
    /// With its neighbours: what the run saves with it in the delegates that there are.
    std::optional<MeasuredGain> gain{};
};

struct UndelegatedReport {
    std::string method;
    std::size_t delegates = 0;  ///< now
    double total = 0;           ///< nanoseconds of a run, now
    /// Most to win first, then the most costly.
    std::vector<UndelegatedWork> works{};
    std::size_t operators = 0;  ///< outside of delegates
    std::optional<MeasuredGain>
        all{};                   ///< with all that XNNPACK takes in delegates; nothing: it takes no more
    std::size_t unmeasured = 0;  ///< operators that XNNPACK would take, for which there was no time
    std::vector<std::string> warnings{};

    /// Of all operators outside of delegates.
    [[nodiscard]] double outside() const;
};

/// Programs with the delegates of the model are made of the record, with and without each operator, and run
/// in turns. Starts processes: call it while there are no threads. Errors: those of the files, lower() and
/// measurePrograms(); NotFound (no such method); Format (also: the record is of another program); Cancelled.
[[nodiscard]] core::Result<UndelegatedReport> measureUndelegated(const UndelegatedSettings& settings);

}  // namespace et::app
