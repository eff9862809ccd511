#pragma once

#include "app/cli/options.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli {

/// An example command line and its purpose.
struct Example {
    std::string command;
    std::string purpose;
};

/// A term and its definition.
struct Term {
    std::string term;
    std::string meaning;
};

/// Terms that a command's options refer to, such as the columns of a table.
struct Glossary {
    std::string title;
    std::vector<Term> terms;
};

/// Returns a glossary of the name (or header) and meaning of each item.
template <class Items>
[[nodiscard]] Glossary glossaryOf(std::string title, const Items& items) {
    Glossary glossary{.title = std::move(title), .terms = {}};
    for (const auto& item : items) {
        if constexpr (requires { item.header; }) {
            glossary.terms.push_back({std::string(item.header), std::string(item.meaning)});
        } else {
            glossary.terms.push_back({std::string(item.name), std::string(item.meaning)});
        }
    }
    return glossary;
}

/// Documentation of a command and its subcommands: source of help, manual, reference page and completions.
struct CommandDoc {
    std::string name;   ///< "et-inspect", "info"
    std::string group;  ///< heading in the list of commands; empty for the program itself
    std::string summary;
    std::string details;
    std::vector<Option> options;  ///< excluding options hidden from help
    std::vector<Glossary> glossaries;
    std::vector<Example> examples;
    std::vector<CommandDoc> commands;
};

/// An environment variable and its effect.
struct EnvironmentDoc {
    const char* name;
    const char* help;
};
inline constexpr EnvironmentDoc environmentVariables[] = {
    {"NO_COLOR", "If set, disables colors unless --color always is given"},
    {"COLUMNS", "Overrides the width of the terminal; ignored in a pipe"},
    {"TERM", "'dumb' disables colors"},
};

/// Returns the option --etrecord in `options` if the positional `argument` may be followed or preceded by an
/// ETRecord instead: if it is one file. Null otherwise.
template <class Options>
[[nodiscard]] const Option* recordOption(const Option& argument, const Options& options) {
    const auto found = std::ranges::find_if(
        options, [](const Option& each) { return !each.positional && each.name() == "--etrecord"; });
    const bool isFile =
        argument.positional && argument.kind == tasks::OptionKind::InputFile && !argument.repeatable;
    return isFile && found != options.end() ? &*found : nullptr;
}

/// Headings of the options in order of first appearance.
[[nodiscard]] std::vector<std::string> groups(const CommandDoc& command);

/// "et-inspect info [OPTIONS] FILE..."; `parent` is empty for the program itself.
[[nodiscard]] std::string usageLine(const CommandDoc& command, std::string_view parent);

/// "-o, --output FILE" or "--color auto|always|never".
[[nodiscard]] std::string signature(const Option& option);

}  // namespace et::cli
