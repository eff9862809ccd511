#include "app/cli/dap/json_value.h"

#include <fmt/format.h>

namespace et::cli::dap {

namespace dom = simdjson::dom;

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
