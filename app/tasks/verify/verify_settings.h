#pragma once

#include "app/tasks/run/argument_list.h"
#include "app/tasks/run/model_options.h"
#include "bundled_program/verify.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// Bundled programs come from anywhere: their models are confined as far as the kernel can.
[[nodiscard]] ModelOptions confinedModel();

/// What --steps, --sqnr, --cosine and --top1 ask for; nothing: not asked.
struct AskedLimits {
    std::optional<double> steps;   ///< of the output's quantization
    std::optional<double> sqnr;    ///< decibels
    std::optional<double> cosine;  ///< up to 1
    bool top1 = false;

    [[nodiscard]] bool any() const { return steps || sqnr || cosine || top1; }
    /// These, and of the others what these leave open.
    [[nodiscard]] AskedLimits over(const AskedLimits& others) const {
        return {.steps = steps ? steps : others.steps,
                .sqnr = sqnr ? sqnr : others.sqnr,
                .cosine = cosine ? cosine : others.cosine,
                .top1 = top1 || others.top1};
    }
};

/// How files are verified.
struct VerifySettings {
    ModelOptions model = confinedModel();
    bundled_program::VerifyOptions cases;
    std::vector<std::string> relative;    ///< --rtol: "1e-3", "float16=1e-2"
    std::vector<std::string> absolute;    ///< --atol
    AskedLimits limits;                   ///< of outputs as a whole
    std::filesystem::path toleranceFile;  ///< --tolerances; empty: none
    std::filesystem::path failures;       ///< folder for failed cases; empty: nowhere
    bool saveAll = false;                 ///< cases that pass, too
};

/// The tolerances that --rtol and --atol ask for. A number alone is for all floating dtypes and replaces what
/// single ones have by default. Errors: InvalidArgument.
[[nodiscard]] core::Result<bundled_program::Tolerances> tolerancesOf(const VerifySettings& settings);

/// The options that say the same, for another et-inspect; all but where files and reports are, and the
/// timeout, which is kept by what waits.
[[nodiscard]] std::vector<std::string> arguments(const VerifySettings& settings, PathStyle style);

}  // namespace et::app
