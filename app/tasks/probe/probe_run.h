#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/model/tolerance_options.h"
#include "app/tasks/probe/probe_set.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// Creates a probe set, or compares the results of one.
struct ProbeSettings {
    std::filesystem::path model;
    std::filesystem::path record;
    ModelOptions options;                   ///< method and inputs; for running: plugins, target, limits
    std::filesystem::path folder{};         ///< of the probe set; empty: found from `results`
    std::filesystem::path results{};        ///< outputs of a device; empty: creates a set
    bool run = false;                       ///< run all rounds and compare their outputs
    std::vector<std::string> only{};        ///< nodes, operators or modules; empty: all
    std::optional<std::size_t> delegate{};  ///< nothing: all
    std::optional<LowerBackend> backend{};  ///< nothing: that of the delegates
    std::size_t limit = 200;                ///< maximum number of probes
    ToleranceOptions tolerances{};
    ProgressOptions progress{};
};

/// Adds all options except those of the output.
void addProbeOptions(OptionList& options, ProbeSettings& settings);

struct ProbeResult {
    ProbeSet set;
    std::filesystem::path folder;
    std::size_t written = 0;  ///< probes of a new round, which have no results yet
    std::vector<std::string> warnings{};
};

/// The folder of the probe set: to be created, or that of the results. Errors: InvalidArgument (a file or
/// folder is missing; the folder has a probe set already).
[[nodiscard]] core::Result<std::filesystem::path> probeFolder(const ProbeSettings& settings);

/// Writes the first round of a set; with results, compares them and writes the next round; with `run`, runs
/// and compares rounds until nothing is left to narrow. Starts processes if `run`: call while there are no
/// threads. Errors: those of probeFolder(), probeSubjects(), judgeProbes(), loadProbeSet(); Cancelled; Io.
[[nodiscard]] core::Result<ProbeResult> runProbes(const ProbeSettings& settings);

}  // namespace et::tasks
