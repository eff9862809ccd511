#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace et::archive {

/// Opaque form of simdjson::dom::element. Avoids its header, which adds seconds to the compilation of every
/// file that includes it; json_element.h converts between the two.
struct JsonElement {
    const void* document = nullptr;
    std::size_t position = 0;
};

/// A value in a JSON document with its path from the root, for error messages. The path is a chain of
/// pointers to the parent values: a JsonValue must not outlive the one it was obtained from.
class JsonValue {
  public:
    JsonValue(JsonElement value, std::string_view rootName) : element(value), key(rootName) {}

    /// "edge_dialect_exported_program/forward: graph_module.graph.nodes[3]".
    [[nodiscard]] std::string path() const;
    [[nodiscard]] JsonElement raw() const { return element; }
    /// The value's JSON text, minified.
    [[nodiscard]] std::string text() const;

    [[nodiscard]] bool isNull() const;
    [[nodiscard]] bool isObject() const;
    [[nodiscard]] bool isArray() const;
    [[nodiscard]] bool isString() const;
    [[nodiscard]] bool isBoolean() const;
    [[nodiscard]] bool isInteger() const;

    /// A member of an object. Errors: Format (not an object, no such member).
    [[nodiscard]] core::Result<JsonValue> member(std::string_view name) const;
    /// A member that may be missing or null; also empty if this is not an object.
    [[nodiscard]] std::optional<JsonValue> find(std::string_view name) const;

    // Errors of all of these: Format (another kind of value). Views are valid as long as the document.
    [[nodiscard]] core::Result<std::string_view> string() const;
    [[nodiscard]] core::Result<std::int64_t> integer() const;
    [[nodiscard]] core::Result<bool> boolean() const;
    /// A number, including Python's spellings of NaN and the infinities.
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

    /// Error "expected `what`" for this value.
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
    std::string_view key;   ///< name of the root or the member
    std::size_t index = 0;  ///< position in an array if `key` is empty
};

/// A parsed JSON text.
class JsonDocument {
  public:
    /// Maximum nesting of arrays and objects.
    static constexpr std::size_t maxDepth = 512;
    /// Maximum length of the text, which is also the parser's limit.
    static constexpr std::uint64_t maxBytes = 0xFFFF'FFFF - 64;

    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    JsonDocument(const JsonDocument&) = delete;
    JsonDocument& operator=(const JsonDocument&) = delete;
    ~JsonDocument();

    /// Python writes infinities and NaN bare, which JSON does not allow; they are read as strings. `name` is
    /// the root in error messages. Errors: Format, Limit (depth, size).
    [[nodiscard]] static core::Result<JsonDocument> parse(core::Bytes text, std::string_view name);

    [[nodiscard]] JsonValue root() const { return {element, name}; }

  private:
    struct Parser;  ///< owns the memory of all elements

    JsonDocument();

    std::unique_ptr<Parser> parser;
    JsonElement element;
    std::string name;
};

}  // namespace et::archive
