#pragma once

#include <cstdint>
#include <string>

namespace et::backends::mps {

struct DatatypeInfo {
    std::string name;        ///< "float32"; "datatype 99" for an unknown code
    std::uint64_t bits = 0;  ///< per element; 0: unknown
};

/// Uses the format's codes since early 2024. Before, only those of float16 and float32 had the same meaning.
[[nodiscard]] DatatypeInfo datatypeInfo(std::int16_t code);

}  // namespace et::backends::mps
