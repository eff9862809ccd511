#include "app/cli/command_doc.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <tuple>
#include <utility>

namespace et::cli {
namespace {

/// The value's name and the words that it takes, from what CLI11 makes of both: "COLUMN:p10|p50".
std::pair<std::string, std::vector<std::string>> valueAndChoices(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t colon = type.find(':');
    if (colon == std::string::npos) {
        return {type, {}};
    }
    return {type.substr(0, colon), CLI::detail::split(type.substr(colon + 1), '|')};
}

OptionDoc describe(const CLI::Option& option) {
    OptionDoc doc;
    doc.positional = !option.nonpositional();
    if (doc.positional) {
        doc.names = {option.get_name(true)};
    }
    for (const std::string& name : option.get_snames()) {
        doc.names.push_back("-" + name);
    }
    const std::vector<std::string>& longNames = option.get_lnames();
    for (std::size_t i = 0; i < longNames.size(); ++i) {
        (i == 0 ? doc.names : doc.aliases).push_back("--" + longNames[i]);
    }
    if (option.get_type_size_max() != 0) {
        std::tie(doc.value, doc.choices) = valueAndChoices(option);
    }
    doc.help = option.get_description();
    doc.group = option.get_group();
    doc.required = option.get_required();
    doc.repeatable = doc.positional && option.get_expected_max() > 1;
    doc.list = option.get_delimiter() == ',';
    return doc;
}

}  // namespace

CommandDoc describe(const CLI::App& app) {
    CommandDoc doc;
    doc.name = app.get_name();
    doc.summary = app.get_description();
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_group().empty()) {
            doc.options.push_back(describe(*option));
        }
    }
    return doc;
}

std::vector<std::string> groups(const CommandDoc& command) {
    std::vector<std::string> found;
    for (const OptionDoc& option : command.options) {
        if (!option.positional && !std::ranges::contains(found, option.group)) {
            found.push_back(option.group);
        }
    }
    return found;
}

std::string usageLine(const CommandDoc& command, std::string_view parent) {
    std::string line = fmt::format("{}{}{} [OPTION]...", parent, parent.empty() ? "" : " ", command.name);
    for (const OptionDoc& option : command.options) {
        if (option.positional) {
            const std::string many = option.repeatable ? "..." : "";
            line += option.required ? fmt::format(" {}{}", option.names.front(), many)
                                    : fmt::format(" [{}]{}", option.names.front(), many);
        }
    }
    return line;
}

std::string signature(const OptionDoc& option) {
    std::string text = fmt::format("{}", fmt::join(option.names, ", "));
    if (option.positional) {
        return text;
    }
    const bool wordsSuffice = option.value == wordValue;
    if (!option.value.empty()) {
        text += " " + (wordsSuffice ? fmt::format("{}", fmt::join(option.choices, "|")) : option.value);
    }
    return text;
}

}  // namespace et::cli
