#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Blocks of quantized weights as in GGUF files. Definition: ggml-common.h of ggml, and gguf-py.
namespace et::kernels::torchao {

/// A type of blocks.
struct GgufType {
    std::string_view name;  ///< "q4_k"
    std::size_t elements;   ///< per block
    std::size_t bytes;      ///< per block
    void (*dequantize)(const std::uint8_t* block, float* to);
};

/// q4_0, q4_1, q5_0, q5_1, q8_0, and q2_k to q6_k. torchao itself supports q4_k, q5_k and q6_k.
[[nodiscard]] std::span<const GgufType> ggufTypes();

}  // namespace et::kernels::torchao
