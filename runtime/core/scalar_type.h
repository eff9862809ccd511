#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::core {

/// The dtypes named in code, with their numbers in files. Other int8 values from files are preserved.
enum class ScalarType : std::int8_t {
    Byte = 0,
    Char = 1,
    Short = 2,
    Int = 3,
    Long = 4,
    Half = 5,
    Float = 6,
    Double = 7,
    ComplexHalf = 8,
    ComplexFloat = 9,
    ComplexDouble = 10,
    Bool = 11,
    QInt8 = 12,
    QUInt8 = 13,
    QInt32 = 14,
    BFloat16 = 15,
    Bits16 = 22,
    UInt16 = 27,
    UInt32 = 28,
    UInt64 = 29,
};

enum class ScalarKind : std::uint8_t {
    Bool,
    Signed,    ///< integers
    Unsigned,  ///< likewise
    Float,     ///< floating point with a C++ type for computation
    Complex,
    Other,  ///< quantized, 8-bit, or several elements per byte: not supported in computations
};

/// A dtype with its numbers and names in artifacts (c10::ScalarType's values are shared by the program,
/// trace, bundled program and record formats).
struct ScalarTypeInfo {
    std::int8_t code;            ///< number in the files
    std::int8_t exported;        ///< number in a serialized torch.export graph; 0: none
    std::string_view name;       ///< "FLOAT", as the schemas spell it
    std::string_view torchName;  ///< "float32", as printed by torch.dtype without "torch."
    std::uint8_t bytes;          ///< size of an element in bytes; 0 if sub-byte or opaque
    ScalarKind kind;
};

/// All known dtypes, by ascending code. Numbers in graphs: torch/_export/serde/schema.py, ScalarType.
inline constexpr std::array scalarTypeTable{
    ScalarTypeInfo{0, 1, "BYTE", "uint8", 1, ScalarKind::Unsigned},
    ScalarTypeInfo{1, 2, "CHAR", "int8", 1, ScalarKind::Signed},
    ScalarTypeInfo{2, 3, "SHORT", "int16", 2, ScalarKind::Signed},
    ScalarTypeInfo{3, 4, "INT", "int32", 4, ScalarKind::Signed},
    ScalarTypeInfo{4, 5, "LONG", "int64", 8, ScalarKind::Signed},
    ScalarTypeInfo{5, 6, "HALF", "float16", 2, ScalarKind::Float},
    ScalarTypeInfo{6, 7, "FLOAT", "float32", 4, ScalarKind::Float},
    ScalarTypeInfo{7, 8, "DOUBLE", "float64", 8, ScalarKind::Float},
    ScalarTypeInfo{8, 9, "COMPLEX32", "complex32", 4, ScalarKind::Complex},
    ScalarTypeInfo{9, 10, "COMPLEX64", "complex64", 8, ScalarKind::Complex},
    ScalarTypeInfo{10, 11, "COMPLEX128", "complex128", 16, ScalarKind::Complex},
    ScalarTypeInfo{11, 12, "BOOL", "bool", 1, ScalarKind::Bool},
    ScalarTypeInfo{12, 0, "QINT8", "qint8", 1, ScalarKind::Other},
    ScalarTypeInfo{13, 0, "QUINT8", "quint8", 1, ScalarKind::Other},
    ScalarTypeInfo{14, 0, "QINT32", "qint32", 4, ScalarKind::Other},
    ScalarTypeInfo{15, 13, "BFLOAT16", "bfloat16", 2, ScalarKind::Float},
    ScalarTypeInfo{16, 0, "QUINT4X2", "quint4x2", 1, ScalarKind::Other},
    ScalarTypeInfo{17, 0, "QUINT2X4", "quint2x4", 1, ScalarKind::Other},
    ScalarTypeInfo{18, 0, "BITS1X8", "bits1x8", 1, ScalarKind::Other},
    ScalarTypeInfo{19, 0, "BITS2X4", "bits2x4", 1, ScalarKind::Other},
    ScalarTypeInfo{20, 0, "BITS4X2", "bits4x2", 1, ScalarKind::Other},
    ScalarTypeInfo{21, 0, "BITS8", "bits8", 1, ScalarKind::Other},
    ScalarTypeInfo{22, 0, "BITS16", "bits16", 2, ScalarKind::Other},
    ScalarTypeInfo{23, 30, "FLOAT8E5M2", "float8_e5m2", 1, ScalarKind::Other},
    ScalarTypeInfo{24, 29, "FLOAT8E4M3FN", "float8_e4m3fn", 1, ScalarKind::Other},
    ScalarTypeInfo{25, 32, "FLOAT8E5M2FNUZ", "float8_e5m2fnuz", 1, ScalarKind::Other},
    ScalarTypeInfo{26, 31, "FLOAT8E4M3FNUZ", "float8_e4m3fnuz", 1, ScalarKind::Other},
    ScalarTypeInfo{27, 28, "UINT16", "uint16", 2, ScalarKind::Unsigned},
    ScalarTypeInfo{28, 34, "UINT32", "uint32", 4, ScalarKind::Unsigned},
    ScalarTypeInfo{29, 35, "UINT64", "uint64", 8, ScalarKind::Unsigned},
    ScalarTypeInfo{44, 33, "FLOAT8E8M0FNU", "float8_e8m0fnu", 1, ScalarKind::Other},
};
[[nodiscard]] constexpr std::span<const ScalarTypeInfo> scalarTypes() {
    return scalarTypeTable;
}

/// Returns Other for a code outside the table.
[[nodiscard]] constexpr ScalarKind scalarKind(ScalarType type) {
    for (const ScalarTypeInfo& each : scalarTypeTable) {
        if (each.code == static_cast<std::int8_t>(type)) {
            return each.kind;
        }
    }
    return ScalarKind::Other;
}

/// Traits of a code; nothing for a number outside the table.
[[nodiscard]] std::optional<ScalarTypeInfo> scalarType(std::int64_t code);

/// "float32", or "dtype 99" for an unknown code.
[[nodiscard]] std::string scalarTypeName(std::int64_t code);
[[nodiscard]] inline std::string scalarTypeName(ScalarType type) {
    return scalarTypeName(static_cast<std::int64_t>(type));
}

/// Size of an element in bytes; 0 for several elements per byte or an unknown code.
[[nodiscard]] std::size_t elementBytes(ScalarType type);

/// Bytes of a dense tensor of `sizes`; nothing if a size is negative, the dtype has no byte size, or the
/// product does not fit 63 bits.
[[nodiscard]] std::optional<std::int64_t> tensorBytes(std::int64_t code, std::span<const std::int64_t> sizes);

}  // namespace et::core
