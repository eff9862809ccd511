#include "app/cli/help_text.h"

#include "app/output/wrapped_text.h"
#include "app/tasks/base/exit_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace et::cli {
namespace {

constexpr std::size_t pageWidth = 80;
constexpr std::size_t narrowest = 40;
constexpr std::size_t widest = 100;
constexpr std::size_t margin = 2;
constexpr std::size_t widestSignature = 24;

/// One entry of a two-column list: its name, with the text next to it or below.
std::string entry(std::string_view name, std::string_view text, std::size_t nameWidth, std::size_t width) {
    const std::size_t column = margin + nameWidth + 2;
    std::string lines = fmt::format("{:{}}{}", "", margin, name);
    if (name.size() > nameWidth) {
        lines += fmt::format("\n{:{}}", "", column);
    } else {
        lines += fmt::format("{:{}}", "", nameWidth + 2 - name.size());
    }
    const std::size_t room = width > column + narrowest / 2 ? width - column : narrowest / 2;
    return lines + output::wrapped(text, room, column) + "\n";
}

std::string optionHelp(const Option& option) {
    std::string text = option.help;
    if (!option.aliases.empty()) {
        text += fmt::format(" (also {})", fmt::join(option.aliases, ", "));
    }
    return text;
}

/// Width for the names of a list: of the longest one, apart from those that get a line of their own.
template <class Item, class Name>
std::size_t nameColumn(const std::vector<Item>& items, Name name) {
    std::size_t column = 0;
    for (const Item& item : items) {
        const std::size_t size = std::invoke(name, item).size();
        column = size <= widestSignature ? std::max(column, size) : column;
    }
    return column;
}

std::string optionSections(const CommandDoc& command, std::size_t width) {
    const std::size_t column = nameColumn(command.options, signature);
    std::string text;
    for (const std::string& group : groups(command)) {
        text += fmt::format("\n{}:\n", group);
        for (const Option& option : command.options) {
            if (!option.positional && option.group == group) {
                text += entry(signature(option), optionHelp(option), column, width);
            }
        }
    }
    return text;
}

std::string argumentSection(const CommandDoc& command, std::size_t width) {
    std::vector<Option> arguments = command.options;
    std::erase_if(arguments, [](const Option& option) { return !option.positional; });
    const std::size_t column = nameColumn(arguments, &Option::name);
    std::string text;
    for (const Option& argument : arguments) {
        text += entry(argument.name(), argument.help, column, width);
    }
    return text.empty() ? text : "\nArguments:\n" + text;
}

std::string glossarySections(const CommandDoc& command, std::size_t width) {
    std::string text;
    for (const Glossary& glossary : command.glossaries) {
        text += fmt::format("\n{}:\n", glossary.title);
        const std::size_t column = nameColumn(glossary.terms, &Term::term);
        for (const Term& term : glossary.terms) {
            text += entry(term.term, term.meaning, column, width);
        }
    }
    return text;
}

std::string commandSections(const CommandDoc& program, std::size_t width) {
    if (program.commands.empty()) {
        return {};
    }
    const CommandDoc& longest =
        std::ranges::max(program.commands, {}, [](const CommandDoc& each) { return each.name.size(); });
    std::string text;
    std::string_view group;
    for (const CommandDoc& each : program.commands) {
        if (each.group != group) {
            group = each.group;
            text += fmt::format("\n{}:\n", group);
        }
        text += entry(each.name, each.summary, longest.name.size(), width);
    }
    return text;
}

std::string exampleSection(const CommandDoc& command, std::size_t width) {
    std::string text;
    for (const Example& example : command.examples) {
        text +=
            fmt::format("  # {}\n  {}\n", output::wrapped(example.purpose, width - 4, 4), example.command);
    }
    return text.empty() ? text : "\nExamples:\n" + text;
}

std::string usageSection(const CommandDoc& command, std::string_view parent) {
    std::string text = fmt::format("Usage: {}\n", usageLine(command, parent));
    if (!command.commands.empty()) {
        text += fmt::format("       {} COMMAND [OPTION]... [ARGUMENT]...\n", command.name);
    }
    return text;
}

std::string exitCodeLine() {
    std::string text;
    for (const tasks::ExitCodeInfo& info : tasks::exitCodes) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", static_cast<int>(info.code), info.meaning);
    }
    return text;
}

}  // namespace

std::string helpText(const CommandDoc& command, std::string_view parent,
                     std::optional<std::size_t> terminalWidth) {
    const std::size_t width = std::clamp(terminalWidth.value_or(pageWidth), narrowest, widest);
    std::string text = usageSection(command, parent);
    text += fmt::format("\n{}.\n", output::wrapped(command.summary, width, 0));
    text += argumentSection(command, width);
    text += commandSections(command, width);
    text += optionSections(command, width);
    text += glossarySections(command, width);
    text += exampleSection(command, width);
    if (!command.details.empty()) {
        text += fmt::format("\n{}\n", output::wrapped(command.details, width, 0));
    }
    if (parent.empty()) {
        text += fmt::format("\n{}.\n", output::wrapped("Exit codes: " + exitCodeLine(), width, 0));
        text += fmt::format("See '{} COMMAND --help' for the options of a command.\n", command.name);
    }
    return text;
}

}  // namespace et::cli
