#pragma once

#include <cstdint>

namespace et::core {

/// Selects the rule in inspector/roofline/operator_rules.cpp that counts the operations and bytes of an
/// operator, or of a node inside a delegate. Nhwc: a window over images [batch, height, width, channels]; the
/// node has attributes "kernel" or "window", "stride", "dilation" and "padding" ("top 1, right 1, ...").
enum class Cost : std::uint8_t {
    Unknown,
    Convolution,
    NhwcConvolution,
    NhwcTransposedConvolution,
    Product,        ///< matrix product
    BiasedProduct,  ///< matrix product; the bias is the first argument
    Linear,         ///< matrix product with weights in either layout
    Attention,      ///< scaled dot-product attention of query, key and value
    DeltaRule,      ///< linear attention with a state, of query, key and value
    Experts,        ///< router and chosen experts; attributes "num_activated_experts" and "hidden_dim"
    MaxPool,
    NhwcMaxPool,
    AveragePool,
    NhwcAveragePool,
    Mean,
    Reduction,
    Softmax,
    LayerNorm,
    BatchNorm,
    Bilinear,
    ElementWise,
    Copy,
    Selection,   ///< copies elements of the first argument; the others are indices
    PackedRows,  ///< dequantizes rows, of attribute "num_embeddings" or "n"; the last argument: indices
    Fill,
};

}  // namespace et::core
