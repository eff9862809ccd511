#pragma once

#include "backends/vulkan/schema/payload_generated.h"

#include <cstdint>
#include <string>
#include <string_view>

// What the codes of a payload mean.
namespace et::backends::vulkan {

struct DatatypeTraits {
    std::string name;        ///< "float32"; "datatype 99" for a code that we do not know
    std::uint64_t bits = 0;  ///< of an element; 0: not known
};
[[nodiscard]] DatatypeTraits datatypeTraits(std::int8_t code);

/// Code of a storage or a layout that the payload leaves to the runtime.
inline constexpr std::uint8_t leftToRuntime = 255;

/// In what a tensor lies: "buffer", "3D texture", "storage 99".
[[nodiscard]] std::string storageName(std::uint8_t code);
/// In which order: "channels packed", "layout 99".
[[nodiscard]] std::string layoutName(std::uint8_t code);

/// "tensor", "int", "list of int", …
[[nodiscard]] std::string_view typeName(const schema::Value& value);

/// What an operator calls an argument that says how numbers are quantized: "scale". Others: "argument 3".
[[nodiscard]] std::string argumentName(std::string_view operatorName, std::size_t position);

/// What a value that is no tensor holds, for people: "[2, 2]", "none". Long lists and texts are cut off.
[[nodiscard]] std::string valueText(const schema::Value& value);

}  // namespace et::backends::vulkan
