#pragma once

#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Verbs that do several things, by the argument after their name: `session save`, `baseline list`.
namespace et::app {

/// One thing that such a verb does; a table of these is all that says what there is.
template <class V>
struct Action {
    const char* name;
    const char* meaning;       ///< with the arguments, as help lists it
    std::size_t minArguments;  ///< after the action
    std::size_t maxArguments;
    const char* expected;  ///< the arguments in words, for the error
    core::Result<ExitCode> (V::*run)(const Invocation& invocation);
};

template <class V>
[[nodiscard]] Glossary actionGlossary(std::span<const Action<V>> actions) {
    Glossary glossary{.title = "Actions", .terms = {}};
    for (const Action<V>& each : actions) {
        glossary.terms.push_back({each.name, each.meaning});
    }
    return glossary;
}

/// Adds the argument that says which.
template <class V>
void addActionArgument(OptionList& options, std::span<const Action<V>> actions, std::string& action) {
    std::vector<std::string> names;
    for (const Action<V>& each : actions) {
        names.emplace_back(each.name);
    }
    options.choice("ACTION", action, std::move(names), "What to do").mustBeGiven();
}

/// Runs that action, which the parser has checked. Errors: InvalidArgument (too few or too many
/// `arguments`), those of the action.
template <class V>
[[nodiscard]] core::Result<ExitCode> runAction(V& verb, std::span<const Action<V>> actions,
                                               std::string_view action, std::size_t arguments,
                                               const Invocation& invocation) {
    const Action<V>& chosen = *std::ranges::find(actions, action, &Action<V>::name);
    if (arguments < chosen.minArguments || arguments > chosen.maxArguments) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("{} {}: expected {}, got {} argument{}", verb.name(), chosen.name,
                                      chosen.expected, arguments, arguments == 1 ? "" : "s"));
    }
    return (verb.*chosen.run)(invocation);
}

}  // namespace et::app
