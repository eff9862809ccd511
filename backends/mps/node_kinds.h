#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace et::backends::mps {

/// How a field of a node is stored, and what it means.
enum class FieldKind : std::uint8_t {
    Input,       ///< number of a value; below 0: left out
    Output,      ///< likewise
    InputList,   ///< numbers of values
    OutputList,  ///< likewise
    Int,
    Long,
    Float,
    Bool,
    Text,
    IntList,
    Datatype,
};

/// One field: where its table has it, and its name.
struct FieldTraits {
    std::uint8_t slot;
    FieldKind kind;
    std::string_view name;
};

/// A kind of node, by its number in the format's union.
struct NodeKindTraits {
    std::string_view name;  ///< as the compiler spells it: "MPSConv2D"
    std::span<const FieldTraits> fields;
};

/// Null for a number that we do not know.
[[nodiscard]] const NodeKindTraits* nodeKind(std::uint8_t number);

}  // namespace et::backends::mps
