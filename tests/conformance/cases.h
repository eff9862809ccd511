#pragma once

#include "bundled_program/compare.h"
#include "runtime/executor/method.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::conformance {

/// A bundled program of the shared data with its tolerance from the manifest.
struct Case {
    std::string file;  ///< relative to the data folder: "ops/portable/abs__f32_1.bpte"
    bundled_program::Tolerance tolerance;
    std::vector<std::string> tensorData;  ///< .ptd files, relative to the data folder
};

/// Returns the single-operator programs of `folder` ("ops/portable") in the manifest.
[[nodiscard]] std::vector<Case> operatorCases(const std::filesystem::path& data, std::string_view folder);

/// Returns the programs of operators outside ATen (ops_new) that need no cache of the host.
[[nodiscard]] std::vector<Case> libraryCases(const std::filesystem::path& data);

/// Returns the real programs with bundled tests whose delegates are all in this build.
[[nodiscard]] std::vector<Case> runnablePrograms(const std::filesystem::path& data);

/// Runs all suites and cases of a bundled program; returns the failures, one per line, empty if all outputs
/// match.
[[nodiscard]] std::string runCase(const std::filesystem::path& data, const Case& test,
                                  const kernels::ThreadPool& threads);

}  // namespace et::conformance
