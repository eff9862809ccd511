#include "app/cli/completions.h"

#include "app/devices/target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace et::cli {
namespace {

using devices::shellWord;

/// Returns all spellings of an option.
std::vector<std::string> spellings(const Option& option) {
    std::vector<std::string> names = option.names;
    names.insert(names.end(), option.aliases.begin(), option.aliases.end());
    return names;
}

std::vector<std::string> mainNames(const CommandDoc& doc) {
    std::vector<std::string> names;
    for (const Option& option : doc.options) {
        if (!option.positional) {
            names.insert(names.end(), option.names.begin(), option.names.end());
        }
    }
    return names;
}

std::vector<std::string> commandNames(const CommandDoc& program) {
    std::vector<std::string> names;
    std::ranges::transform(program.commands, std::back_inserter(names), &CommandDoc::name);
    return names;
}

/// Returns the first positional argument with choices, such as "bash zsh fish".
const Option* argumentWithChoices(const CommandDoc& doc) {
    const auto found = std::ranges::find_if(
        doc.options, [](const Option& option) { return option.positional && !option.choices.empty(); });
    return found == doc.options.end() ? nullptr : &*found;
}

// ---- bash ----

/// Returns the lines of a case statement that complete the option values of one command.
std::string bashValues(const CommandDoc& doc, std::string_view command) {
    std::string text;
    for (const Option& option : doc.options) {
        if (option.positional || option.value.empty()) {
            continue;
        }
        std::vector<std::string> patterns;
        for (const std::string& name : spellings(option)) {
            patterns.push_back(fmt::format("'{} {}'", command, name));
        }
        std::string action = ";;";
        if (!option.choices.empty()) {
            action = fmt::format("_et_inspect_{} {} ;;", option.list ? "list" : "words",
                                 shellWord(fmt::format("{}", fmt::join(option.choices, " "))));
        } else if (option.value == fileValue || option.value == folderValue) {
            action = "_et_inspect_files ;;";
        }
        text += fmt::format("        {}) {}\n", fmt::join(patterns, "|"), action);
    }
    return text;
}

/// Completes a command's arguments where no option expects a value.
std::string bashArguments(const CommandDoc& doc, std::string_view command,
                          const std::vector<std::string>& commands) {
    std::string text =
        fmt::format("        '{} '*)\n            if [[ $cur == -* ]]; then _et_inspect_words {}\n", command,
                    shellWord(fmt::format("{}", fmt::join(mainNames(doc), " "))));
    if (const Option* argument = argumentWithChoices(doc)) {
        text += fmt::format("            else _et_inspect_words {}\n",
                            shellWord(fmt::format("{}", fmt::join(argument->choices, " "))));
    } else if (commands.empty()) {
        text += "            else _et_inspect_files\n";
    } else {
        text += fmt::format(
            "            else _et_inspect_files; [[ $COMP_CWORD -eq 1 ]] && _et_inspect_words {}\n",
            shellWord(fmt::format("{}", fmt::join(commands, " "))));
    }
    return text + "            fi ;;\n";
}

// ---- zsh ----

/// Escapes the text of a zsh option description, which ends at ']' and where ':' and '\' have meanings.
std::string zshText(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        safe += std::string_view("[]:\\").contains(c) ? fmt::format("\\{}", c) : std::string(1, c);
    }
    return safe;
}

std::string zshAction(const Option& option) {
    if (!option.choices.empty()) {
        const std::string words = fmt::format("{}", fmt::join(option.choices, " "));
        return option.list ? fmt::format("_values -s , {} {}", zshText(option.value), words)
                           : fmt::format("({})", words);
    }
    if (option.value == folderValue) {
        return "_files -/";
    }
    return option.value == fileValue || option.positional ? "_files" : " ";
}

std::string zshSpecification(const Option& option) {
    if (option.positional) {
        const std::string many = option.repeatable ? "*" : "1";
        return shellWord(fmt::format("{}:{}:{}", many, zshText(option.names.front()), zshAction(option)));
    }
    const std::string value = option.value.empty()
                                  ? std::string{}
                                  : fmt::format(":{}:{}", zshText(option.value), zshAction(option));
    std::vector<std::string> lines;
    for (const std::string& name : option.names) {
        const std::string equals = option.value.empty() ? "" : name.starts_with("--") ? "=" : "+";
        lines.push_back(shellWord(fmt::format("({}){}{}[{}]{}", fmt::join(option.names, " "), name, equals,
                                              zshText(option.help), value)));
    }
    return fmt::format("{}", fmt::join(lines, " \\\n            "));
}

std::string zshArguments(const CommandDoc& doc, bool withPositional) {
    std::vector<std::string> lines;
    for (const Option& option : doc.options) {
        if (withPositional || !option.positional) {
            lines.push_back(zshSpecification(option));
        }
    }
    return fmt::format("{}", fmt::join(lines, " \\\n            "));
}

// ---- fish ----

/// Quotes `text` for single quotes of fish.
std::string fishQuoted(std::string_view text) {
    std::string safe = "'";
    for (const char c : text) {
        safe += c == '\'' || c == '\\' ? fmt::format("\\{}", c) : std::string(1, c);
    }
    return safe + "'";
}

std::string fishOption(const Option& option, std::string_view condition) {
    std::string line = fmt::format("complete -c et-inspect -n {}", fishQuoted(condition));
    if (!option.positional) {
        for (const std::string& name : option.names) {
            line += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                           : fmt::format(" -s {}", name.substr(1));
        }
    }
    if (!option.choices.empty()) {
        line += fmt::format(" -{}fa {}", option.positional ? "" : "x",
                            fishQuoted(fmt::format("{}", fmt::join(option.choices, " "))));
    } else if (!option.value.empty()) {
        line += option.value == fileValue || option.value == folderValue ? " -rF" : " -x";
    }
    return line + fmt::format(" -d {}\n", fishQuoted(option.help));
}

std::string fishOptions(const CommandDoc& doc, std::string_view condition) {
    std::string text;
    for (const Option& option : doc.options) {
        if (!option.positional || !option.choices.empty()) {
            text += fishOption(option, condition);
        }
    }
    return text;
}

}  // namespace

std::string bashCompletions(const CommandDoc& program) {
    const std::vector<std::string> commands = commandNames(program);
    std::string values = bashValues(program, "");
    std::string arguments = bashArguments(program, "", commands);
    for (const CommandDoc& command : program.commands) {
        values += bashValues(command, command.name);
        arguments += bashArguments(command, command.name, {});
    }
    return fmt::format(R"(# bash completion of et-inspect; made by 'et-inspect completions bash'

_et_inspect_files() {{
    local file
    while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
}}

_et_inspect_words() {{
    local word
    for word in $1; do
        [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
    done
}}

# Words separated by commas: completes the last.
_et_inspect_list() {{
    local word before=
    [[ $cur == *,* ]] && before=${{cur%,*}},
    for word in $1; do
        [[ $before$word == "$cur"* ]] && COMPREPLY+=("$before$word")
    done
}}

_et_inspect() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command= word
    COMPREPLY=()
    # bash splits --option=value at the equals sign.
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = && COMP_CWORD -gt 1 ]]; then
        prev=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case $word in
        {}) command=$word; break ;;
        esac
    done
    case "$command $prev" in
{}        *)
        case "$command $cur" in
{}        esac ;;
    esac
}}

complete -o filenames -F _et_inspect et-inspect
)",
                       fmt::join(commands, "|"), values, arguments);
}

std::string zshCompletions(const CommandDoc& program) {
    std::string descriptions;
    std::string cases;
    for (const CommandDoc& command : program.commands) {
        descriptions += fmt::format("        {}\n",
                                    shellWord(fmt::format("{}:{}", command.name, zshText(command.summary))));
        cases += fmt::format(
            "    {})\n"
            "        shift words\n"
            "        (( CURRENT-- ))\n"
            "        _arguments -s -S \\\n"
            "            {}\n"
            "        ;;\n",
            command.name, zshArguments(command, true));
    }
    return fmt::format(R"(#compdef et-inspect
# zsh completion of et-inspect; made by 'et-inspect completions zsh'

_et_inspect_first() {{
    local -a commands
    commands=(
{}    )
    _alternative 'commands:command:_describe command commands' 'files:file:_files'
}}

_et_inspect() {{
    case ${{words[2]}} in
{}    *)
        _arguments -s -S \
            {} \
            '1:command or file:_et_inspect_first' '*:file:_files'
        ;;
    esac
}}

_et_inspect "$@"
)",
                       descriptions, cases, zshArguments(program, false));
}

std::string fishCompletions(const CommandDoc& program) {
    const std::string commands = fmt::format("{}", fmt::join(commandNames(program), " "));
    const std::string noCommand = fmt::format("not __fish_seen_subcommand_from {}", commands);
    std::string text = "# fish completion of et-inspect; made by 'et-inspect completions fish'\n\n";
    for (const CommandDoc& command : program.commands) {
        text += fmt::format("complete -c et-inspect -n {} -a {} -d {}\n", fishQuoted("__fish_is_first_arg"),
                            command.name, fishQuoted(command.summary));
    }
    text += "\n" + fishOptions(program, noCommand);
    for (const CommandDoc& command : program.commands) {
        text += "\n" + fishOptions(command, fmt::format("__fish_seen_subcommand_from {}", command.name));
    }
    return text;
}

}  // namespace et::cli
