#pragma once

#include "inspector/explain/explanation.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <istream>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

/// Files of an explanation.
struct ExplainFiles {
    std::filesystem::path program{};            ///< program, bundled program or package; empty: none
    std::filesystem::path record{};             ///< ETRecord of the program; empty: none
    std::vector<std::filesystem::path> data{};  ///< external weights (.ptd) that the program was given
    std::vector<std::filesystem::path> logs{};  ///< read in this order; "-" is not a path here
};

/// Sorts files by their content: programs, ETRecords and external weights, all others are logs. Errors: Io;
/// InvalidArgument (two programs, two records, weights without a program, files of other kinds).
[[nodiscard]] core::Result<ExplainFiles> sortFiles(std::span<const std::filesystem::path> files);

/// Reads a log from a stream in blocks. Errors: Io.
[[nodiscard]] core::Result<> readLog(std::istream& in, inspector::LogScanner& scanner,
                                     const std::string& name);

/// Explains a log with the program, if there is one. Errors: those of the readers of program and record.
[[nodiscard]] core::Result<inspector::Explanation> explainLog(const ExplainFiles& files,
                                                              const inspector::LogContent& log);

}  // namespace et::tasks
