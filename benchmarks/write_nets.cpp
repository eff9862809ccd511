// Writes the ETRecords of nets with random weights, from which `et-inspect lower` and `quantize` make
// delegates. Does not use Google Benchmark. MobileNetV3-small (Howard et al., 2019) with a sigmoid in its
// squeeze-and-excite, and a variant with the SiLU of EfficientNet instead of hard swish; EfficientNet-B0 (Tan
// and Le, 2019); and a U-Net variant with 2x2 up-convolutions (Ronneberger et al., 2015) and added skips.
// Also writes their undelegated programs where the runtime has the kernels: hard swish has none.
#include "app/samples/layers.h"
#include "app/samples/net_program.h"
#include "app/samples/net_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace et::samples;  // NOLINT(google-build-using-namespace): a net is written in its words

using Ints = std::vector<std::int64_t>;

constexpr std::string_view mobileSource = R"(x = self.layers(x)
x = self.conv(x)
y = self.conv(x)
return x * y
return x + y
x = F.adaptive_avg_pool2d(x, (1, 1))
x = torch.flatten(x, 1)
return self.fc(x)
)";
constexpr std::string_view unetSource = R"(x = self.conv(x)
x = self.up(x)
return x + y
)";

TensorId sigmoid(NetBuilder& net, std::string_view attribute, TensorId x) {
    const InModule module(net, attribute, "torch.nn.modules.activation.Sigmoid");
    constexpr OperatorNames names{
        .op = "aten.sigmoid.default", .kernel = "aten::sigmoid.out", .sourceOp = "aten.sigmoid.default"};
    return net.add(names, {{"self", x}}, net.sizes(x));
}

TensorId silu(NetBuilder& net, std::string_view attribute, TensorId x) {
    const InModule module(net, attribute, "nets.SiLU");
    const TensorId factors = sigmoid(net, "sigmoid", x);
    net.statement("return x * y");
    return mul(net, x, factors);
}

/// nn.ConvTranspose2d with a 2x2 kernel and stride 2.
TensorId upConvolution(NetBuilder& net, std::string_view attribute, TensorId x, std::int64_t channels) {
    const InModule module(net, attribute, "torch.nn.modules.conv.ConvTranspose2d");
    const Ints sizes = net.sizes(x);
    const float bound = std::sqrt(6 / static_cast<float>(sizes[1]));
    const TensorId weight = net.parameter("weight", {sizes[1], channels, 2, 2}, -bound, bound);
    const TensorId bias = net.parameter("bias", {channels}, -0.1F, 0.1F);
    constexpr OperatorNames names{.op = "aten.convolution.default",
                                  .kernel = "aten::convolution.out",
                                  .sourceOp = "aten.conv_transpose2d.input"};
    return net.add(names,
                   {{"input", x},
                    {"weight", weight},
                    {"bias", bias},
                    {"stride", Ints{2, 2}},
                    {"padding", Ints{0, 0}},
                    {"dilation", Ints{1, 1}},
                    {"transposed", true},
                    {"output_padding", Ints{0, 0}},
                    {"groups", std::int64_t{1}}},
                   {sizes[0], channels, 2 * sizes[2], 2 * sizes[3]});
}

TensorId hardSwish(NetBuilder& net, std::string_view attribute, TensorId x) {
    const InModule module(net, attribute, "torch.nn.modules.activation.Hardswish");
    constexpr OperatorNames names{
        .op = "aten.hardswish.default", .kernel = {}, .sourceOp = "aten.hardswish.default"};
    return net.add(names, {{"self", x}}, net.sizes(x));
}

enum class Activation : std::uint8_t { None, Relu, Silu, HardSwish };

TensorId activate(NetBuilder& net, std::string_view attribute, TensorId x, Activation by) {
    switch (by) {
        case Activation::Relu:
            return relu(net, attribute, x);
        case Activation::Silu:
            return silu(net, attribute, x);
        case Activation::HardSwish:
            return hardSwish(net, attribute, x);
        default:
            return x;
    }
}

TensorId convNorm(NetBuilder& net, std::string_view name, TensorId x, const Conv2d& spec, Activation after) {
    const InModule module(net, name, "nets.ConvNorm");
    return activate(net, "2", batchNorm(net, "1", conv2d(net, "0", x, spec)), after);
}

/// Squeeze-and-excite: multiplies the image by a factor per channel. `squeezed`: number of intermediate
/// channels.
TensorId excite(NetBuilder& net, TensorId x, std::int64_t squeezed, Activation between) {
    const InModule module(net, "se", "nets.SqueezeExcitation");
    const std::int64_t channels = net.sizes(x)[1];
    net.statement("x = F.adaptive_avg_pool2d(x, (1, 1))");
    TensorId factors = averagePool(net, x);
    net.statement("x = self.conv(x)");
    factors = activate(net, "act", conv2d(net, "fc1", factors, {.channels = squeezed, .kernel = 1}), between);
    factors = sigmoid(net, "scale", conv2d(net, "fc2", factors, {.channels = channels, .kernel = 1}));
    net.statement("return x * y");
    return mul(net, x, factors);
}

struct Block {
    std::int64_t kernel, expanded, channels, stride;
    std::int64_t squeezed;  ///< 0: no squeeze-and-excite
    Activation activation, squeezedActivation = Activation::Relu;
};

TensorId inverted(NetBuilder& net, std::string_view name, TensorId x, const Block& block) {
    const InModule module(net, name, "nets.InvertedResidual");
    net.statement("y = self.conv(x)");
    TensorId y = x;
    if (block.expanded != net.sizes(x)[1]) {
        y = convNorm(net, "expand", x, {.channels = block.expanded, .kernel = 1}, block.activation);
    }
    y = convNorm(net, "depthwise", y,
                 {.channels = block.expanded,
                  .kernel = block.kernel,
                  .stride = block.stride,
                  .groups = block.expanded},
                 block.activation);
    if (block.squeezed != 0) {
        y = excite(net, y, block.squeezed, block.squeezedActivation);
    }
    y = convNorm(net, "project", y, {.channels = block.channels, .kernel = 1}, Activation::None);
    if (block.stride != 1 || net.sizes(x)[1] != block.channels) {
        return y;
    }
    net.statement("return x + y");
    return add(net, x, y);
}

/// A first convolution of the image, `blocks`, a last 1x1 convolution, and the classifier.
TensorId classify(NetBuilder& net, TensorId x, std::span<const Block> blocks, std::int64_t last,
                  Activation activation) {
    net.statement("x = self.layers(x)");
    int next = 0;
    for (const Block& block : blocks) {
        x = inverted(net, fmt::format("block{}", next++), x, block);
    }
    x = convNorm(net, "head", x, {.channels = last, .kernel = 1}, activation);
    net.statement("x = F.adaptive_avg_pool2d(x, (1, 1))");
    x = averagePool(net, x);
    net.statement("x = torch.flatten(x, 1)");
    return flatten(net, x);
}

TensorId stem(NetBuilder& net, std::int64_t channels, Activation activation) {
    const TensorId x = net.input("x", {1, 3, 224, 224});
    net.statement("x = self.conv(x)");
    return convNorm(net, "stem", x, {.channels = channels, .stride = 2, .feed = Feed::Plain}, activation);
}

Net mobileNet(Activation swishes) {
    constexpr auto relus = Activation::Relu;
    const std::array blocks{Block{3, 16, 16, 2, 8, relus},     Block{3, 72, 24, 2, 0, relus},
                            Block{3, 88, 24, 1, 0, relus},     Block{5, 96, 40, 2, 24, swishes},
                            Block{5, 240, 40, 1, 64, swishes}, Block{5, 240, 40, 1, 64, swishes},
                            Block{5, 120, 48, 1, 32, swishes}, Block{5, 144, 48, 1, 40, swishes},
                            Block{5, 288, 96, 2, 72, swishes}, Block{5, 576, 96, 1, 144, swishes},
                            Block{5, 576, 96, 1, 144, swishes}};
    NetBuilder net("nets.py", mobileSource, "nets.MobileNetV3", 50);
    TensorId x = classify(net, stem(net, 16, swishes), blocks, 576, swishes);
    net.statement("return self.fc(x)");
    net.output(linear(net, "fc", activate(net, "act", linear(net, "fc1", x, 1024), swishes), 1000));
    return net.finish();
}

Net efficientNet() {
    struct Stage {
        std::int64_t expansion, kernel, stride, channels, blocks;
    };
    constexpr std::array stages{Stage{1, 3, 1, 16, 1}, Stage{6, 3, 2, 24, 2},  Stage{6, 5, 2, 40, 2},
                                Stage{6, 3, 2, 80, 3}, Stage{6, 5, 1, 112, 3}, Stage{6, 5, 2, 192, 4},
                                Stage{6, 3, 1, 320, 1}};
    constexpr auto silus = Activation::Silu;
    std::int64_t channels = 32;
    NetBuilder net("nets.py", mobileSource, "nets.EfficientNet", 52);
    const TensorId x = stem(net, channels, silus);
    std::vector<Block> blocks;
    for (const Stage& stage : stages) {
        for (std::int64_t i = 0; i < stage.blocks; ++i) {
            blocks.push_back({stage.kernel, channels * stage.expansion, stage.channels,
                              i == 0 ? stage.stride : 1, channels / 4, silus, silus});
            channels = stage.channels;
        }
    }
    const TensorId pooled = classify(net, x, blocks, 1280, silus);
    net.statement("return self.fc(x)");
    net.output(linear(net, "fc", pooled, 1000));
    return net.finish();
}

TensorId twoConvolutions(NetBuilder& net, std::string_view name, TensorId x, std::int64_t channels,
                         std::int64_t stride) {
    const InModule module(net, name, "nets.DoubleConv");
    net.statement("x = self.conv(x)");
    x = convNorm(net, "conv1", x, {.channels = channels, .stride = stride}, Activation::Relu);
    return convNorm(net, "conv2", x, {.channels = channels}, Activation::Relu);
}

Net uNet() {
    NetBuilder net("nets.py", unetSource, "nets.UNet", 51);
    std::vector<TensorId> skips;
    TensorId x = net.input("x", {1, 3, 128, 128});
    constexpr std::int64_t levels = 4;
    constexpr std::int64_t width = 16;
    for (std::int64_t level = 0; level < levels; ++level) {
        net.statement("x = self.conv(x)");
        x = twoConvolutions(net, fmt::format("down{}", level), x, width << level, level == 0 ? 1 : 2);
        skips.push_back(x);
    }
    for (std::int64_t level = levels - 1; level-- > 0;) {
        net.statement("x = self.up(x)");
        const TensorId up = upConvolution(net, fmt::format("up{}", level), x, width << level);
        net.statement("return x + y");
        x = add(net, up, skips[static_cast<std::size_t>(level)]);
        net.statement("x = self.conv(x)");
        x = twoConvolutions(net, fmt::format("up_conv{}", level), x, width << level, 1);
    }
    net.output(conv2d(net, "out", x, {.channels = 2, .kernel = 1}));
    return net.finish();
}

et::core::Result<> write(const std::filesystem::path& file, const std::vector<std::byte>& bytes) {
    std::ofstream stream(file, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return stream.flush() ? et::core::Result<>()
                          : et::core::fail(et::core::ErrorCode::Io, "cannot be written",
                                           {.file = file.string(), .field = {}, .offset = {}});
}

et::core::Result<> writeNet(const Net& net, const std::filesystem::path& stem) {
    const bool isWhole = std::ranges::none_of(
        net.operations, [](const Operation& each) { return each.op == "aten.hardswish.default"; });
    if (isWhole) {
        ET_ASSIGN(const auto program, makeProgram(net));
        ET_TRY(write(stem.string() + ".pte", program));
    }
    ET_ASSIGN(const auto record, makeRecord(net));
    return write(stem.string() + ".etrecord", record);
}

}  // namespace

int main(int argc, char** argv) {
    const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
    for (const auto& [name, net] :
         {std::pair("mobilenet_v3_small", mobileNet(Activation::HardSwish)),
          std::pair("mobilenet_like", mobileNet(Activation::Silu)),
          std::pair("efficientnet_b0", efficientNet()), std::pair("unet_like", uNet())}) {
        if (const auto written = writeNet(net, folder / name); !written) {
            fmt::print(stderr, "{}\n", written.error().toString());
            return 1;
        }
    }
    return 0;
}
