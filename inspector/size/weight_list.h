#pragma once

#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::inspector {

/// A weight or another constant with its number format.
struct ListedWeight {
    std::size_t piece = 0;  ///< into SizeMap::pieces
    unsigned bits = 0;      ///< per element; 0: unknown dtype
    bool isFloat = false;   ///< floating point, hence not quantized
};

/// Total bytes of weights with the same dtype and scheme.
struct WeightKind {
    std::string dtype;   ///< "qcint8"
    std::string scheme;  ///< "per channel of dimension 0"; empty if unknown
    unsigned bits = 0;
    bool isFloat = false;
    std::size_t tensors = 0;
    std::uint64_t bytes = 0;
};

/// All constants with a dtype, in the program, delegates and tensor data files; largest first.
[[nodiscard]] std::vector<ListedWeight> weightList(const SizeMap& map);

/// Totals of weightList() by dtype and scheme; largest first.
[[nodiscard]] std::vector<WeightKind> weightKinds(const SizeMap& map);

}  // namespace et::inspector
