#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace et::inspector::detail {

/// The bytes of base64 text (RFC 4648, padded); nothing where it is none.
[[nodiscard]] std::optional<std::string> base64Decoded(std::string_view text);

}  // namespace et::inspector::detail
