#include "app/cli/schema_page.h"

#include "inspector/format/json_text.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using inspector::format::Dict;
using inspector::format::List;

constexpr std::int64_t schemaSchema = 1;

std::string_view kindName(OptionKind kind) {
    switch (kind) {
        case OptionKind::Text:
            return "text";
        case OptionKind::InputFile:
            return "file";
        case OptionKind::Integer:
            return "integer";
        case OptionKind::Number:
            return "number";
        case OptionKind::Choice:
            return "choice";
        case OptionKind::Flag:
            return "flag";
        case OptionKind::Help:
            return "help";
        case OptionKind::Version:
            return "version";
    }
    return {};
}

List texts(const std::vector<std::string>& all) {
    return {all.begin(), all.end()};
}

Dict describe(const Option& option) {
    return {{"name", option.name()},
            {"kind", std::string(kindName(option.kind))},
            {"value", option.value},
            {"choices", texts(option.choices)},
            {"help", option.help},
            {"group", option.group},
            {"positional", option.positional},
            {"required", option.required},
            {"repeatable", option.repeatable},
            {"list", option.list}};
}

Dict describe(const CommandDoc& command) {
    List options;
    for (const Option& option : command.options) {
        options.emplace_back(describe(option));
    }
    return {{"name", command.name},
            {"group", command.group},
            {"summary", command.summary},
            {"details", command.details},
            {"options", std::move(options)}};
}

}  // namespace

std::string schemaPage(const CommandDoc& program) {
    List commands;
    for (const CommandDoc& command : program.commands) {
        commands.emplace_back(describe(command));
    }
    return inspector::format::jsonDocument(schemaSchema, {{"commands", std::move(commands)}});
}

}  // namespace et::cli
