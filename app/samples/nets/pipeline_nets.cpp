#include "app/samples/layers.h"
#include "app/samples/nets/nets.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace et::samples {
namespace {

constexpr std::int64_t width = 16;

constexpr std::string_view diffusionSource = R"(import torch
from torch import nn


class TextEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(16, 32)
        self.outer = nn.Linear(32, 16)

    def forward(self, words):
        return self.outer(torch.relu(self.inner(words)))


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        self.latent = nn.Linear(16, 32)
        self.context = nn.Linear(16, 32)
        self.noise = nn.Linear(32, 16)

    def forward(self, latent, context, time):
        hidden = torch.relu(self.latent(latent) + self.context(context) + time)
        return self.noise(hidden)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(16, 32)
        self.pixels = nn.Linear(32, 48)

    def forward(self, latent):
        return self.pixels(torch.relu(self.inner(latent)))
)";

constexpr std::string_view transducerSource = R"(import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(20, 32)
        self.outer = nn.Linear(32, 16)

    def forward(self, features):
        return self.outer(torch.relu(self.inner(features)))


class Predictor(nn.Module):
    def __init__(self):
        super().__init__()
        self.word = nn.Linear(16, 16)
        self.state = nn.Linear(16, 16)

    def forward(self, word, state):
        return torch.relu(self.word(word) + self.state(state))


class Joiner(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Linear(16, 16)

    def forward(self, frame, prediction):
        return self.tokens(torch.relu(frame + prediction))
)";

constexpr std::string_view speculativeSource = R"(import torch
from torch import nn


class Language(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.register_buffer("mix", torch.tril(torch.rand(16, 16)))
        self.head = nn.Linear(16, 32)
        self.more = nn.Linear(16, 32) if layers > 1 else None
        self.register_buffer("share", torch.tensor([[0.3]]))

    def forward(self, words):
        logits = self.head(self.mix @ words)
        if self.more is None:
            return logits
        return logits + self.share * torch.relu(self.more(words))
)";

/// Two linear layers with ReLU: words -> outputs.
Net twoLayers(std::string_view file, std::string_view source, std::string_view type, std::uint64_t seed,
              std::string_view input, std::vector<std::int64_t> sizes, std::string_view last,
              std::int64_t outputs, std::string_view statement) {
    constexpr std::int64_t hidden = 32;
    NetBuilder net(file, source, type, seed);
    const TensorId x = net.input(input, std::move(sizes));
    net.statement(statement);
    const TensorId inner = relu(net, "relu", linear(net, "inner", x, hidden));
    net.output(linear(net, last, inner, outputs));
    return net.finish();
}

}  // namespace

Net diffusionTextNet() {
    constexpr std::uint64_t seed = 101;
    return twoLayers("diffusion.py", diffusionSource, "diffusion.TextEncoder", seed, "words", {4, width},
                     "outer", width, "return self.outer(torch.relu(self.inner(words)))");
}

Net diffusionUnet() {
    constexpr std::uint64_t seed = 102;
    constexpr std::int64_t hidden = 32;
    NetBuilder net("diffusion.py", diffusionSource, "diffusion.Unet", seed);
    const TensorId latent = net.input("latent", {4, width});
    const TensorId context = net.input("context", {4, width});
    const TensorId time = net.input("time", {1, 1});
    net.statement("hidden = torch.relu(self.latent(latent) + self.context(context) + time)");
    const TensorId both =
        add(net, linear(net, "latent", latent, hidden), linear(net, "context", context, hidden));
    const TensorId all = relu(net, "relu", add(net, both, time));
    net.statement("return self.noise(hidden)");
    net.output(linear(net, "noise", all, width));
    return net.finish();
}

Net diffusionDecoderNet() {
    constexpr std::uint64_t seed = 103;
    constexpr std::int64_t pixels = 48;
    return twoLayers("diffusion.py", diffusionSource, "diffusion.Decoder", seed, "latent", {4, width},
                     "pixels", pixels, "return self.pixels(torch.relu(self.inner(latent)))");
}

Net transducerEncoderNet() {
    constexpr std::uint64_t seed = 104;
    return twoLayers("transducer.py", transducerSource, "transducer.Encoder", seed, "features", {12, 20},
                     "outer", width, "return self.outer(torch.relu(self.inner(features)))");
}

Net transducerPredictorNet() {
    constexpr std::uint64_t seed = 105;
    NetBuilder net("transducer.py", transducerSource, "transducer.Predictor", seed);
    const TensorId word = net.input("word", {1, width});
    const TensorId state = net.input("state", {1, width});
    net.statement("return torch.relu(self.word(word) + self.state(state))");
    net.output(
        relu(net, "relu", add(net, linear(net, "word", word, width), linear(net, "state", state, width))));
    return net.finish();
}

Net transducerJoinerNet() {
    constexpr std::uint64_t seed = 106;
    NetBuilder net("transducer.py", transducerSource, "transducer.Joiner", seed);
    const TensorId frame = net.input("frame", {1, width});
    const TensorId prediction = net.input("prediction", {1, width});
    net.statement("return self.tokens(torch.relu(frame + prediction))");
    net.output(linear(net, "tokens", relu(net, "relu", add(net, frame, prediction)), width));
    return net.finish();
}

Net speculativeNet(bool isTarget) {
    constexpr std::uint64_t seed = 107;
    constexpr std::int64_t vocabulary = 32;
    NetBuilder net("speculative.py", speculativeSource, "speculative.Language", seed);
    const TensorId words = net.input("words", {width, width});
    const TensorId mix = net.buffer("mix", {width, width}, 0, 1);
    TensorId share{};
    net.statement("logits = self.head(self.mix @ words)");
    const TensorId plain = linear(net, "head", mm(net, mix, words), vocabulary);
    if (isTarget) {
        share = net.buffer("share", {1, 1}, 0, 1);  // after the weights that both models share
        net.statement("return logits + self.share * torch.relu(self.more(words))");
        const TensorId more = relu(net, "relu", linear(net, "more", words, vocabulary));
        net.output(add(net, plain, mul(net, more, share)));
    } else {
        net.output(plain);
    }
    Net made = net.finish();
    const auto elements = [&](TensorId id) {
        return std::ranges::find(made.attributes, id, &Attribute::tensor)->data.data();
    };
    // Rows read only earlier tokens, recent ones most.
    std::vector<float> triangle(static_cast<std::size_t>(width * width));
    for (std::int64_t row = 0; row < width; ++row) {
        for (std::int64_t column = 0; column <= row; ++column) {
            triangle[static_cast<std::size_t>((row * width) + column)] =
                1.0F / static_cast<float>((row - column + 1) * (row - column + 1));
        }
    }
    std::memcpy(elements(mix), triangle.data(), triangle.size() * sizeof(float));
    if (isTarget) {
        constexpr float influence = 0.3F;
        std::memcpy(elements(share), &influence, sizeof(influence));
    }
    return made;
}

}  // namespace et::samples
