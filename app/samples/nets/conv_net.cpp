#include "app/samples/layers.h"
#include "app/samples/nets/nets.h"

namespace et::samples {
namespace {

constexpr std::string_view convNetSource = R"(import torch
from torch import nn
from torch.nn import functional as F


class Stem(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.act = nn.ReLU()

    def forward(self, x):
        x = self.norm(self.conv(x))
        return self.act(x)


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.body = nn.Sequential(
            nn.Conv2d(8, 16, 3, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(16),
            nn.ReLU6(),
        )
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        x = self.stem(x)
        x = self.body(x)
        x = F.adaptive_avg_pool2d(x, (1, 1))
        x = self.fc(torch.flatten(x, 1))
        return torch.softmax(x, dim=1)
)";

TensorId stem(NetBuilder& net, TensorId x) {
    const InModule module(net, "stem", "conv_net.Stem");
    net.statement("x = self.norm(self.conv(x))");
    x = conv2d(net, "conv", x, {.channels = 8, .feed = Feed::Plain});
    x = batchNorm(net, "norm", x);
    net.statement("return self.act(x)");
    return relu(net, "act", x);
}

TensorId body(NetBuilder& net, TensorId x) {
    const InModule module(net, "body", "torch.nn.modules.container.Sequential");
    x = conv2d(net, "0", x, {.channels = 16, .stride = 2});
    x = batchNorm(net, "1", x);
    return relu6(net, "2", x);
}

}  // namespace

Net convNet() {
    constexpr std::uint64_t seed = 2026;
    NetBuilder net("conv_net.py", convNetSource, "conv_net.ConvNet", seed);
    TensorId x = net.input("x", {1, 3, 16, 16});
    net.statement("x = self.stem(x)");
    x = stem(net, x);
    net.statement("x = self.body(x)");
    x = body(net, x);
    net.statement("x = F.adaptive_avg_pool2d(x, (1, 1))");
    x = averagePool(net, x);
    net.statement("x = self.fc(torch.flatten(x, 1))");
    x = linear(net, "fc", flatten(net, x), 10);
    net.statement("return torch.softmax(x, dim=1)");
    net.output(softmax(net, x));
    return net.finish();
}

}  // namespace et::samples
