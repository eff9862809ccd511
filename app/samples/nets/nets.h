#pragma once

#include "app/samples/net.h"

#include <cstdint>

// Sample nets, one per file, each with the equivalent Python source.
namespace et::samples {

/// Attention of 4 tokens whose mask hides every token from the first one, which gives NaN.
[[nodiscard]] Net attentionNet();

/// a @ x + b * x on 4x4 matrices: three inputs, three operators.
[[nodiscard]] Net addMulNet();

/// Two convolutions with batch norm, one with ReLU and one with ReLU6, average pooling, a linear layer,
/// softmax: [1, 3, 16, 16] -> [1, 10].
[[nodiscard]] Net convNet();

/// The training step of a network of two linear layers with tanh between them and the mean squared error:
/// x [16, 2] and target [16, 1] to loss, prediction, and the gradients of the four parameters.
[[nodiscard]] Net twoLayersNet();

/// Sizes of a MobileNetV2.
struct MobileNetSpec {
    double width = 1.0;       ///< multiplies the channels of every layer
    std::int64_t size = 224;  ///< side of the square input, in pixels
    std::int64_t classes = 1000;
};

/// MobileNetV2 (Sandler et al., 2018) as torchvision builds it: [1, 3, size, size] -> [1, classes].
[[nodiscard]] Net mobileNetV2(const MobileNetSpec& spec);

// Programs of the sample pipelines (app/samples/pipelines.h).
[[nodiscard]] Net diffusionTextNet();        ///< words [4, 16] -> [4, 16]
[[nodiscard]] Net diffusionUnet();           ///< latent [4, 16], context [4, 16], time [1, 1] -> [4, 16]
[[nodiscard]] Net diffusionDecoderNet();     ///< latent [4, 16] -> [4, 48]
[[nodiscard]] Net transducerEncoderNet();    ///< features [12, 20] -> [12, 16]
[[nodiscard]] Net transducerPredictorNet();  ///< word [1, 16], state [1, 16] -> [1, 16]
[[nodiscard]] Net transducerJoinerNet();     ///< frame [1, 16], prediction [1, 16] -> logits [1, 16]
/// Draft or target, whose logits differ a little: words [16, 16] -> logits [16, 32], causal.
[[nodiscard]] Net speculativeNet(bool isTarget);

}  // namespace et::samples
