#include "app/cli/dap/json_value.h"

#include <fmt/format.h>

namespace et::cli::dap {

namespace dom = simdjson::dom;
using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;

JsonValue JsonValue::operator[](std::string_view member) const {
    dom::object object;
    dom::element found;
    if (value && value->get(object) == simdjson::SUCCESS &&
        object.at_key(member).get(found) == simdjson::SUCCESS) {
        return JsonValue(found);
    }
    return {};
}

std::vector<JsonValue> JsonValue::items() const {
    std::vector<JsonValue> all;
    dom::array array;
    if (value && value->get(array) == simdjson::SUCCESS) {
        for (const dom::element each : array) {
            all.emplace_back(each);
        }
    }
    return all;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
    std::vector<std::pair<std::string, JsonValue>> all;
    dom::object object;
    if (value && value->get(object) == simdjson::SUCCESS) {
        for (const auto& [name, member] : object) {
            all.emplace_back(name, JsonValue(member));
        }
    }
    return all;
}

std::string JsonValue::text(std::string_view fallback) const {
    std::string_view found;
    return std::string(value && value->get(found) == simdjson::SUCCESS ? found : fallback);
}

std::optional<std::int64_t> JsonValue::integer() const {
    std::int64_t found = 0;
    return value && value->get(found) == simdjson::SUCCESS ? std::optional(found) : std::nullopt;
}

bool JsonValue::boolean(bool fallback) const {
    bool found = false;
    return value && value->get(found) == simdjson::SUCCESS ? found : fallback;
}

std::string JsonValue::display() const {
    if (!value) {
        return {};
    }
    return value->is_string() ? text() : simdjson::minify(*value);
}

Cell JsonValue::cell() const {
    if (!value || value->is_null()) {
        return {};
    }
    switch (value->type()) {
        case dom::element_type::BOOL:
            return boolean();
        case dom::element_type::INT64:
            return value->get_int64().value_unsafe();
        case dom::element_type::UINT64:
            return value->get_uint64().value_unsafe();
        case dom::element_type::DOUBLE:
            return value->get_double().value_unsafe();
        case dom::element_type::ARRAY: {
            List all;
            for (const JsonValue& each : items()) {
                all.push_back(each.cell());
            }
            return all;
        }
        case dom::element_type::OBJECT: {
            Dict all;
            for (const auto& [name, member] : members()) {
                all.emplace_back(name, member.cell());
            }
            return all;
        }
        default:
            return text();
    }
}

core::Result<JsonText> JsonText::parse(std::string_view text) {
    JsonText parsed;
    parsed.parser = std::make_unique<dom::parser>();
    dom::element root;
    if (const auto error = parsed.parser->parse(simdjson::padded_string(text)).get(root)) {
        return core::fail(core::ErrorCode::Format,
                          fmt::format("invalid JSON: {}", simdjson::error_message(error)));
    }
    parsed.top = JsonValue(root);
    return parsed;
}

}  // namespace et::cli::dap
