#pragma once

#include <random>
#include <string>
#include <string_view>

namespace et::fuzz {

/// Returns the same JSON with one value changed: another kind, another number, a copy of another value, an
/// element more or less, a renamed key. Empty if the text is not JSON.
[[nodiscard]] std::string mutateJson(std::string_view text, std::mt19937_64& random);

}  // namespace et::fuzz
