#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace et::core {

/// Layout of quantized weights in a GGUF file: blocks along the last dimension, each with its scales.
struct GgufLayout {
    std::string_view name;  ///< "q4_k"
    std::size_t values;     ///< of a block
    std::size_t bytes;      ///< of a block
    /// Writes the values of one block. Arithmetic is that of ggml's reference (ggml-quants.c), in float32.
    void (*decode)(const std::byte* block, float* values);
};

/// By name, ignoring '_' ("q4k" and "q4_k"): q4_0, q8_0, q4_k, q5_k, q6_k. Null if it is unknown.
[[nodiscard]] const GgufLayout* ggufLayout(std::string_view name);

}  // namespace et::core
