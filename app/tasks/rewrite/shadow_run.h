#pragma once

#include "app/tasks/base/program_file.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

class ProgressReporter;

/// Exact content of the outputs of the last execution: kind, dtype, sizes and elements of each.
[[nodiscard]] std::vector<std::string> outputBits(executor::Method& method);

/// A program and its tensor data files.
struct RunnableProgram {
    std::shared_ptr<const program::Program> program;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData = {};
};

/// Result of running one method of a program and of its rewritten twin.
struct ShadowRunResult {
    std::string method;        ///< its name
    std::size_t cases = 0;     ///< input sets with identical bits in two consecutive executions
    std::string notRun{};      ///< why neither runs here; empty: both run
    std::string difference{};  ///< first output that differs, or why only one runs; empty: no difference
};

/// Runs the methods of `twin` and the methods of the same name in `original` on the same inputs: all cases of
/// the bundle, otherwise random ones. In the twin, memory that its plan marks as free is overwritten after
/// each instruction, so that a wrong plan changes the outputs. Errors: Limit (not enough memory for that),
/// Cancelled (interrupted: there is no result for the twin). `progress`: one step per method; null: none.
[[nodiscard]] core::Result<std::vector<ShadowRunResult>> runTwins(const RunnableProgram& original,
                                                                  const RunnableProgram& twin,
                                                                  const bundled_program::Bundle* bundle,
                                                                  ProgressReporter* progress = nullptr);

}  // namespace et::tasks
