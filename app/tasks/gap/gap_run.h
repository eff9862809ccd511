#pragma once

#include "app/tasks/gap/stimuli.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/model.h"
#include "app/tasks/run/watch.h"
#include "backends/reference/interpreter.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/result.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::app {

/// What a gap is calculated of, as the command line says it.
struct GapSettings {
    std::filesystem::path program;  ///< empty: trace and debug buffer
    std::filesystem::path trace;
    std::filesystem::path debugBuffer;
    std::string inputs;  ///< --inputs; empty: the usual ones
    bool bisect = false;
    double tolerance = 1;  ///< of --bisect, times what rounding explains
    backends::reference::Precision precision = backends::reference::Precision::AsExported;
    bool keepsTensors = false;  ///< in the rows: they take as much memory as all that the model computes
    ModelOptions model;         ///< with the record
    const std::atomic<bool>* cancel = &InterruptionGuard::requested();  ///< once true: Cancelled
};

struct GapResult {
    /// One a set of inputs; the first one is what the rows show.
    std::vector<std::shared_ptr<const inspector::NumericGap>> gaps;
    std::vector<std::string> emulated;    ///< backends that were
    std::string emulationNote;            ///< what that means, for people
    std::vector<std::string> warnings{};  ///< files that contradict each other
};

/// Errors: InvalidArgument (a record of another program, whose values cannot be compared), those of the files
/// and of the calculation. Backends that are not there are emulated from the record.
[[nodiscard]] core::Result<GapResult> runGaps(const GapSettings& settings, Watch& watch);

}  // namespace et::app
