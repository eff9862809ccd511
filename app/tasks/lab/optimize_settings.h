#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/lab/optimize_budget.h"
#include "app/tasks/lab/quantized_variants.h"
#include "backends/xnnpack/quantize/scheme.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// Method for timing candidates.
enum class CandidateTimer : std::uint8_t {
    None,
    Here,     ///< run alternately on this machine
    Command,  ///< prints milliseconds
};

/// All available schemes.
[[nodiscard]] inline std::vector<backends::xnnpack::QuantizationScheme> allSchemes() {
    using backends::xnnpack::SchemeKind;
    return {{.kind = SchemeKind::Static8},
            {.kind = SchemeKind::Dynamic8},
            {.kind = SchemeKind::Dynamic4},
            {.kind = SchemeKind::Half},
            {.kind = SchemeKind::Weights8}};
}

struct OptimizePoint;
struct OptimizeResult;

struct OptimizeSettings {
    VariantSettings what{.record = {}, .calibration = {}, .evaluation = {}, .threads = 0};
    OptimizeBudget budget{};
    /// Schemes available to sites besides float; initially each site has the first one that it supports.
    std::vector<backends::xnnpack::QuantizationScheme> schemes = allSchemes();
    double seconds = 60;             ///< time limit; results so far are used; 0: only the initial schemes
    bool times = true;               ///< time candidates
    std::string command{};           ///< prints milliseconds; `{}` is replaced by the program
    std::size_t timingThreads = 1;   ///< for runs timed on this machine
    std::filesystem::path output{};  ///< program (.pte); empty: not written
    std::filesystem::path recordOutput{};  ///< record of that program; empty: not written
    ProgressOptions progress{};
    /// Called during the search for each built program, with the result so far.
    std::function<void(const OptimizeResult&, const OptimizePoint&)> found{};
    bool delegatesByTime = true;  ///< drop delegates of the chosen program that cost more time than they save

    [[nodiscard]] CandidateTimer timer() const {
        return !times            ? CandidateTimer::None
               : command.empty() ? CandidateTimer::Here
                                 : CandidateTimer::Command;
    }
};

/// Adds all options except the progress.
void addOptimizeOptions(OptionList& options, OptimizeSettings& settings);

}  // namespace et::tasks
