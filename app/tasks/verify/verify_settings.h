#pragma once

#include "app/tasks/base/option_list.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/model/tolerance_options.h"
#include "bundled_program/verify.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace et::tasks {

/// Limits requested by --steps, --sqnr, --cosine and --top1; nothing: not requested.
struct AskedLimits {
    std::optional<double> steps;   ///< quantization steps of the output
    std::optional<double> sqnr;    ///< decibels
    std::optional<double> cosine;  ///< at most 1
    bool top1 = false;

    [[nodiscard]] bool any() const { return steps || sqnr || cosine || top1; }
    /// These limits, with unset ones taken from `others`.
    [[nodiscard]] AskedLimits over(const AskedLimits& others) const {
        return {.steps = steps ? steps : others.steps,
                .sqnr = sqnr ? sqnr : others.sqnr,
                .cosine = cosine ? cosine : others.cosine,
                .top1 = top1 || others.top1};
    }
};

/// Settings for verifying files.
struct VerifySettings {
    ModelOptions model;
    bundled_program::VerifyOptions cases;
    ToleranceOptions tolerances;
    AskedLimits limits;                   ///< on whole outputs
    std::filesystem::path toleranceFile;  ///< --tolerances; empty: none
    std::filesystem::path failures;       ///< folder for failed cases; empty: not saved
    bool saveAll = false;                 ///< also save cases that pass
};

/// Adds all options except those of the files, processes and reports.
void addVerifyOptions(OptionList& options, VerifySettings& settings);
/// Adds --save-failures and --save-all.
void addSavedCases(OptionList& options, VerifySettings& settings);

/// Converts the settings to options for another et-inspect, except the paths of files and reports, and the
/// timeout, which the waiting process enforces.
[[nodiscard]] CommandArguments arguments(const VerifySettings& settings, PathStyle style);

}  // namespace et::tasks
