#include "runtime/archive/json.h"

#include "runtime/archive/json_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace et::archive {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Numbers that JSON cannot represent; Python's json module writes them bare, torch.export as strings.
struct SpecialNumber {
    std::string_view spelling;
    std::string_view inString;  ///< same length, including quotes
    double value;
};
constexpr std::array specialNumbers{
    SpecialNumber{"-Infinity", "\"-inf\"   ", -infinity},
    SpecialNumber{"Infinity", "\"inf\"   ", infinity},
    SpecialNumber{"NaN", "\"n\"", std::numeric_limits<double>::quiet_NaN()},
};

/// Short messages for the parser's errors.
struct ParserError {
    simdjson::error_code code;
    std::string_view text;
};
constexpr std::array parserErrors{
    ParserError{simdjson::DEPTH_ERROR, "lists and objects are nested too deeply"},
    ParserError{simdjson::MEMALLOC, "not enough memory"},
    ParserError{simdjson::TAPE_ERROR, "a missing or unexpected comma, bracket or key"},
    ParserError{simdjson::UNCLOSED_STRING, "an unterminated string"},
    ParserError{simdjson::UTF8_ERROR, "not UTF-8"},
    ParserError{simdjson::EMPTY, "empty"},
    ParserError{simdjson::STRING_ERROR, "a malformed string"},
    ParserError{simdjson::UNESCAPED_CHARS, "a control character in a string"},
    ParserError{simdjson::NUMBER_ERROR, "a malformed number"},
    ParserError{simdjson::BIGINT_ERROR, "an integer of more than 64 bits"},
    ParserError{simdjson::T_ATOM_ERROR, "a malformed true"},
    ParserError{simdjson::F_ATOM_ERROR, "a malformed false"},
    ParserError{simdjson::N_ATOM_ERROR, "a malformed null"},
};

/// Position after the string whose opening quote is at `open`.
std::size_t endOfString(const std::string& text, std::size_t open) {
    for (std::size_t quote = text.find('"', open + 1); quote != std::string::npos;
         quote = text.find('"', quote + 1)) {
        const std::size_t lastOther = text.find_last_not_of('\\', quote - 1);
        if ((quote - lastOther) % 2 == 1) {  // in an even number, backslashes escape each other, not the
                                             // quote
            return quote + 1;
        }
    }
    return text.size();
}

/// Quotes special numbers in text that contains no strings, in place.
void quoteIn(std::span<char> piece) {
    for (std::size_t at = 0; at < piece.size(); ++at) {
        if (piece[at] != '-' && piece[at] != 'I' && piece[at] != 'N') {
            continue;
        }
        const std::string_view rest(piece.data() + at, piece.size() - at);
        for (const SpecialNumber& number : specialNumbers) {
            if (rest.starts_with(number.spelling)) {
                std::ranges::copy(number.inString, piece.data() + at);
                at += number.inString.size() - 1;
                break;
            }
        }
    }
}

/// Quotes bare special numbers, in place.
void quoteSpecialNumbers(std::string& text) {
    if (!text.contains("Infinity") && !text.contains("NaN")) {
        return;
    }
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t quote = std::min(text.find('"', at), text.size());
        quoteIn(std::span(text).subspan(at, quote - at));
        at = quote == text.size() ? quote : endOfString(text, quote);
    }
}

/// The value as an array. Errors: Format (another kind of value).
Result<simdjson::dom::array> asArray(const JsonValue& place) {
    simdjson::dom::array value;
    if (domElement(place.raw()).get(value) != simdjson::SUCCESS) {
        return place.unexpected("a list");
    }
    return value;
}

/// The value as an object. Errors: Format (another kind of value).
Result<simdjson::dom::object> asObject(const JsonValue& place) {
    simdjson::dom::object value;
    if (domElement(place.raw()).get(value) != simdjson::SUCCESS) {
        return place.unexpected("an object");
    }
    return value;
}

}  // namespace

std::string JsonValue::text() const {
    return simdjson::minify(domElement(element));
}

bool JsonValue::isNull() const {
    return domElement(element).is_null();
}

bool JsonValue::isObject() const {
    return domElement(element).is_object();
}

bool JsonValue::isArray() const {
    return domElement(element).is_array();
}

bool JsonValue::isString() const {
    return domElement(element).is_string();
}

bool JsonValue::isBoolean() const {
    return domElement(element).is_bool();
}

bool JsonValue::isInteger() const {
    return domElement(element).is_int64();
}

std::string JsonValue::path() const {
    std::vector<const JsonValue*> way;
    for (const JsonValue* at = this; at != nullptr; at = at->parent) {
        way.push_back(at);
    }
    std::string path(way.back()->key);
    for (std::size_t i = way.size() - 1; i-- > 0;) {
        const JsonValue& step = *way[i];
        if (step.key.data() == nullptr) {
            path += fmt::format("[{}]", step.index);
        } else {
            path += fmt::format("{}{}", i + 2 == way.size() ? ": " : ".", step.key);
        }
    }
    return path;
}

std::unexpected<core::Error> JsonValue::unexpected(std::string_view what) const {
    constexpr std::size_t longest = 60;
    std::string given = isObject() ? "an object" : isArray() ? "a list" : text();
    if (given.size() > longest) {
        given = given.substr(0, longest) + "…";
    }
    return fail(ErrorCode::Format, fmt::format("expected {}, got {}", what, given), {.field = path()});
}

Result<JsonValue> JsonValue::member(std::string_view name) const {
    ET_ASSIGN(const simdjson::dom::object object, asObject(*this));
    simdjson::dom::element value;
    if (object.at_key(name).get(value) != simdjson::SUCCESS) {
        return fail(ErrorCode::Format, fmt::format("expected a member named \"{}\"", name),
                    {.field = path()});
    }
    return JsonValue(jsonElement(value), this, name);
}

std::optional<JsonValue> JsonValue::find(std::string_view name) const {
    simdjson::dom::element value;
    if (domElement(element).at_key(name).get(value) != simdjson::SUCCESS || value.is_null()) {
        return std::nullopt;
    }
    return JsonValue(jsonElement(value), this, name);
}

Result<std::string_view> JsonValue::string() const {
    std::string_view value;
    if (domElement(element).get(value) != simdjson::SUCCESS) {
        return unexpected("a string");
    }
    return value;
}

Result<std::int64_t> JsonValue::integer() const {
    std::int64_t value = 0;
    if (domElement(element).get(value) != simdjson::SUCCESS) {
        return unexpected("a 64-bit integer");
    }
    return value;
}

Result<bool> JsonValue::boolean() const {
    bool value = false;
    if (domElement(element).get(value) != simdjson::SUCCESS) {
        return unexpected("a boolean");
    }
    return value;
}

Result<double> JsonValue::number() const {
    double value = 0;
    if (domElement(element).get(value) == simdjson::SUCCESS) {
        return value;
    }
    std::string_view spelled;
    if (domElement(element).get(spelled) == simdjson::SUCCESS) {
        for (const SpecialNumber& special : specialNumbers) {
            const std::string_view quoted = special.inString.substr(1, special.inString.rfind('"') - 1);
            if (spelled == special.spelling || spelled == quoted) {
                return special.value;
            }
        }
    }
    return unexpected("a number");
}

Result<std::size_t> JsonValue::size() const {
    ET_ASSIGN(const simdjson::dom::array array, asArray(*this));
    return array.size();
}

Result<> JsonValue::visitArray(Result<> (*visit)(void*, const JsonValue&), void* function) const {
    ET_ASSIGN(const simdjson::dom::array array, asArray(*this));
    std::size_t position = 0;
    for (const simdjson::dom::element each : array) {
        ET_TRY(visit(function, JsonValue(jsonElement(each), this, position++)));
    }
    return {};
}

Result<> JsonValue::visitObject(Result<> (*visit)(void*, std::string_view, const JsonValue&),
                                void* function) const {
    ET_ASSIGN(const simdjson::dom::object object, asObject(*this));
    for (const auto& [name, value] : object) {
        ET_TRY(visit(function, name, JsonValue(jsonElement(value), this, name)));
    }
    return {};
}

struct JsonDocument::Parser {
    simdjson::dom::parser parser;
};

JsonDocument::JsonDocument() : parser(std::make_unique<Parser>()) {
}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

Result<JsonDocument> JsonDocument::parse(core::Bytes text, std::string_view name) {
    if (text.size() > maxBytes) {
        return fail(ErrorCode::Limit,
                    fmt::format("JSON of {} bytes exceeds the maximum of {}", text.size(), maxBytes),
                    {.field = std::string(name)});
    }
    std::string copy(text.size() + simdjson::SIMDJSON_PADDING, ' ');
    std::ranges::copy(std::span(reinterpret_cast<const char*>(text.data()), text.size()), copy.begin());
    quoteSpecialNumbers(copy);

    JsonDocument document;
    document.name = name;
    simdjson::dom::parser& parser = document.parser->parser;
    simdjson::dom::element root;
    auto error = parser.allocate(text.size(), maxDepth);
    if (error == simdjson::SUCCESS) {
        error = parser.parse(copy.data(), text.size(), false).get(root);
    }
    document.element = jsonElement(root);
    if (error != simdjson::SUCCESS) {
        const auto* known = std::ranges::find(parserErrors, error, &ParserError::code);
        const bool limit = error == simdjson::DEPTH_ERROR || error == simdjson::MEMALLOC;
        return fail(limit ? ErrorCode::Limit : ErrorCode::Format,
                    fmt::format("invalid JSON: {}", known == parserErrors.end() ? "damaged" : known->text),
                    {.field = document.name});
    }
    return document;
}

}  // namespace et::archive
