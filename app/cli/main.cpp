#include "app/cli/command_line.h"
#include "app/cli/console.h"
#include "app/tasks/base/interruption.h"
#include "runtime/core/mapped_ranges.h"

#include <exception>

int main(int argc, char** argv) {
    namespace cli = et::cli;
    namespace tasks = et::tasks;
    et::core::guardMappedFiles([] { tasks::InterruptionGuard::request(tasks::Interruption::CutOff); });
    tasks::exitOnSignals();
    cli::Console console = cli::Console::ofProcess();
    try {
        cli::CommandLine commandLine(cli::builtinCommands());
        return static_cast<int>(commandLine.run(argc, argv, console));
    } catch (const std::exception& failure) {
        // Only failures that no other code handles, such as lack of memory.
        console.complain(failure.what());
        return static_cast<int>(tasks::ExitCode::Unreadable);
    }
}
