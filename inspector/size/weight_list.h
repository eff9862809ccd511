#pragma once

#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::inspector {

/// A weight or another constant, with how its numbers are held.
struct ListedWeight {
    std::size_t piece = 0;  ///< into SizeMap::pieces
    unsigned bits = 0;      ///< of an element; 0: the dtype is not known
    bool isFloat = false;   ///< floating point: not quantized
};

/// Bytes of a kind of weights.
struct WeightKind {
    std::string dtype;   ///< "qcint8"
    std::string scheme;  ///< "per channel of dimension 0"; empty: none is known
    unsigned bits = 0;
    bool isFloat = false;
    std::size_t tensors = 0;
    std::uint64_t bytes = 0;
};

/// All constants with a dtype, in the program, in delegates and in tensor data files; the largest first.
[[nodiscard]] std::vector<ListedWeight> weightList(const SizeMap& map);

/// The same, summed up by dtype and scheme; the most bytes first.
[[nodiscard]] std::vector<WeightKind> weightKinds(const SizeMap& map);

}  // namespace et::inspector
