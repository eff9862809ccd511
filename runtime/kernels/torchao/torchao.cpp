#include "runtime/kernels/boxing.h"
#include "runtime/kernels/torchao/dequantize.h"
#include "runtime/kernels/torchao/embedding.h"
#include "runtime/kernels/torchao/experts.h"
#include "runtime/kernels/torchao/linear.h"
#include "runtime/kernels/torchao/operators.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

// Operators of torchao, and others that read its packed weights.
namespace et::kernels::torchao {
namespace {

template <int bits>
core::Result<> linearOut(KernelContext& context, const Tensor& activations, const Tensor& packedWeights,
                         std::int64_t groupSize, std::int64_t outputs, std::int64_t depth, Tensor& out) {
    return multiplyLowBits(context, bits, activations, packedWeights, groupSize, outputs, depth, out);
}

template <int bits>
core::Result<> embeddingOut(KernelContext& context, const Tensor& packed, std::int64_t rows,
                            std::int64_t depth, const Tensor& scales, const Tensor& zeroPoints,
                            const Tensor& indices, Tensor& out) {
    return embedLowBits(
        context, bits,
        {.packed = packed, .rows = rows, .depth = depth, .scales = scales, .zeroPoints = zeroPoints}, indices,
        out);
}

template <int bits>
core::Result<> sharedEmbeddingOut(KernelContext& context, const Tensor& packedWeights, std::int64_t groupSize,
                                  std::int64_t rows, std::int64_t depth, const Tensor& indices, Tensor& out) {
    return embedShared(context, bits, packedWeights, groupSize, rows, depth, indices, out);
}

core::Result<> expertsOut(KernelContext& context, const Tensor& x, const Tensor& gateWeight,
                          const Tensor& expertBias, const Tensor& packedUp, const Tensor& packedDown,
                          std::int64_t chosen, std::int64_t count, std::int64_t hidden, std::int64_t dim,
                          std::int64_t groupSize, std::int64_t bits, std::string_view scoring,
                          double routeScale, Tensor& out) {
    return runExperts(context,
                      {.x = x,
                       .gateWeight = gateWeight,
                       .expertBias = expertBias,
                       .packedUp = packedUp,
                       .packedDown = packedDown,
                       .chosen = chosen,
                       .count = count,
                       .hidden = hidden,
                       .dim = dim,
                       .groupSize = groupSize,
                       .bits = bits,
                       .scoring = scoring,
                       .routeScale = routeScale},
                      out);
}

constexpr std::array table{
    KernelEntry{"torchao::_linear_8bit_act_1bit_weight.out", box<&linearOut<1>>},
    KernelEntry{"torchao::_linear_8bit_act_2bit_weight.out", box<&linearOut<2>>},
    KernelEntry{"torchao::_linear_8bit_act_3bit_weight.out", box<&linearOut<3>>},
    KernelEntry{"torchao::_linear_8bit_act_4bit_weight.out", box<&linearOut<4>>},
    KernelEntry{"torchao::_linear_8bit_act_5bit_weight.out", box<&linearOut<5>>},
    KernelEntry{"torchao::_linear_8bit_act_6bit_weight.out", box<&linearOut<6>>},
    KernelEntry{"torchao::_linear_8bit_act_7bit_weight.out", box<&linearOut<7>>},
    KernelEntry{"torchao::_linear_8bit_act_8bit_weight.out", box<&linearOut<8>>},
    KernelEntry{"torchao::_embedding_1bit.out", box<&embeddingOut<1>>},
    KernelEntry{"torchao::_embedding_2bit.out", box<&embeddingOut<2>>},
    KernelEntry{"torchao::_embedding_3bit.out", box<&embeddingOut<3>>},
    KernelEntry{"torchao::_embedding_4bit.out", box<&embeddingOut<4>>},
    KernelEntry{"torchao::_embedding_5bit.out", box<&embeddingOut<5>>},
    KernelEntry{"torchao::_embedding_6bit.out", box<&embeddingOut<6>>},
    KernelEntry{"torchao::_embedding_7bit.out", box<&embeddingOut<7>>},
    KernelEntry{"torchao::_embedding_8bit.out", box<&embeddingOut<8>>},
    KernelEntry{"torchao::_shared_embedding_1bit.out", box<&sharedEmbeddingOut<1>>},
    KernelEntry{"torchao::_shared_embedding_2bit.out", box<&sharedEmbeddingOut<2>>},
    KernelEntry{"torchao::_shared_embedding_3bit.out", box<&sharedEmbeddingOut<3>>},
    KernelEntry{"torchao::_shared_embedding_4bit.out", box<&sharedEmbeddingOut<4>>},
    KernelEntry{"torchao::_shared_embedding_5bit.out", box<&sharedEmbeddingOut<5>>},
    KernelEntry{"torchao::_shared_embedding_6bit.out", box<&sharedEmbeddingOut<6>>},
    KernelEntry{"torchao::_shared_embedding_7bit.out", box<&sharedEmbeddingOut<7>>},
    KernelEntry{"torchao::_shared_embedding_8bit.out", box<&sharedEmbeddingOut<8>>},
    KernelEntry{"torchao::dequantize_affine.out", box<&dequantizeAffine>},
    KernelEntry{"torchao::dequantize_gguf.out", box<&dequantizeGguf>},
    KernelEntry{"torchao::dequantize_int4_tensor.out", box<&dequantizeInt4>},
    KernelEntry{"torchao::dequantize_mx.out", box<&dequantizeMx>},
    KernelEntry{"torchao::dequantize_nvfp4.out", box<&dequantizeNvfp4>},
    KernelEntry{"llama::quantized_moe_ffn.out", box<&expertsOut>},
};

}  // namespace

std::span<const KernelEntry> entries() {
    return table;
}

}  // namespace et::kernels::torchao
