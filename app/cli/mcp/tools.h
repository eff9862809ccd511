#pragma once

#include "app/cli/mcp/arguments.h"
#include "app/cli/mcp/command_run.h"
#include "app/cli/mcp/result_fields.h"
#include "app/cli/mcp/roots.h"
#include "runtime/core/result.h"

#include <span>
#include <string_view>
#include <vector>

namespace et::cli::mcp {

/// A command that answers a part of a question.
struct Step {
    std::string_view shape;  ///< of its document
    CommandCall call;
    bool isOptional = false;   ///< its failure does not hide the other answers
    bool isRepeatable = true;  ///< the same files have the same answer
};

/// The commands that answer a call. Errors: those of the files and arguments.
using Plan = core::Result<std::vector<Step>> (*)(const Arguments& arguments, const Roots& roots);

/// A question that clients ask.
struct Tool {
    std::string_view name;
    std::string_view title;
    std::string_view description;
    std::span<const Argument> arguments;
    std::span<const std::string_view> shapes;  ///< of its answers
    bool writes = false;                       ///< creates files
    Plan plan = nullptr;                       ///< null: `open` of a handle
};

[[nodiscard]] std::span<const Tool> tools();
/// Null if there is none.
[[nodiscard]] const Tool* findTool(std::string_view name);

}  // namespace et::cli::mcp
