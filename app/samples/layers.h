#pragma once

#include "app/samples/net_builder.h"

#include <cstdint>
#include <string_view>

// PyTorch modules and functions, each as the operators produced by an export. Weights are drawn to preserve
// the magnitude of numbers from layer to layer.
namespace et::samples {

/// Distribution of a layer's input, for which its weights are scaled.
enum class Feed : std::uint8_t {
    Plain,     ///< centered on zero
    Rectified  ///< output of a ReLU, half of it zeros
};

struct Conv2d {
    std::int64_t channels = 0;  ///< of the output
    std::int64_t kernel = 3;
    std::int64_t stride = 1;
    std::int64_t groups = 1;
    Feed feed = Feed::Rectified;
};

/// nn.Conv2d without a bias, padded by half of its kernel. [N, C, H, W].
TensorId conv2d(NetBuilder& net, std::string_view attribute, TensorId x, const Conv2d& spec);
/// nn.BatchNorm2d in evaluation mode.
TensorId batchNorm(NetBuilder& net, std::string_view attribute, TensorId x);
/// nn.ReLU and nn.ReLU6.
TensorId relu(NetBuilder& net, std::string_view attribute, TensorId x);
TensorId relu6(NetBuilder& net, std::string_view attribute, TensorId x);
/// nn.Linear: [N, inputs] -> [N, outputs].
TensorId linear(NetBuilder& net, std::string_view attribute, TensorId x, std::int64_t outputs);

/// x + y, x * y, x @ y.
TensorId add(NetBuilder& net, TensorId x, TensorId y);
TensorId mul(NetBuilder& net, TensorId x, TensorId y);
TensorId mm(NetBuilder& net, TensorId x, TensorId y);
/// nn.functional.adaptive_avg_pool2d(x, (1, 1)).
TensorId averagePool(NetBuilder& net, TensorId x);
/// torch.flatten(x, 1), which has no cost.
TensorId flatten(NetBuilder& net, TensorId x);
/// torch.softmax(x, dim=1).
TensorId softmax(NetBuilder& net, TensorId x);

}  // namespace et::samples
