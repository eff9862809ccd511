#pragma once

#include "app/cli/console.h"
#include "app/tasks/base/interruption.h"

#include <fmt/format.h>

#include <string_view>

namespace et::cli {

/// Prints why the command ended early and the consequence for its results ("interrupted: nothing was
/// written"). Returns the matching exit code.
inline tasks::ExitCode reportInterruption(Console& console, std::string_view consequence = {}) {
    const tasks::InterruptionInfo& end = tasks::infoOf(tasks::InterruptionGuard::cause());
    console.complain(consequence.empty() ? std::string(end.message)
                                         : fmt::format("{}: {}", end.message, consequence));
    return end.code;
}

}  // namespace et::cli
