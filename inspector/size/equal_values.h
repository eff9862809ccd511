#pragma once

#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::inspector {

/// Two tensors of the same numbers in different dtypes: one could be made from the other when loading.
struct EqualValues {
    std::size_t from = 0;    ///< into SizeMap::pieces; the one with the larger elements, where they differ
    std::size_t to = 0;      ///< into SizeMap::pieces
    bool isRounded = false;  ///< `to` is `from` rounded to its dtype; else they are equal number by number
    std::uint64_t wasted =
        0;  ///< what would go: the larger where they are equal, else the rounded one, in bytes
};

/// Pairs among constants, weights and tensor data of at least `leastElements` numbers, those that cost most
/// first. Of pieces that are equal to several, one pair each is named. Only plain numbers are compared
/// (float16 to float64, bfloat16, integers), as they are: quantized values by what they stand for are not.
/// Reads whole pieces only where samples agree.
[[nodiscard]] std::vector<EqualValues> equalValues(const SizeMap& map, std::uint64_t leastElements = 16);

/// For people: "the same numbers as float32 and, rounded, as float16".
[[nodiscard]] std::string whyEqual(const SizeMap& map, const EqualValues& pair);

}  // namespace et::inspector
