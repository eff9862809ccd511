#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Blocks of quantized weights as in GGUF files. Definition: ggml-common.h and ggml-quants.c of ggml.
namespace et::core {

/// Layout of the blocks along the last dimension, each with its scales.
struct GgufLayout {
    std::string_view name;  ///< "q4_k"
    std::size_t elements;   ///< per block
    std::size_t bytes;      ///< per block
    /// Writes the elements of one block. Rounds like ggml's reference, in float32.
    void (*dequantize)(const std::uint8_t* block, float* to);
};

/// q4_0, q4_1, q5_0, q5_1, q8_0, and q2_k to q6_k.
[[nodiscard]] std::span<const GgufLayout> ggufLayouts();

/// By name, ignoring '_' ("q4k" and "q4_k"). Null if it is unknown.
[[nodiscard]] const GgufLayout* ggufLayout(std::string_view name);

}  // namespace et::core
