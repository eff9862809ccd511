#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace et::backends::mlx {

/// Storage and meaning of a node's field.
enum class FieldKind : std::uint8_t {
    Tensor,          ///< number of a tensor that the node reads
    OptionalTensor,  ///< likewise, or omitted
    Tensors,
    Result,  ///< number of a tensor that the node writes
    Results,
    StackedResults,  ///< written once per step of a loop, then stacked
    Carried,         ///< read and written by each step of a loop
    OptionalValue,   ///< number of a value that the node reads
    ValueResult,     ///< number of a value that the node writes
    Number,          ///< an integer, or the number of a value
    OptionalNumber,
    Numbers,
    Real,           ///< a floating-point number, or the number of a value
    ValueOrTensor,  ///< number of a value or of a tensor
    NumberOrTensor,
    Int,
    OptionalInt,
    Ints,
    Bytes,   ///< 8-bit integers
    Offset,  ///< 64 bits, unsigned
    Float,   ///< 32 bits
    OptionalFloat,
    Bool,
    Dtype,
    OptionalDtype,
    Dtypes,
    Text,
    Texts,
    Chain,  ///< index of a chain that the node runs
};

/// A field: its slot in the table, its name in the format, and its value if the table omits it.
struct FieldInfo {
    std::uint8_t slot;
    FieldKind kind;
    std::string_view name;
    double standard = 0;
};

/// A node kind, by its number in the format's union.
struct NodeKindInfo {
    std::string_view name;  ///< as spelled by the compiler: "AddmmNode"
    std::span<const FieldInfo> fields;
};

/// Null for an unknown number.
[[nodiscard]] const NodeKindInfo* nodeKind(std::uint8_t number);
[[nodiscard]] std::size_t nodeKindCount();

}  // namespace et::backends::mlx
