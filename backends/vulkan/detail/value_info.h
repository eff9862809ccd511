#pragma once

#include "backends/vulkan/schema/payload_generated.h"

#include <cstdint>
#include <string>
#include <string_view>

// Names of the codes in a payload.
namespace et::backends::vulkan {

struct DatatypeInfo {
    std::string name;        ///< "float32"; "datatype 99" for an unknown code
    std::uint64_t bits = 0;  ///< per element; 0: unknown
};
[[nodiscard]] DatatypeInfo datatypeInfo(std::int8_t code);

/// Code of a storage or layout that the runtime chooses.
inline constexpr std::uint8_t leftToRuntime = 255;

/// Storage of a tensor: "buffer", "3D texture", "storage 99".
[[nodiscard]] std::string storageName(std::uint8_t code);
/// Memory layout: "channels packed", "layout 99".
[[nodiscard]] std::string layoutName(std::uint8_t code);

/// "tensor", "int", "list of int", …
[[nodiscard]] std::string_view typeName(const schema::Value& value);

/// Name of an operator's quantization argument: "scale". Others: "argument 3".
[[nodiscard]] std::string argumentName(std::string_view operatorName, std::size_t position);

/// Formats a value that is not a tensor: "[2, 2]", "none". Long lists and texts are truncated.
[[nodiscard]] std::string valueText(const schema::Value& value);

}  // namespace et::backends::vulkan
