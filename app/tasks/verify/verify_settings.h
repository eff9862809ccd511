#pragma once

#include "app/tasks/run/model_options.h"
#include "bundled_program/verify.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace et::app {

/// Bundled programs come from anywhere: their models are confined as far as the kernel can.
[[nodiscard]] ModelOptions confinedModel();

/// How files are verified.
struct VerifySettings {
    ModelOptions model = confinedModel();
    bundled_program::VerifyOptions cases;
    std::vector<std::string> relative;    ///< --rtol: "1e-3", "float16=1e-2"
    std::vector<std::string> absolute;    ///< --atol
    std::filesystem::path toleranceFile;  ///< --tolerances; empty: none
    std::filesystem::path failures;       ///< folder for failed cases; empty: nowhere
    bool saveAll = false;                 ///< cases that pass, too
};

/// The tolerances that --rtol and --atol ask for. A number alone is for all floating dtypes and replaces what
/// single ones have by default. Errors: InvalidArgument.
[[nodiscard]] core::Result<bundled_program::Tolerances> tolerancesOf(const VerifySettings& settings);

enum class PathStyle : std::uint8_t { AsGiven, Absolute };

/// The options that say the same, for another et-inspect; all but where files and reports are, and the
/// timeout, which is kept by what waits.
[[nodiscard]] std::vector<std::string> arguments(const VerifySettings& settings, PathStyle style);

}  // namespace et::app
