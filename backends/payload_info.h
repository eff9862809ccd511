#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Properties of a delegate's payload that are visible without knowing its format.
namespace et::backends {

/// Format at the start of a payload.
struct PayloadFormat {
    std::string mark;  ///< its identifier: "VH00", "TOSA"; empty: none
    std::string text;  ///< "Vulkan header, flatbuffer VK00", "text", "unknown"
};

/// Recognises the headers of known compilers, any other flatbuffer with an identifier, and plain text.
/// Inspects only the start (for text: all bytes).
[[nodiscard]] PayloadFormat payloadFormat(core::Bytes payload);

/// Bytes that are text: all are printable, except line breaks and an optional final zero.
[[nodiscard]] std::optional<std::string_view> asText(core::Bytes bytes);

/// At most `max` bytes as "4d503030…", with an ellipsis if there are more.
[[nodiscard]] std::string hexText(core::Bytes bytes, std::size_t max);

/// Positions of those `names` that occur in the payload as flatbuffer strings: their length in 32 bits, then
/// the characters and a zero. All compilers that store constants outside their payload do this. One pass over
/// the payload for any number of names; names longer than 256 characters are skipped.
[[nodiscard]] std::vector<std::size_t> namesIn(core::Bytes payload, std::span<const std::string_view> names);

}  // namespace et::backends
