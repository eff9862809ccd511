#pragma once

#include <random>
#include <string>
#include <string_view>

namespace et::fuzz {

/// The same JSON with one value changed: another kind, another number, a copy of a value elsewhere, an
/// element more or less, a key of another name. Empty where the text is no JSON.
[[nodiscard]] std::string mutateJson(std::string_view text, std::mt19937_64& random);

}  // namespace et::fuzz
