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

/// Returns `code`. If the command was ended early, prints why and when ("interrupted after 3 of 5 files") and
/// returns the matching exit code.
inline tasks::ExitCode unlessInterrupted(Console& console, tasks::ExitCode code, std::string_view when = {},
                                         tasks::Interruption cause = tasks::InterruptionGuard::cause()) {
    const tasks::InterruptionInfo& end = tasks::infoOf(cause);
    if (end.cause == tasks::Interruption::None) {
        return code;
    }
    console.complain(fmt::format("{}{}{}", end.message, when.empty() ? "" : " ", when));
    return end.code;
}

}  // namespace et::cli
