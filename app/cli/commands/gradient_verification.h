#pragma once

#include "app/cli/command.h"
#include "app/cli/output_options.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/train/train_settings.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::cli {

/// `verify --gradients`: checks the gradients of training programs.
class GradientVerification {
  public:
    void addOptions(OptionList& options);

    [[nodiscard]] bool isRequested() const { return requested; }
    /// Checks all files and prints the result. Errors: those of the sandbox and deliver().
    [[nodiscard]] core::Result<tasks::ExitCode> run(const Invocation& invocation,
                                                    const std::vector<std::filesystem::path>& files,
                                                    const tasks::ModelOptions& model, OutputFormat format,
                                                    const OutputOptions& output,
                                                    const tasks::ProgressOptions& progress);

  private:
    tasks::GradientCheckSettings settings;
    bool requested = false;
};

}  // namespace et::cli
