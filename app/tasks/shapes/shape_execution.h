#pragma once

#include "app/tasks/run/model_options.h"
#include "app/tasks/shapes/shape_report.h"
#include "app/tasks/shapes/shape_space.h"
#include "runtime/core/result.h"

#include <filesystem>

namespace et::app {

/// One run with inputs of some sizes.
struct ShapeTask {
    std::filesystem::path model{};
    ModelOptions options{};  ///< with the record, if there is one
    InputSizes sizes{};
    InputSizes before{};  ///< of a run before it in this process; none: it is the first
    bool locate = false;  ///< name the operator whose own error comes first, which takes long
};

/// Runs the method on inputs of these sizes in this process, and looks at what comes out: beside the record's
/// graph, with other bytes in memory that nobody has written, and after a run with other sizes. Inputs
/// are drawn from the record's, else from the first bundled case, else at random; the same for the same sizes
/// and seed. What the program refuses is part of the report. Errors: those of Model::prepare(), of the record
/// and of loading the method.
[[nodiscard]] core::Result<ShapeReport> executeShape(const ShapeTask& task);

}  // namespace et::app
