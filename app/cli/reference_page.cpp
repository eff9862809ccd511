#include "app/cli/reference_page.h"

#include "app/tasks/exit_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace et::app {
namespace {

/// Escapes the text of a table cell, where '|' ends the cell and a tag would disappear.
std::string cell(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        safe += c == '|' ? "\\|" : c == '<' ? "&lt;" : std::string(1, c);
    }
    return safe;
}

std::string code(std::string_view text) {
    return fmt::format("`{}`", text);
}

std::string optionTable(const CommandDoc& command, bool positional, const std::string& group) {
    std::string text = "\n| | |\n|---|---|\n";
    for (const Option& option : command.options) {
        if (option.positional != positional || (!positional && option.group != group)) {
            continue;
        }
        std::string also;
        for (const std::string& alias : option.aliases) {
            also += fmt::format("{}{}", also.empty() ? ". Also " : ", ", code(alias));
        }
        text += fmt::format("| {} | {}{} |\n", code(cell(signature(option))), cell(option.help), also);
    }
    return text;
}

std::string optionTables(const CommandDoc& command) {
    std::string text;
    for (const Option& option : command.options) {
        if (option.positional) {
            text += optionTable(command, true, {});
            break;
        }
    }
    for (const std::string& group : groups(command)) {
        text += fmt::format("\n**{}**\n{}", group, optionTable(command, false, group));
    }
    return text;
}

std::string exampleBlock(const CommandDoc& command) {
    std::string text;
    for (const Example& example : command.examples) {
        text += fmt::format("{}# {}\n{}\n", text.empty() ? "" : "\n", example.purpose, example.command);
    }
    return text.empty() ? text : fmt::format("\n```sh\n{}```\n", text);
}

std::string detailParagraph(const CommandDoc& command) {
    return command.details.empty() ? std::string{} : fmt::format("\n{}\n", command.details);
}

std::string glossaryTables(const CommandDoc& command) {
    std::string text;
    for (const Glossary& glossary : command.glossaries) {
        text += fmt::format("\n**{}**\n\n| | |\n|---|---|\n", glossary.title);
        for (const Term& term : glossary.terms) {
            text += fmt::format("| {} | {} |\n", code(cell(term.term)), cell(term.meaning));
        }
    }
    return text;
}

/// Returns the documentation of a command below its title.
std::string commandText(const CommandDoc& command) {
    return exampleBlock(command) + detailParagraph(command) + optionTables(command) + glossaryTables(command);
}

}  // namespace

std::string referencePage(const CommandDoc& program) {
    std::string text = fmt::format(
        "# {}\n\n<!-- Written by `{} man --format markdown`: change the verbs, not this file. -->\n",
        program.name, program.name);
    text += fmt::format("\n{}.\n\n```text\n{}\n{} VERB [OPTION]... [ARGUMENT]...\n```\n", program.summary,
                        usageLine(program, {}), program.name);
    text += commandText(program);
    for (const CommandDoc& verb : program.verbs) {
        text += fmt::format("\n## {}\n\n{}.\n\n```text\n{}\n```\n", verb.name, verb.summary,
                            usageLine(verb, program.name));
        text += commandText(verb);
    }
    text += "\n## Exit codes\n\n| | |\n|---|---|\n";
    for (const ExitCodeInfo& info : exitCodes) {
        text += fmt::format("| {} | {} |\n", static_cast<int>(info.code), info.meaning);
    }
    text += "\n## Environment\n\n| | |\n|---|---|\n";
    for (const EnvironmentDoc& variable : environmentVariables) {
        text += fmt::format("| {} | {} |\n", code(variable.name), cell(variable.help));
    }
    return text;
}

}  // namespace et::app
