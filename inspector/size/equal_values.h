#pragma once

#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::inspector {

/// Two tensors with the same numbers in different dtypes: one could be computed from the other when loading.
struct EqualValues {
    std::size_t from = 0;    ///< index into SizeMap::pieces; the one with the larger elements, if they differ
    std::size_t to = 0;      ///< into SizeMap::pieces
    bool isRounded = false;  ///< `to` is `from` rounded to its dtype; otherwise they are equal
    std::uint64_t wasted =
        0;  ///< possible saving in bytes: the larger one if they are equal, else the rounded one
};

/// Finds pairs among constants, weights and tensor data of at least `leastElements` numbers, largest saving
/// first. A piece that equals several others is listed in one pair for each. Compares only plain numbers
/// (float16 to float64, bfloat16, integers); quantized values are not dequantized. Reads whole pieces only if
/// samples agree.
[[nodiscard]] std::vector<EqualValues> equalValues(const SizeMap& map, std::uint64_t leastElements = 16);

/// Display text: "the same numbers as float32 and, rounded, as float16".
[[nodiscard]] std::string whyEqual(const SizeMap& map, const EqualValues& pair);

}  // namespace et::inspector
