#pragma once

#include "app/cli/console.h"
#include "app/cli/output_options.h"
#include "app/tasks/base/exit_code.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/sanitize/memory_finding.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <span>
#include <string>

namespace et::cli {

/// Reports the memory errors that --sanitize finds.
struct MemoryReport {
    std::string command;  ///< that reproduces them
    std::filesystem::path program;
    std::filesystem::path file;                ///< JSON or JUnit XML; empty: none
    OutputFormat format = OutputFormat::Text;  ///< of stdout; in JSON it contains the errors

    /// Reports a crash in a kernel, and ends the process then.
    void watchCrashes(Console& console) const;
    /// Prints the errors as text, or with JSON and CSV a line each on stderr, and writes the file. Errors:
    /// Io.
    [[nodiscard]] core::Result<> deliver(Console& console,
                                         std::span<const tasks::MemoryFinding> findings) const;
    /// `code`, or that of memory errors if there are any.
    [[nodiscard]] static tasks::ExitCode exitCode(std::span<const tasks::MemoryFinding> findings,
                                                  tasks::ExitCode code);
};

/// The command line of et-inspect with these arguments, quoted for a shell.
[[nodiscard]] std::string commandText(const std::string& command, const tasks::CommandArguments& arguments);

}  // namespace et::cli
