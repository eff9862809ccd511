#include "inspector/tokenizers/detail/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t maxJsonDepth = 64;
constexpr std::size_t quotedLength = 60;

}  // namespace

std::string JsonField::shortText() const {
    if (value.is_array()) {
        return "a list";
    }
    if (value.is_object()) {
        return "an object";
    }
    const std::string text = simdjson::minify(value);
    return text.size() > quotedLength ? text.substr(0, quotedLength) + "..." : text;
}

std::optional<JsonField> JsonField::find(std::string_view name) const {
    simdjson::dom::object object;
    simdjson::dom::element found;
    if (value.get(object) != simdjson::SUCCESS || object[name].get(found) != simdjson::SUCCESS ||
        found.is_null()) {
        return std::nullopt;
    }
    return JsonField(found, place.empty() ? std::string(name) : fmt::format("{}.{}", place, name));
}

Result<JsonField> JsonField::member(std::string_view name) const {
    if (!value.is_object()) {
        return expected("an object");
    }
    if (auto found = find(name)) {
        return *std::move(found);
    }
    return fail(ErrorCode::Format, fmt::format("missing \"{}\"", name), {.field = place});
}

Result<std::string_view> JsonField::text() const {
    std::string_view result;
    return value.get(result) == simdjson::SUCCESS ? Result<std::string_view>(result) : expected("a string");
}

Result<bool> JsonField::boolean() const {
    bool result = false;
    return value.get(result) == simdjson::SUCCESS ? Result<bool>(result) : expected("true or false");
}

Result<double> JsonField::number() const {
    double result = 0;
    return value.get(result) == simdjson::SUCCESS ? Result<double>(result) : expected("a number");
}

Result<std::uint64_t> JsonField::integer(std::uint64_t max) const {
    std::uint64_t result = 0;
    if (value.get(result) != simdjson::SUCCESS) {
        return expected("an integer");
    }
    if (result > max) {
        return fail(ErrorCode::Limit, fmt::format("{} exceeds {}", result, max), {.field = place});
    }
    return result;
}

Result<simdjson::dom::array> JsonField::array() const {
    simdjson::dom::array result;
    return value.get(result) == simdjson::SUCCESS ? Result<simdjson::dom::array>(result) : expected("a list");
}

Result<simdjson::dom::object> JsonField::object() const {
    simdjson::dom::object result;
    return value.get(result) == simdjson::SUCCESS ? Result<simdjson::dom::object>(result)
                                                  : expected("an object");
}

Result<std::string_view> JsonField::textOr(std::string_view name, std::string_view fallback) const {
    const auto found = find(name);
    return found ? found->text() : fallback;
}

Result<bool> JsonField::booleanOr(std::string_view name, bool fallback) const {
    const auto found = find(name);
    return found ? found->boolean() : fallback;
}

Result<std::uint64_t> JsonField::integerOr(std::string_view name, std::uint64_t max,
                                           std::uint64_t fallback) const {
    const auto found = find(name);
    return found ? found->integer(max) : fallback;
}

JsonField JsonField::at(std::size_t index, simdjson::dom::element element) const {
    return {element, fmt::format("{}[{}]", place, index)};
}

std::unexpected<core::Error> JsonField::expected(std::string_view what) const {
    return fail(ErrorCode::Format, fmt::format("expected {}, got {}", what, shortText()), {.field = place});
}

std::unexpected<core::Error> JsonField::unknown() const {
    return fail(ErrorCode::Unsupported, fmt::format("{} is not supported by this version", shortText()),
                {.field = place});
}

core::Error JsonField::placed(core::Error error) const {
    if (error.where.field.empty()) {
        error.where.field = place;
    }
    return error;
}

namespace {

/// Writes integers of 19 and more digits as floating-point numbers. simdjson cannot read integers that exceed
/// 64 bits, such as the model_max_length of many tokenizer_config.json: 10^30 as an exact double.
std::string withLongIntegersAsFloats(std::string_view json) {
    constexpr std::size_t long64 = 19;
    std::string text;
    text.reserve(json.size() + 16);
    bool isString = false;
    for (std::size_t at = 0; at < json.size();) {
        const std::size_t end = std::min(json.find_first_not_of("0123456789", at), json.size());
        if (isString || end == at) {
            isString = isString != (json[at] == '"');
            const std::size_t length = isString && json[at] == '\\' ? 2 : 1;
            text += json.substr(at, length);
            at += length;
            continue;
        }
        text += json.substr(at, end - at);
        const bool isInteger = (at == 0 || json[at - 1] != '.') &&
                               (end == json.size() || !std::string_view(".eE").contains(json[end]));
        text += isInteger && end - at >= long64 ? "e0" : "";
        at = end;
    }
    return text;
}

}  // namespace

Result<JsonField> parseJson(simdjson::dom::parser& parser, std::string_view bytes) {
    simdjson::dom::element root;
    if (parser.allocate(bytes.size(), maxJsonDepth) != simdjson::SUCCESS) {
        return fail(ErrorCode::Limit, "not enough memory for the JSON");
    }
    auto error = parser.parse(bytes.data(), bytes.size()).get(root);
    if (error == simdjson::BIGINT_ERROR) {
        error = parser.parse(withLongIntegersAsFloats(bytes)).get(root);
    }
    if (error != simdjson::SUCCESS) {
        // Removes the code's name from "TAPE_ERROR: what is wrong".
        const std::string_view said = simdjson::error_message(error);
        const std::size_t colon = said.find(": ");
        return fail(ErrorCode::Format,
                    fmt::format("malformed JSON: {}",
                                colon == std::string_view::npos ? said : said.substr(colon + 2)));
    }
    return JsonField(root, "");
}

}  // namespace et::inspector::tokenizers::detail
