#include "app/cli/man_page.h"

#include "app/cli/version.h"
#include "app/tasks/base/exit_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace et::cli {
namespace {

/// Escapes text so that roff prints it verbatim: no escapes, no requests, hyphens that can be copied.
std::string roff(std::string_view text) {
    std::string safe;
    bool lineStart = true;
    for (const char c : text) {
        if (lineStart && (c == '.' || c == '\'')) {
            safe += "\\&";
        }
        if (c == '\\') {
            safe += "\\e";
        } else if (c == '-') {
            safe += "\\-";
        } else {
            safe += c;
        }
        lineStart = c == '\n';
    }
    return safe;
}

/// Positional arguments precede the groups of options.
const std::string noGroup;

std::string optionEntries(const CommandDoc& command, const std::string& group) {
    std::string text;
    for (const Option& option : command.options) {
        const std::string& heading = option.positional ? noGroup : option.group;
        if (heading != group) {
            continue;
        }
        text += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", roff(signature(option)), roff(option.help));
        if (!option.aliases.empty()) {
            text += fmt::format("Also: {}.\n", roff(fmt::format("{}", fmt::join(option.aliases, ", "))));
        }
    }
    return text;
}

std::string optionSections(const CommandDoc& command) {
    std::string text = optionEntries(command, noGroup);
    for (const std::string& group : groups(command)) {
        text += fmt::format(".PP\n{}:\n{}", roff(group), optionEntries(command, group));
    }
    return text;
}

std::string glossaryEntries(const CommandDoc& command) {
    std::string text;
    for (const Glossary& glossary : command.glossaries) {
        text += fmt::format(".PP\n{}:\n", roff(glossary.title));
        for (const Term& term : glossary.terms) {
            text += fmt::format(".TP\n.B {}\n{}.\n", roff(term.term), roff(term.meaning));
        }
    }
    return text;
}

/// The paragraphs of a command.
std::string detailText(const CommandDoc& command) {
    return command.details.empty() ? std::string{} : fmt::format(".PP\n{}\n", roff(command.details));
}

std::string exampleEntries(const CommandDoc& command) {
    std::string text;
    for (const Example& example : command.examples) {
        text += fmt::format(".PP\n{}:\n.PP\n.RS 4\n.nf\n{}\n.fi\n.RE\n", roff(example.purpose),
                            roff(example.command));
    }
    return text;
}

std::string commandSection(const CommandDoc& command, const std::string& program) {
    std::string text = fmt::format(".SS {}\n.B {}\n.PP\n{}.\n", roff(command.name),
                                   roff(usageLine(command, program)), roff(command.summary));
    return text + detailText(command) + optionSections(command) + glossaryEntries(command) +
           exampleEntries(command);
}

std::string exitSection() {
    std::string text = ".SH EXIT STATUS\n";
    for (const tasks::ExitCodeInfo& info : tasks::exitCodes) {
        text += fmt::format(".TP\n.B {}\n{}.\n", static_cast<int>(info.code), roff(info.meaning));
    }
    return text;
}

std::string environmentSection() {
    std::string text = ".SH ENVIRONMENT\n";
    for (const EnvironmentDoc& variable : environmentVariables) {
        text += fmt::format(".TP\n.B {}\n{}.\n", variable.name, roff(variable.help));
    }
    return text;
}

}  // namespace

std::string manPage(const CommandDoc& program) {
    std::string text =
        fmt::format(".TH ET\\-INSPECT 1 \"\" \"{} {}\" \"User Commands\"\n", roff(program.name), version);
    text += fmt::format(".SH NAME\n{} \\- inspect ExecuTorch programs, traces and ETRecords\n",
                        roff(program.name));
    text += fmt::format(".SH SYNOPSIS\n.B {}\n.br\n.B {} COMMAND [OPTION]... [ARGUMENT]...\n",
                        roff(usageLine(program, {})), roff(program.name));
    text += fmt::format(".SH DESCRIPTION\n{}.\n", roff(program.summary));
    text += detailText(program);
    text += ".SH OPTIONS\n" + optionSections(program) + glossaryEntries(program);
    std::string_view group;
    for (const CommandDoc& command : program.commands) {
        if (command.group != group) {
            group = command.group;
            text += fmt::format(".SH \"COMMANDS: {}\"\n", roff(group));
        }
        text += commandSection(command, program.name);
    }
    text += ".SH EXAMPLES\n" + exampleEntries(program);
    return text + exitSection() + environmentSection();
}

}  // namespace et::cli
