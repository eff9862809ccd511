#pragma once

#include <string_view>

namespace flatbuffers {
struct TypeTable;
}

namespace et::program {

/// Identifier of a program's flatbuffer, and the types of its tables.
inline constexpr std::string_view programIdentifier = "ET12";
[[nodiscard]] const flatbuffers::TypeTable& programTypes();

}  // namespace et::program
