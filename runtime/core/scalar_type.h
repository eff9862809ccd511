#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::core {

/// The dtypes that code names. Numbers are those of the files; a file may hold others, which stay int8.
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
    UInt16 = 27,
    UInt32 = 28,
    UInt64 = 29,
};

/// One dtype as every artifact numbers it (c10::ScalarType's values, which the program, trace, bundled
/// program and record formats share).
struct ScalarTypeFacts {
    std::int8_t code;            ///< number in the files
    std::string_view name;       ///< "FLOAT", as the schemas spell it
    std::string_view torchName;  ///< "float32", as torch.dtype prints without "torch."
    std::uint8_t bytes;          ///< size of one element in bytes; 0 where sub-byte or opaque
};

/// All dtypes that we know, by ascending code.
[[nodiscard]] std::span<const ScalarTypeFacts> scalarTypes();

/// Facts of a code, nothing for a number outside the table.
[[nodiscard]] std::optional<ScalarTypeFacts> scalarType(std::int64_t code);

/// "float32", or "dtype 99" for an unknown code.
[[nodiscard]] std::string scalarTypeName(std::int64_t code);
[[nodiscard]] inline std::string scalarTypeName(ScalarType type) {
    return scalarTypeName(static_cast<std::int64_t>(type));
}

/// Bytes of one element; 0 where a byte holds several or the code is unknown.
[[nodiscard]] std::size_t elementBytes(ScalarType type);

/// Bytes of a dense tensor of `sizes`; nothing when a size is negative, the dtype has no byte size, or
/// the product does not fit 63 bits.
[[nodiscard]] std::optional<std::int64_t> tensorBytes(std::int64_t code, std::span<const std::int64_t> sizes);

}  // namespace et::core
