#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace et::backends::tosa {

/// Storage and meaning of an operator's field.
enum class FieldKind : std::uint8_t {
    Int,
    IntList,
    Bool,
    Datatype,
    ResizeMode,
    NanMode,
    RoundingMode,
    Element,  ///< bytes of one element of the datatype of the first input
    Text,
    Blob,
    Graph,  ///< name of a region
};

/// A field; its slot in the table is its position in the list.
struct FieldInfo {
    FieldKind kind;
    std::string_view name;
};

/// An operator, by its number in the format's union.
struct OperatorInfo {
    std::string_view name;        ///< as the specification spells it: "CONV2D"
    std::string_view inputNames;  ///< separated by blanks; empty: no fixed number
    std::span<const FieldInfo> fields{};
};

/// Null for an unknown number. Numbers and fields are those of TOSA 1.0 and 1.1.
[[nodiscard]] const OperatorInfo* operatorInfo(std::uint32_t number);

/// An element type.
struct DatatypeInfo {
    std::string_view name;  ///< "float32"
    std::uint8_t bits;      ///< of an element; 0: unknown
};

inline constexpr std::uint32_t shapeDatatype = 10;

/// Null for an unknown code.
[[nodiscard]] const DatatypeInfo* datatypeInfo(std::uint32_t code);

/// Name of a mode's code; empty for an unknown one, and for kinds that are no modes.
[[nodiscard]] std::string_view modeName(FieldKind kind, std::uint32_t code);

}  // namespace et::backends::tosa
