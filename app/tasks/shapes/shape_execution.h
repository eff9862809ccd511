#pragma once

#include "app/tasks/model/model_options.h"
#include "app/tasks/shapes/shape_report.h"
#include "app/tasks/shapes/shape_space.h"
#include "runtime/core/result.h"

#include <filesystem>

namespace et::tasks {

/// One run with inputs of given sizes.
struct ShapeTask {
    std::filesystem::path model{};
    ModelOptions options{};  ///< includes the record, if there is one
    InputSizes sizes{};
    InputSizes before{};  ///< sizes to run before in this process; none: it is the first
    bool locate = false;  ///< name the first operator with an error of its own; slow
};

/// Runs the method on inputs of these sizes in this process and checks the outputs against the record's
/// graph, with different bytes in uninitialized memory, and after a run with other sizes. Inputs are drawn
/// from the record's, otherwise from the first bundled case, otherwise at random; the same for equal sizes
/// and seed. A rejection by the program is part of the report. Errors: those of Model::prepare(), of the
/// record and of loading the method.
[[nodiscard]] core::Result<ShapeReport> executeShape(const ShapeTask& task);

}  // namespace et::tasks
