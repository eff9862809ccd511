#include "app/cli/mcp/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace et::cli::mcp {
namespace {

using core::Result;
using inspector::format::Dict;
using inspector::format::List;

/// The given value, shortened for a message.
std::string given(const dap::JsonValue& value) {
    constexpr std::size_t longest = 60;
    const std::string text = value.display();
    return text.empty() ? "null" : text.size() > longest ? text.substr(0, longest) + "..." : text;
}

std::string expectedOf(const Argument& argument) {
    switch (argument.kind) {
        case ArgumentKind::Text:
            return fmt::format("a text of at most {} bytes", argument.most);
        case ArgumentKind::Texts:
            return fmt::format("a list of at most {} texts", argument.most);
        case ArgumentKind::Integer:
            return fmt::format("an integer from {} to {}", argument.least, argument.most);
        case ArgumentKind::Flag:
            return "true or false";
        case ArgumentKind::Choice:
            return fmt::format("one of {}", fmt::join(argument.choices, ", "));
    }
    return {};
}

std::unexpected<core::Error> wrongArgument(const Argument& argument, const dap::JsonValue& value) {
    return core::fail(core::ErrorCode::InvalidArgument, fmt::format("{}: expected {}, got {}", argument.name,
                                                                    expectedOf(argument), given(value)));
}

bool isSmallText(const dap::JsonValue& value, std::int64_t most) {
    return value.isText() && std::cmp_less_equal(value.text().size(), most);
}

}  // namespace

Result<> Arguments::add(const dap::JsonValue& value, const Argument& declared) {
    const std::string name(declared.name);
    switch (declared.kind) {
        case ArgumentKind::Text:
            if (!isSmallText(value, declared.most)) {
                return wrongArgument(declared, value);
            }
            texts[name] = {value.text()};
            return {};
        case ArgumentKind::Choice:
            if (!value.isText() || !std::ranges::contains(declared.choices, value.text())) {
                return wrongArgument(declared, value);
            }
            texts[name] = {value.text()};
            return {};
        case ArgumentKind::Texts: {
            constexpr std::int64_t longestElement = 4096;
            // One text is a list of one.
            const auto items = value.isText() ? std::vector{value} : value.items();
            if ((!value.isText() && !value.isList()) || std::cmp_greater(items.size(), declared.most) ||
                !std::ranges::all_of(items,
                                     [](const auto& each) { return isSmallText(each, longestElement); })) {
                return wrongArgument(declared, value);
            }
            for (const auto& each : items) {
                texts[name].push_back(each.text());
            }
            return {};
        }
        case ArgumentKind::Integer: {
            const auto number = value.integer();
            if (!number || *number < declared.least || *number > declared.most) {
                return wrongArgument(declared, value);
            }
            integers[name] = *number;
            return {};
        }
        case ArgumentKind::Flag:
            if (!value.isFlag()) {
                return wrongArgument(declared, value);
            }
            integers[name] = value.boolean() ? 1 : 0;
            return {};
    }
    return {};
}

Result<Arguments> Arguments::parse(const dap::JsonValue& given, std::span<const Argument> declared) {
    Arguments all;
    if (given && !given.isObject()) {
        return core::fail(core::ErrorCode::InvalidArgument, "arguments: expected an object");
    }
    for (const auto& [name, value] : given.members()) {
        const auto found = std::ranges::find(declared, name, &Argument::name);
        if (found == declared.end()) {
            std::vector<std::string_view> names;
            std::ranges::transform(declared, std::back_inserter(names), &Argument::name);
            return core::fail(
                core::ErrorCode::InvalidArgument,
                fmt::format("no argument \"{:.40}\"; expected {}", name, fmt::join(names, ", ")));
        }
        if (value) {
            ET_TRY(all.add(value, *found));
        }
    }
    for (const Argument& each : declared) {
        if (each.required && !all.has(each.name)) {
            return core::fail(core::ErrorCode::InvalidArgument,
                              fmt::format("{}: missing; expected {}", each.name, expectedOf(each)));
        }
    }
    return all;
}

std::string Arguments::text(std::string_view name) const {
    const auto found = texts.find(name);
    return found == texts.end() || found->second.empty() ? std::string() : found->second.front();
}

std::vector<std::string> Arguments::list(std::string_view name) const {
    const auto found = texts.find(name);
    return found == texts.end() ? std::vector<std::string>() : found->second;
}

std::int64_t Arguments::integer(std::string_view name, std::int64_t fallback) const {
    const auto found = integers.find(name);
    return found == integers.end() ? fallback : found->second;
}

Dict schemaOf(std::span<const Argument> declared) {
    Dict properties;
    List required;
    for (const Argument& each : declared) {
        Dict schema;
        switch (each.kind) {
            case ArgumentKind::Text:
                schema = {{"type", "string"}, {"maxLength", each.most}};
                break;
            case ArgumentKind::Texts:
                schema = {{"type", "array"}, {"items", Dict{{"type", "string"}}}, {"maxItems", each.most}};
                break;
            case ArgumentKind::Integer:
                schema = {{"type", "integer"}, {"minimum", each.least}, {"maximum", each.most}};
                break;
            case ArgumentKind::Flag:
                schema = {{"type", "boolean"}};
                break;
            case ArgumentKind::Choice: {
                List choices;
                for (const std::string_view choice : each.choices) {
                    choices.emplace_back(std::string(choice));
                }
                schema = {{"type", "string"}, {"enum", std::move(choices)}};
                break;
            }
        }
        schema.emplace_back("description", std::string(each.meaning));
        properties.emplace_back(std::string(each.name), std::move(schema));
        if (each.required) {
            required.emplace_back(std::string(each.name));
        }
    }
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
}

}  // namespace et::cli::mcp
