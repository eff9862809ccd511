#pragma once

#include "bundled_program/compare.h"
#include "runtime/executor/method.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::conformance {

/// A bundled program of the shared data with the tolerance of its manifest.
struct Case {
    std::string file;  ///< below the data folder: "ops/portable/abs__f32_1.bpte"
    bundled_program::Tolerance tolerance;
    std::vector<std::string> tensorData;  ///< .ptd files, below the data folder
};

/// Every single-operator program of `folder` ("ops/portable") in the manifest.
[[nodiscard]] std::vector<Case> operatorCases(const std::filesystem::path& data, std::string_view folder);

/// Every real program with bundled tests that calls no delegates but those of this build.
[[nodiscard]] std::vector<Case> runnablePrograms(const std::filesystem::path& data);

/// Runs all suites and cases of a bundled program; empty when all outputs agree, else what is wrong, a line
/// each.
[[nodiscard]] std::string runCase(const std::filesystem::path& data, const Case& test,
                                  const kernels::ThreadPool& threads);

}  // namespace et::conformance
