#include "app/cli/command_doc.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace et::cli {
std::vector<std::string> groups(const CommandDoc& command) {
    std::vector<std::string> found;
    for (const Option& option : command.options) {
        if (!option.positional && !std::ranges::contains(found, option.group)) {
            found.push_back(option.group);
        }
    }
    return found;
}

std::string usageLine(const CommandDoc& command, std::string_view parent) {
    std::string line = fmt::format("{}{}{} [OPTION]...", parent, parent.empty() ? "" : " ", command.name);
    for (const Option& option : command.options) {
        if (option.positional) {
            const std::string many = option.repeatable ? "..." : "";
            line += option.required ? fmt::format(" {}{}", option.names.front(), many)
                                    : fmt::format(" [{}]{}", option.names.front(), many);
            if (recordOption(option, command.options) != nullptr) {
                line += " [ETRECORD]";
            }
        }
    }
    return line;
}

std::string signature(const Option& option) {
    std::string text = fmt::format("{}", fmt::join(option.names, ", "));
    if (option.positional) {
        return text;
    }
    const bool wordsSuffice = option.value == choiceValue;
    if (!option.value.empty()) {
        text += " " + (wordsSuffice ? fmt::format("{}", fmt::join(option.choices, "|")) : option.value);
    }
    return text;
}

}  // namespace et::cli
