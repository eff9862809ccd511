#pragma once

#include "app/tasks/program_file.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// A program and what it looks data up in.
struct RunnableProgram {
    std::shared_ptr<const program::Program> program;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData = {};
};

/// What running a program and its rewritten twin told of one method.
struct TwinRun {
    std::string method;        ///< its name
    std::size_t cases = 0;     ///< sets of inputs on which both gave the same bits, twice in a row
    std::string notRun{};      ///< why neither runs here; empty: both do
    std::string difference{};  ///< the first output that differs, or why only one runs; empty: none
};

/// Runs the methods of `twin` and those of the same name in `original` on the same inputs: all cases of the
/// bundle, else random ones. In the twin, memory that its plan says nobody needs any more is overwritten
/// after each instruction, so that a plan which is wrong gives other outputs. Errors: Limit (no memory for
/// that), Cancelled (interrupted: nothing is known of the twin).
[[nodiscard]] core::Result<std::vector<TwinRun>> runTwins(const RunnableProgram& original,
                                                          const RunnableProgram& twin,
                                                          const bundled_program::Bundle* bundle);

}  // namespace et::app
