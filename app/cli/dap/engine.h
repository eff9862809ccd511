#pragma once

#include "app/cli/dap/json_value.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>

namespace et::cli::dap {

/// Executes commands of `et-inspect debug --format json`.
class Engine {
  public:
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    /// Executes one command and returns its answer. Errors: InvalidArgument (`line` has control characters),
    /// Limit (too long), those that the command reports, Io (the process of the engine ended).
    [[nodiscard]] core::Result<JsonText> ask(std::string_view line);

  protected:
    /// Sends a line and returns the line that answers it. Errors: Io.
    [[nodiscard]] virtual core::Result<std::string> exchange(std::string_view line) = 0;
};

}  // namespace et::cli::dap
