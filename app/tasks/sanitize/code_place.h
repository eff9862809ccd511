#pragma once

#include <span>
#include <string>

namespace et::tasks {

/// A place in compiled code.
struct CodePlace {
    std::string function{};  ///< demangled; empty: unknown
    std::string library{};   ///< path of the file that contains it
    std::string file{};      ///< source file; empty without debug information
    int line = 0;
};

/// The place of the innermost frame outside of the C and C++ libraries. The first of `frames` is the address
/// of an instruction, the others are return addresses.
[[nodiscard]] CodePlace placeOf(std::span<void* const> frames);

}  // namespace et::tasks
