#include "app/tasks/pipeline/manifest_node.h"

#include "app/tasks/base/suggestion.h"
#include "runtime/core/file_kind.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 1
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <toml++/toml.hpp>
#include <utility>

namespace et::tasks {

using core::ErrorCode;
using core::fail;
using core::Result;

struct ManifestNode::Document {
    std::string file;
    toml::table root;
};

namespace {

const toml::table& tableOf(const void* node) {
    return *static_cast<const toml::table*>(node);
}

/// "a string", "an integer".
std::string_view kindOf(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::string:
            return "a string";
        case toml::node_type::integer:
            return "an integer";
        case toml::node_type::floating_point:
            return "a float";
        case toml::node_type::boolean:
            return "a boolean";
        case toml::node_type::array:
            return "an array";
        case toml::node_type::table:
            return "a table";
        default:
            return "a date or time";
    }
}

}  // namespace

Result<ManifestNode> ManifestNode::parse(std::string_view text, std::string file) {
    toml::parse_result parsed = toml::parse(text, file);
    if (!parsed) {
        const toml::parse_error& error = parsed.error();
        if (std::string wrong = core::wrongKindText(std::as_bytes(std::span(text)), "a manifest (.toml)");
            !wrong.empty()) {
            return fail(ErrorCode::Format, std::move(wrong),
                        {.file = std::move(file), .field = {}, .offset = {}});
        }
        return fail(ErrorCode::Format, std::string(error.description()),
                    {.file = std::move(file),
                     .field = fmt::format("line {}, column {}", error.source().begin.line,
                                          error.source().begin.column),
                     .offset = {}});
    }
    auto made = std::make_shared<Document>();
    made->file = std::move(file);
    made->root = std::move(parsed).table();
    const void* const root = &made->root;
    return ManifestNode(std::move(made), root, {}, {});
}

bool ManifestNode::has(std::string_view name) const {
    return tableOf(table).contains(name);
}

core::Where ManifestNode::where(std::string_view name) const {
    const std::string_view dot = field.empty() || name.empty() ? "" : ".";
    return {.file = document->file,
            .field = fmt::format("{}{}{}", field, dot, core::printable(name)),
            .offset = {}};
}

std::unexpected<core::Error> ManifestNode::wrong(std::string_view name, std::string message) const {
    return fail(ErrorCode::Format, std::move(message), where(name));
}

Result<> ManifestNode::allow(std::span<const std::string_view> keys) const {
    for (const auto& [each, node] : tableOf(table)) {
        if (std::ranges::contains(keys, each.str())) {
            continue;
        }
        const std::vector<std::string> known(keys.begin(), keys.end());
        return wrong(each.str(), "unknown key" + didYouMean(each.str(), known));
    }
    return {};
}

Result<std::string> ManifestNode::text(std::string_view name, std::string otherwise) const {
    const toml::node* const node = tableOf(table).get(name);
    if (node == nullptr) {
        return otherwise;
    }
    const toml::value<std::string>* const text = node->as_string();
    if (text == nullptr) {
        return wrong(name, fmt::format("expected a string, got {}", kindOf(*node)));
    }
    return text->get();
}

Result<std::string> ManifestNode::neededText(std::string_view name) const {
    ET_ASSIGN(std::string given, text(name, {}));
    if (given.empty()) {
        return wrong(name, "expected a string");
    }
    return given;
}

namespace {

/// The items of an array; empty if the key is missing.
Result<std::vector<const toml::node*>> itemsOf(const toml::table& table, std::string_view name,
                                               const core::Where& where) {
    std::vector<const toml::node*> items;
    const toml::node* const node = table.get(name);
    if (node == nullptr) {
        return items;
    }
    const toml::array* const array = node->as_array();
    if (array == nullptr) {
        return fail(ErrorCode::Format, fmt::format("expected an array, got {}", kindOf(*node)), where);
    }
    for (const toml::node& each : *array) {
        items.push_back(&each);
    }
    return items;
}

}  // namespace

Result<std::vector<std::string>> ManifestNode::texts(std::string_view name) const {
    ET_ASSIGN(const auto items, itemsOf(tableOf(table), name, where(name)));
    std::vector<std::string> all;
    for (const toml::node* const each : items) {
        const toml::value<std::string>* const text = each->as_string();
        if (text == nullptr || text->get().empty()) {
            return wrong(
                fmt::format("{}[{}]", name, all.size()),
                fmt::format("expected a name, got {}", text == nullptr ? kindOf(*each) : "an empty string"));
        }
        all.push_back(text->get());
    }
    return all;
}

Result<std::vector<std::int64_t>> ManifestNode::integers(std::string_view name) const {
    ET_ASSIGN(const auto items, itemsOf(tableOf(table), name, where(name)));
    std::vector<std::int64_t> all;
    for (const toml::node* const each : items) {
        const toml::value<std::int64_t>* const number = each->as_integer();
        if (number == nullptr) {
            return wrong(fmt::format("{}[{}]", name, all.size()),
                         fmt::format("expected an integer, got {}", kindOf(*each)));
        }
        all.push_back(number->get());
    }
    return all;
}

Result<std::vector<double>> ManifestNode::numbers(std::string_view name) const {
    ET_ASSIGN(const auto items, itemsOf(tableOf(table), name, where(name)));
    std::vector<double> all;
    for (const toml::node* const each : items) {
        const auto number =
            each->is_boolean() ? std::optional(each->value_or(false) ? 1.0 : 0.0) : each->value<double>();
        if (!number || each->is_string()) {
            return wrong(fmt::format("{}[{}]", name, all.size()),
                         fmt::format("expected a number, got {}", kindOf(*each)));
        }
        all.push_back(*number);
    }
    return all;
}

Result<std::int64_t> ManifestNode::integer(std::string_view name) const {
    const toml::node* const node = tableOf(table).get(name);
    const toml::value<std::int64_t>* const number = node == nullptr ? nullptr : node->as_integer();
    if (number == nullptr) {
        return wrong(name,
                     fmt::format("expected an integer, got {}", node == nullptr ? "nothing" : kindOf(*node)));
    }
    return number->get();
}

Result<double> ManifestNode::number(std::string_view name, double otherwise) const {
    const toml::node* const node = tableOf(table).get(name);
    if (node == nullptr) {
        return otherwise;
    }
    if (!node->is_number()) {
        return wrong(name, fmt::format("expected a number, got {}", kindOf(*node)));
    }
    return node->value_or(otherwise);
}

Result<std::uint64_t> ManifestNode::count(std::string_view name, std::uint64_t otherwise,
                                          std::uint64_t most) const {
    if (!has(name)) {
        return otherwise;
    }
    ET_ASSIGN(const std::int64_t given, integer(name));
    if (given < 0 || static_cast<std::uint64_t>(given) > most) {
        return wrong(name, fmt::format("expected 0 to {}, got {}", most, given));
    }
    return static_cast<std::uint64_t>(given);
}

Result<std::optional<core::ScalarType>> ManifestNode::dtype(std::string_view name) const {
    ET_ASSIGN(const std::string given, text(name, {}));
    if (given.empty()) {
        return std::optional<core::ScalarType>();
    }
    for (const core::ScalarTypeInfo& each : core::scalarTypes()) {
        if (each.torchName == given && each.kind != core::ScalarKind::Other &&
            each.kind != core::ScalarKind::Complex) {
            return std::optional(static_cast<core::ScalarType>(each.code));
        }
    }
    return wrong(
        name, fmt::format("expected a dtype such as float32 or int64, got \"{}\"", core::printable(given)));
}

Result<> ManifestNode::eachTable(std::string_view name, const Visit& visit) const {
    const toml::node* const node = tableOf(table).get(name);
    if (node == nullptr) {
        return {};
    }
    const toml::table* const tables = node->as_table();
    if (tables == nullptr) {
        return wrong(name, fmt::format("expected a table, got {}", kindOf(*node)));
    }
    for (const auto& [each, item] : *tables) {
        const std::string inside = where(fmt::format("{}.{}", name, each.str())).field;
        const toml::table* const found = item.as_table();
        if (found == nullptr) {
            return fail(ErrorCode::Format, fmt::format("expected a table, got {}", kindOf(item)),
                        {.file = document->file, .field = inside, .offset = {}});
        }
        ET_TRY(visit(ManifestNode(document, found, inside, std::string(each.str()))));
    }
    return {};
}

Result<> ManifestNode::eachItem(std::string_view name, const Visit& visit) const {
    ET_ASSIGN(const auto items, itemsOf(tableOf(table), name, where(name)));
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string inside = where(fmt::format("{}[{}]", name, i)).field;
        const toml::table* const found = items[i]->as_table();
        if (found == nullptr) {
            return fail(ErrorCode::Format, fmt::format("expected a table, got {}", kindOf(*items[i])),
                        {.file = document->file, .field = inside, .offset = {}});
        }
        ET_TRY(visit(ManifestNode(document, found, inside, {})));
    }
    return {};
}

}  // namespace et::tasks
