#pragma once

#include "app/tasks/lab/optimize_budget.h"
#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/run/watch.h"
#include "backends/xnnpack/quantize/scheme.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace et::app {

/// How the time of candidates is found.
enum class CandidateTimer : std::uint8_t {
    None,
    Here,     ///< they run on this machine, in turns
    Command,  ///< prints milliseconds
};

/// All that there is.
[[nodiscard]] inline std::vector<backends::xnnpack::QuantizationScheme> allSchemes() {
    using backends::xnnpack::SchemeKind;
    return {{.kind = SchemeKind::Static8},
            {.kind = SchemeKind::Dynamic8},
            {.kind = SchemeKind::Dynamic4},
            {.kind = SchemeKind::Half},
            {.kind = SchemeKind::Weights8}};
}

struct OptimizeSettings {
    VariantSettings what{.record = {}, .calibration = {}, .evaluation = {}, .threads = 0};
    OptimizeBudget budget{};
    /// That sites may have beside float: at first each has the first one that it takes.
    std::vector<backends::xnnpack::QuantizationScheme> schemes = allSchemes();
    double seconds = 60;  ///< for the search; what it has found then counts
    CandidateTimer timer = CandidateTimer::Here;
    std::string command{};                 ///< with `{}` for the program
    std::size_t timingThreads = 1;         ///< of a run that is timed here
    std::filesystem::path output{};        ///< program (.pte); empty: nothing is written
    std::filesystem::path recordOutput{};  ///< the record of that program; empty: none is written
    ProgressOptions progress{};
    bool delegatesByTime = true;  ///< of what is chosen, delegates that cost more than they win are left out
};

}  // namespace et::app
