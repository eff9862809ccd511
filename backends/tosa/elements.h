#pragma once

#include "backends/tosa/payload.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::backends::tosa {

/// "float32 [1, 16]", "int8 unranked", "shape [4]".
[[nodiscard]] std::string typeText(const Tensor& tensor);

/// Bytes of a dense tensor of that type; 0 if unknown.
[[nodiscard]] std::uint64_t typeBytes(const Tensor& tensor);

/// The first elements as a list, "[-128, 3]"; at most `max` of `count`, and as many as there are bytes. Empty
/// if the datatype is unknown.
[[nodiscard]] std::string elementsText(std::uint32_t datatype, core::Bytes data, std::size_t count,
                                       std::size_t max);

/// Integers of a datatype with whole bytes, or 4 bits. Nothing for other datatypes, and if there are too few
/// bytes.
[[nodiscard]] std::optional<std::vector<std::int64_t>> integersOf(std::uint32_t datatype, core::Bytes data,
                                                                  std::size_t count);

}  // namespace et::backends::tosa
