#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a delegate's payload shows of itself to somebody who does not know the format inside.
namespace et::backends {

/// How a payload starts.
struct PayloadFormat {
    std::string mark;  ///< the identifier that it carries: "VH00", "TOSA"; empty: it carries none
    std::string text;  ///< "Vulkan header, flatbuffer VK00", "text", "unknown"
};

/// Recognises the headers of the known compilers, any other flatbuffer that carries an identifier, and plain
/// text. Looks at the start only (of a text: at all of it).
[[nodiscard]] PayloadFormat payloadFormat(core::Bytes payload);

/// Bytes that are meant to be read: all of them print, but for line breaks and one zero at the end.
[[nodiscard]] std::optional<std::string_view> asText(core::Bytes bytes);

/// At most `max` bytes as "4d503030…", with an ellipsis where there are more.
[[nodiscard]] std::string hexText(core::Bytes bytes, std::size_t max);

/// Positions of those `names` that the payload holds as strings of a flatbuffer: their length in 32 bits,
/// then the characters and a zero. So do all compilers that keep constants outside of their payload. One pass
/// over the payload, whatever the number of names; names of more than 256 characters are left out.
[[nodiscard]] std::vector<std::size_t> namesIn(core::Bytes payload, std::span<const std::string_view> names);

}  // namespace et::backends
