#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace et::etrecord::detail {

/// The parser's own handle of an element (simdjson::dom::element), without its header, which costs seconds in
/// every file that includes it: json_element.h turns one into the other.
struct JsonElement {
    const void* document = nullptr;
    std::size_t position = 0;
};

/// A place in a JSON document that knows its way from the root, so that errors name it. The way is a chain of
/// pointers to the places above: a JsonValue must not outlive the one it was got from.
class JsonValue {
  public:
    JsonValue(JsonElement value, std::string_view rootName) : element(value), key(rootName) {}

    /// "edge_dialect_exported_program/forward: graph_module.graph.nodes[3]".
    [[nodiscard]] std::string path() const;
    [[nodiscard]] JsonElement raw() const { return element; }
    /// The value's own JSON text, minified.
    [[nodiscard]] std::string text() const;

    [[nodiscard]] bool isNull() const;
    [[nodiscard]] bool isObject() const;
    [[nodiscard]] bool isArray() const;
    [[nodiscard]] bool isString() const;
    [[nodiscard]] bool isBoolean() const;
    [[nodiscard]] bool isInteger() const;

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
        using Function = std::remove_reference_t<Visit>;
        return visitArray(
            [](void* function, const JsonValue& each) -> core::Result<> {
                return (*static_cast<Function*>(function))(each);
            },
            addressOf(visit));
    }

    /// Calls `visit(std::string_view key, JsonValue)` -> Result<> for each member of an object.
    template <class Visit>
    [[nodiscard]] core::Result<> forEachMember(Visit&& visit) const {
        using Function = std::remove_reference_t<Visit>;
        return visitObject(
            [](void* function, std::string_view name, const JsonValue& each) -> core::Result<> {
                return (*static_cast<Function*>(function))(name, each);
            },
            addressOf(visit));
    }

    /// "expected `what`", at this place.
    [[nodiscard]] std::unexpected<core::Error> unexpected(std::string_view what) const;

  private:
    JsonValue(JsonElement value, const JsonValue* above, std::string_view name)
        : element(value), parent(above), key(name) {}
    JsonValue(JsonElement value, const JsonValue* above, std::size_t position)
        : element(value), parent(above), index(position) {}

    template <class Visit>
    static void* addressOf(Visit& visit) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): cast back to Visit
        return const_cast<void*>(static_cast<const void*>(&visit));
    }
    [[nodiscard]] core::Result<> visitArray(core::Result<> (*visit)(void*, const JsonValue&),
                                            void* function) const;
    [[nodiscard]] core::Result<> visitObject(core::Result<> (*visit)(void*, std::string_view,
                                                                     const JsonValue&),
                                             void* function) const;

    JsonElement element;
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

    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    JsonDocument(const JsonDocument&) = delete;
    JsonDocument& operator=(const JsonDocument&) = delete;
    ~JsonDocument();

    /// Python writes infinities and NaN bare, which JSON does not have; they are read as strings.
    /// `name` stands in errors as the root. Errors: Format, Limit (depth, size).
    [[nodiscard]] static core::Result<JsonDocument> parse(core::Bytes text, std::string_view name);

    [[nodiscard]] JsonValue root() const { return {element, name}; }

  private:
    struct Parser;  ///< owns what elements point to

    JsonDocument();

    std::unique_ptr<Parser> parser;
    JsonElement element;
    std::string name;
};

}  // namespace et::etrecord::detail
