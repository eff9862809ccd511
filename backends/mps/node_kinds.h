#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace et::backends::mps {

/// Storage and meaning of a node's field.
enum class FieldKind : std::uint8_t {
    Input,       ///< id of a value; negative: omitted
    Output,      ///< likewise
    InputList,   ///< ids of values
    OutputList,  ///< likewise
    Int,
    Long,
    Float,
    Bool,
    Text,
    IntList,
    Datatype,
};

/// A field: its slot in the table and its name.
struct FieldInfo {
    std::uint8_t slot;
    FieldKind kind;
    std::string_view name;
};

/// A node kind, by its number in the format's union.
struct NodeKindInfo {
    std::string_view name;  ///< as spelled by the compiler: "MPSConv2D"
    std::span<const FieldInfo> fields;
};

/// Null for an unknown number.
[[nodiscard]] const NodeKindInfo* nodeKind(std::uint8_t number);

}  // namespace et::backends::mps
