#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace et::etrecord::detail {

/// A place in a JSON document that knows its way from the root, so that errors name it. The way is a chain of
/// pointers to the places above: a JsonValue must not outlive the one it was got from.
class JsonValue {
  public:
    JsonValue(simdjson::dom::element value, std::string_view rootName) : element(value), key(rootName) {}

    /// "edge_dialect_exported_program/forward: graph_module.graph.nodes[3]".
    [[nodiscard]] std::string path() const;
    [[nodiscard]] simdjson::dom::element raw() const { return element; }
    /// The value's own JSON text, minified.
    [[nodiscard]] std::string text() const { return simdjson::minify(element); }

    [[nodiscard]] bool isNull() const { return element.is_null(); }
    [[nodiscard]] bool isObject() const { return element.is_object(); }
    [[nodiscard]] bool isArray() const { return element.is_array(); }
    [[nodiscard]] bool isString() const { return element.is_string(); }
    [[nodiscard]] bool isBoolean() const { return element.is_bool(); }
    [[nodiscard]] bool isInteger() const { return element.is_int64(); }

    /// A member of an object. Errors: Format (no object, no such member).
    [[nodiscard]] core::Result<JsonValue> member(std::string_view name) const;
    /// A member that a file may leave out or set to null; nothing as well when this is no object.
    [[nodiscard]] std::optional<JsonValue> find(std::string_view name) const;

    // Errors of all of these: Format (another kind of value). Views live as long as the document.
    [[nodiscard]] core::Result<std::string_view> string() const;
    [[nodiscard]] core::Result<std::int64_t> integer() const;
    [[nodiscard]] core::Result<bool> boolean() const;
    /// A number; also the spellings of NaN and the infinities that Python's serializers use.
    [[nodiscard]] core::Result<double> number() const;
    [[nodiscard]] core::Result<std::size_t> size() const;  ///< of an array

    /// Calls `visit(JsonValue)` -> Result<> for each element of an array; stops at the first error.
    template <class Visit>
    [[nodiscard]] core::Result<> forEach(Visit&& visit) const {
        ET_ASSIGN(const simdjson::dom::array array, asArray());
        std::size_t position = 0;
        for (const simdjson::dom::element each : array) {
            ET_TRY(visit(JsonValue(each, this, position++)));
        }
        return {};
    }

    /// Calls `visit(std::string_view key, JsonValue)` -> Result<> for each member of an object.
    template <class Visit>
    [[nodiscard]] core::Result<> forEachMember(Visit&& visit) const {
        ET_ASSIGN(const simdjson::dom::object object, asObject());
        for (const auto& [name, value] : object) {
            ET_TRY(visit(name, JsonValue(value, this, name)));
        }
        return {};
    }

    /// "expected `what`", at this place.
    [[nodiscard]] std::unexpected<core::Error> unexpected(std::string_view what) const;

  private:
    JsonValue(simdjson::dom::element value, const JsonValue* above, std::string_view name)
        : element(value), parent(above), key(name) {}
    JsonValue(simdjson::dom::element value, const JsonValue* above, std::size_t position)
        : element(value), parent(above), index(position) {}

    [[nodiscard]] core::Result<simdjson::dom::array> asArray() const;
    [[nodiscard]] core::Result<simdjson::dom::object> asObject() const;

    simdjson::dom::element element;
    const JsonValue* parent = nullptr;
    std::string_view key;   ///< root's name, or the member's name
    std::size_t index = 0;  ///< position in an array, where `key` is empty
};

/// A parsed JSON text.
class JsonDocument {
  public:
    /// Deepest nesting of arrays and objects that we read.
    static constexpr std::size_t maxDepth = 512;
    /// Longest text that we read, which is also the parser's own limit.
    static constexpr std::uint64_t maxBytes = 0xFFFF'FFFF - 64;

    /// Python writes infinities and NaN bare, which JSON does not have; they are read as strings.
    /// `name` stands in errors as the root. Errors: Format, Limit (depth, size).
    [[nodiscard]] static core::Result<JsonDocument> parse(core::Bytes text, std::string_view name);

    [[nodiscard]] JsonValue root() const { return {element, name}; }

  private:
    JsonDocument() = default;

    std::unique_ptr<simdjson::dom::parser> parser;
    simdjson::dom::element element;
    std::string name;
};

}  // namespace et::etrecord::detail
