#pragma once

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Commands with several actions, selected by the argument after their name: `session save`, `baseline list`.
namespace et::cli {

/// One action of such a command; a table of these defines all of them.
template <class V>
struct Action {
    const char* name;
    const char* meaning;       ///< with its arguments, as listed by help
    std::size_t minArguments;  ///< number of arguments after the action
    std::size_t maxArguments;
    const char* expected;  ///< describes the arguments in the error message
    core::Result<tasks::ExitCode> (V::*run)(const Invocation& invocation);
};

template <class V>
[[nodiscard]] Glossary actionGlossary(std::span<const Action<V>> actions) {
    return glossaryOf("Actions", actions);
}

/// Adds the argument that selects the action.
template <class V>
void addActionArgument(OptionList& options, std::span<const Action<V>> actions, std::string& action) {
    std::vector<std::string> names;
    for (const Action<V>& each : actions) {
        names.emplace_back(each.name);
    }
    options.choice("ACTION", action, std::move(names), "Action to perform").mustBeGiven();
}

/// Runs the action, whose name the parser has checked. Errors: InvalidArgument (too few or too many
/// `arguments`), those of the action.
template <class V>
[[nodiscard]] core::Result<tasks::ExitCode> runAction(V& command, std::span<const Action<V>> actions,
                                                      std::string_view action, std::size_t arguments,
                                                      const Invocation& invocation) {
    const Action<V>& chosen = *std::ranges::find(actions, action, &Action<V>::name);
    if (arguments < chosen.minArguments || arguments > chosen.maxArguments) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("{} {}: expected {}, got {} argument{}", command.name(), chosen.name,
                                      chosen.expected, arguments, arguments == 1 ? "" : "s"));
    }
    return (command.*chosen.run)(invocation);
}

}  // namespace et::cli
