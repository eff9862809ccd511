#pragma once

#include "app/cli/command.h"
#include "app/cli/output_options.h"
#include "app/output/delegates/delegates_page.h"
#include "app/tasks/lab/undelegated.h"

#include <cstdint>

namespace et::cli {

/// `delegates --measure`: measures operators outside delegates.
class DelegateMeasurement {
  public:
    void addOptions(OptionList& options);

    [[nodiscard]] bool isRequested() const { return requested; }
    /// Measures the method of `query`, or forward, or the only one, and prints the result. Errors: those of
    /// measureUndelegated() and deliver().
    [[nodiscard]] core::Result<tasks::ExitCode> run(const Invocation& invocation,
                                                    const output::DelegatesQuery& query, OutputFormat format,
                                                    const OutputOptions& output);

  private:
    tasks::UndelegatedSettings settings;
    bool requested = false;
};

}  // namespace et::cli
