#include "app/cli/command_line.h"
#include "app/cli/console.h"
#include "app/tasks/run/interruption.h"
#include "runtime/core/mapped_ranges.h"

#include <exception>

int main(int argc, char** argv) {
    namespace app = et::app;
    et::core::guardMappedFiles([] { app::InterruptionGuard::request(app::Interruption::CutOff); });
    app::Console console = app::Console::ofProcess();
    try {
        app::CommandLine commandLine(app::builtinVerbs());
        return static_cast<int>(commandLine.run(argc, argv, console));
    } catch (const std::exception& failure) {
        // Only failures that no other code handles, such as lack of memory.
        console.complain(failure.what());
        return static_cast<int>(app::ExitCode::Unreadable);
    }
}
