#pragma once

#include <cstdint>
#include <string>

namespace et::backends::mps {

struct DatatypeTraits {
    std::string name;        ///< "float32"; "datatype 99" for a code that we do not know
    std::uint64_t bits = 0;  ///< of an element; 0: not known
};

/// Of the codes that the format has since early 2024. Before, only those of float16 and float32 meant the
/// same.
[[nodiscard]] DatatypeTraits datatypeTraits(std::int16_t code);

}  // namespace et::backends::mps
