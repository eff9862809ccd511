#include "app/samples/layers.h"
#include "app/samples/nets/nets.h"

#include <algorithm>
#include <array>
#include <string>

namespace et::samples {
namespace {

constexpr std::string_view mobilenetSource = R"(import torch
from torch import nn
from torch.nn import functional as F


class ConvNormActivation(nn.Sequential):
    def __init__(self, inputs, outputs, kernel=3, stride=1, groups=1):
        super().__init__(
            nn.Conv2d(inputs, outputs, kernel, stride, (kernel - 1) // 2, groups=groups, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU6(),
        )


class InvertedResidual(nn.Module):
    def __init__(self, inputs, outputs, stride, expansion):
        super().__init__()
        hidden = inputs * expansion
        layers = [] if expansion == 1 else [ConvNormActivation(inputs, hidden, kernel=1)]
        layers += [
            ConvNormActivation(hidden, hidden, stride=stride, groups=hidden),
            nn.Conv2d(hidden, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
        ]
        self.conv = nn.Sequential(*layers)
        self.residual = stride == 1 and inputs == outputs

    def forward(self, x):
        y = self.conv(x)
        return x + y if self.residual else y


class MobileNetV2(nn.Module):
    # expansion, channels, blocks, stride of the first block
    stages = [
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    ]

    def __init__(self, width=1.0, classes=1000):
        super().__init__()

        def scaled(channels, width):
            whole = max(8, int(channels * width + 4) // 8 * 8)
            return whole + 8 if whole < 0.9 * channels * width else whole

        channels = scaled(32, width)
        layers = [ConvNormActivation(3, channels, stride=2)]
        for expansion, outputs, blocks, stride in self.stages:
            for block in range(blocks):
                layers.append(
                    InvertedResidual(channels, scaled(outputs, width), stride if block == 0 else 1, expansion)
                )
                channels = scaled(outputs, width)
        last = scaled(1280, max(1.0, width))
        layers.append(ConvNormActivation(channels, last, kernel=1))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(last, classes))

    def forward(self, x):
        x = self.features(x)
        x = F.adaptive_avg_pool2d(x, (1, 1))
        x = torch.flatten(x, 1)
        return self.classifier(x)
)";

constexpr std::string_view sequential = "torch.nn.modules.container.Sequential";

/// One row of table 2 in the paper.
struct Stage {
    std::int64_t expansion;
    std::int64_t channels;
    std::int64_t blocks;
    std::int64_t stride;  ///< of the first block; the others have stride 1
};
constexpr std::array stages{Stage{1, 16, 1, 1}, Stage{6, 24, 2, 2},  Stage{6, 32, 3, 2}, Stage{6, 64, 4, 2},
                            Stage{6, 96, 3, 1}, Stage{6, 160, 3, 2}, Stage{6, 320, 1, 1}};

/// Scales channels by the width and rounds to a multiple of 8, at most a tenth below the exact value.
std::int64_t scaled(std::int64_t channels, double width) {
    constexpr std::int64_t multiple = 8;
    const double wanted = static_cast<double>(channels) * width;
    const std::int64_t whole =
        std::max(multiple, static_cast<std::int64_t>(wanted + multiple / 2.0) / multiple * multiple);
    return static_cast<double>(whole) < 0.9 * wanted ? whole + multiple : whole;
}

TensorId convNormActivation(NetBuilder& net, std::string_view attribute, TensorId x, const Conv2d& spec) {
    const InModule module(net, attribute, "mobilenet_v2.ConvNormActivation");
    x = conv2d(net, "0", x, spec);
    x = batchNorm(net, "1", x);
    return relu6(net, "2", x);
}

struct Block {
    std::int64_t expansion;
    std::int64_t channels;
    std::int64_t stride;
};

/// The inner part of an inverted residual: expansion, depthwise convolution, projection.
TensorId bottleneck(NetBuilder& net, TensorId x, const Block& block) {
    const InModule module(net, "conv", sequential);
    int next = 0;
    const std::int64_t hidden = net.sizes(x)[1] * block.expansion;
    if (block.expansion != 1) {
        x = convNormActivation(net, std::to_string(next++), x,
                               {.channels = hidden, .kernel = 1, .feed = Feed::Plain});
    }
    x = convNormActivation(net, std::to_string(next++), x,
                           {.channels = hidden, .stride = block.stride, .groups = hidden});
    x = conv2d(net, std::to_string(next++), x, {.channels = block.channels, .kernel = 1});
    return batchNorm(net, std::to_string(next), x);
}

TensorId invertedResidual(NetBuilder& net, std::string_view attribute, TensorId x, const Block& block) {
    const InModule module(net, attribute, "mobilenet_v2.InvertedResidual");
    net.statement("y = self.conv(x)");
    const TensorId y = bottleneck(net, x, block);
    net.statement("return x + y if self.residual else y");
    return block.stride == 1 && net.sizes(x)[1] == block.channels ? add(net, x, y) : y;
}

TensorId features(NetBuilder& net, TensorId x, double width) {
    constexpr std::int64_t firstChannels = 32;
    constexpr std::int64_t lastChannels = 1280;
    const InModule module(net, "features", sequential);
    int next = 0;
    x = convNormActivation(net, std::to_string(next++), x,
                           {.channels = scaled(firstChannels, width), .stride = 2, .feed = Feed::Plain});
    for (const Stage& stage : stages) {
        for (std::int64_t i = 0; i < stage.blocks; ++i) {
            x = invertedResidual(net, std::to_string(next++), x,
                                 {.expansion = stage.expansion,
                                  .channels = scaled(stage.channels, width),
                                  .stride = i == 0 ? stage.stride : 1});
        }
    }
    return convNormActivation(
        net, std::to_string(next), x,
        {.channels = scaled(lastChannels, std::max(1.0, width)), .kernel = 1, .feed = Feed::Plain});
}

}  // namespace

Net mobileNetV2(const MobileNetSpec& spec) {
    constexpr std::uint64_t seed = 2018;
    NetBuilder net("mobilenet_v2.py", mobilenetSource, "mobilenet_v2.MobileNetV2", seed);
    TensorId x = net.input("x", {1, 3, spec.size, spec.size});
    net.statement("x = self.features(x)");
    x = features(net, x, spec.width);
    net.statement("x = F.adaptive_avg_pool2d(x, (1, 1))");
    x = averagePool(net, x);
    net.statement("x = torch.flatten(x, 1)");
    x = flatten(net, x);
    net.statement("return self.classifier(x)");
    const InModule classifier(net, "classifier", sequential);
    net.output(linear(net, "1", x, spec.classes));
    return net.finish();
}

}  // namespace et::samples
