#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace et::cli {

/// Names of option values that mean something to help and completions.
inline constexpr const char* fileValue = "FILE";
inline constexpr const char* folderValue = "DIR";
inline constexpr const char* wordValue = "WORD";  ///< one of a few words: help shows them in its place

/// A command line that shows what something is good for.
struct Example {
    std::string command;
    std::string purpose;
};

/// A term and what it means.
struct Term {
    std::string term;
    std::string meaning;
};

/// Words that a command's options refer to, such as the columns of a table.
struct Glossary {
    std::string title;
    std::vector<Term> terms;
};

/// An option or positional argument as people see it.
struct OptionDoc {
    std::vector<std::string> names;    ///< "-o", "--output"; the name of a positional argument
    std::vector<std::string> aliases;  ///< further spellings that are accepted
    std::string value;                 ///< "FILE", "N"; empty for a switch
    std::vector<std::string> choices;  ///< the words that it takes; empty: anything
    std::string help;
    std::string group;  ///< heading
    bool positional = false;
    bool required = false;
    bool repeatable = false;
    bool list = false;  ///< takes several choices, separated by commas
};

/// A command and its verbs, read back from the parser: the one source of help, man page, reference and
/// completions.
struct CommandDoc {
    std::string name;  ///< "et-inspect", "info"
    std::string summary;
    std::string details;
    std::vector<OptionDoc> options;
    std::vector<Glossary> glossaries;
    std::vector<Example> examples;
    std::vector<CommandDoc> verbs;
};

/// What the environment can say.
struct EnvironmentDoc {
    const char* name;
    const char* help;
};
inline constexpr EnvironmentDoc environmentVariables[] = {
    {"NO_COLOR", "When set to anything, no colours unless --color always asks for them"},
    {"COLUMNS",
     "Width of the terminal, in place of what the terminal says of itself; without effect in a pipe"},
    {"TERM", "'dumb' is a terminal without colours"},
};

/// Reads the visible options of `app`; verbs, details and examples are for the caller to add.
[[nodiscard]] CommandDoc describe(const CLI::App& app);

/// Headings of the options in order of first appearance.
[[nodiscard]] std::vector<std::string> groups(const CommandDoc& command);

/// "et-inspect info [OPTIONS] FILE..."; `parent` is empty for the program itself.
[[nodiscard]] std::string usageLine(const CommandDoc& command, std::string_view parent);

/// "-o, --output FILE" or "--color auto|always|never".
[[nodiscard]] std::string signature(const OptionDoc& option);

}  // namespace et::cli
