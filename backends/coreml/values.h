#pragma once

#include "backends/coreml/package.h"
#include "backends/payload_bytes.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Types and values of an ML Program (apple/coremltools, mlmodel/format/MIL.proto).
namespace et::backends::coreml {

struct ValueType {
    std::string text;         ///< "float16 [1, 3, 8, 8]", "state float16 [1, 64]", "list of string"
    std::uint64_t bytes = 0;  ///< of the dense data; 0: unknown
    bool isState = false;
    bool isScalar = false;
};

/// Errors: Format, Limit (nested more than 16 deep).
[[nodiscard]] core::Result<ValueType> readType(core::Bytes message);

/// A name with its type.
struct NamedType {
    std::string name;
    ValueType type;
};
[[nodiscard]] core::Result<NamedType> readNamedType(core::Bytes message);

/// A constant: an immediate value, or one in a weight file.
struct ConstantValue {
    ValueType type;
    std::string text;          ///< of a short immediate value: "[1, 1]"; empty: too long
    core::Bytes data;          ///< elements in memory order, if they are stored that way
    std::string fileName{};    ///< of a weight file; empty: immediate
    std::uint64_t offset = 0;  ///< in the weight file
};
[[nodiscard]] core::Result<ConstantValue> readValue(core::Bytes message);

/// A blob of a weight file (apple/coremltools, mlmodel/src/MILBlob/Blob/StorageFormat.hpp).
struct WeightBlob {
    std::string_view dtype;  ///< "float16"; empty: unknown
    core::Bytes data;
};

/// Size of the header of a weight file, and of each blob's metadata.
inline constexpr std::size_t weightHeader = 64;

/// The blob whose metadata are at `offset`. Errors: Format.
[[nodiscard]] core::Result<WeightBlob> readBlob(core::Bytes file, std::uint64_t offset);

}  // namespace et::backends::coreml
