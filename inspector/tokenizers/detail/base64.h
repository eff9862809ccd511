#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace et::inspector::tokenizers::detail {

/// Decodes base64 text (RFC 4648, padded); nothing if it is invalid.
[[nodiscard]] std::optional<std::string> base64Decoded(std::string_view text);

}  // namespace et::inspector::tokenizers::detail
