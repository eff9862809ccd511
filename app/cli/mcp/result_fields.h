#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace et::cli::mcp {

enum class FieldKind : std::uint8_t {
    Text,
    Integer,
    Number,
    Flag,
    Texts,
    Numbers,
    Any,  ///< of several kinds, or an object with variable names
};

/// A member of a command's JSON document. Paths name members of objects, "rows[].p50" those of a list's
/// elements. A value may also be null.
struct ResultField {
    std::string_view path;
    FieldKind kind = FieldKind::Text;
    std::string_view unit;  ///< of a number that is not an id: "bytes", "us", "count"
    std::string_view meaning;
    bool sorts = false;  ///< the list of the member is sorted by it, largest first
};

/// The members of a command's JSON document that answers contain, in their order.
struct ResultShape {
    std::string_view name;     ///< unique: "memory"
    std::string_view command;  ///< that writes the document
    std::span<const ResultField> fields;
    /// If not empty, the document is an element of a list, or a list, and becomes this member.
    std::string_view listName = {};
};

[[nodiscard]] std::span<const ResultShape> resultShapes();
/// `name` must be that of a shape.
[[nodiscard]] const ResultShape& resultShape(std::string_view name);

}  // namespace et::cli::mcp
