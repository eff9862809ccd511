#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::core {

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

/// Bytes of a dense tensor of `sizes`; nothing when a size is negative, the dtype has no byte size, or
/// the product does not fit 63 bits.
[[nodiscard]] std::optional<std::int64_t> tensorBytes(std::int64_t code, std::span<const std::int64_t> sizes);

}  // namespace et::core
