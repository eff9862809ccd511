// Not of Google Benchmark: writes two nets with random weights and their ETRecords, which `et-inspect lower`
// and `quantize` make delegates of: one like MobileNetV3-small, with squeeze-and-excite (Howard et al., 2019)
// and the SiLU of EfficientNet for hard swish, of which the runtime has no kernel; one like U-Net with
// up-convolutions of 2x2 (Ronneberger et al., 2015). Skips are added there.
#include "app/samples/layers.h"
#include "app/samples/net_program.h"
#include "app/samples/net_record.h"
#include "app/samples/net_run.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
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

/// nn.ConvTranspose2d of 2x2 with steps of 2.
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

enum class Activation : std::uint8_t { None, Relu, Silu };

TensorId convNorm(NetBuilder& net, std::string_view name, TensorId x, const Conv2d& spec, Activation after) {
    const InModule module(net, name, "nets.ConvNorm");
    x = batchNorm(net, "1", conv2d(net, "0", x, spec));
    return after == Activation::Relu ? relu(net, "2", x) : after == Activation::Silu ? silu(net, "2", x) : x;
}

/// A number for each channel, which the image is multiplied by.
TensorId excite(NetBuilder& net, TensorId x) {
    const InModule module(net, "se", "nets.SqueezeExcitation");
    const std::int64_t channels = net.sizes(x)[1];
    net.statement("x = F.adaptive_avg_pool2d(x, (1, 1))");
    TensorId factors = averagePool(net, x);
    net.statement("x = self.conv(x)");
    factors = relu(net, "relu", conv2d(net, "fc1", factors, {.channels = channels / 4, .kernel = 1}));
    factors = sigmoid(net, "scale", conv2d(net, "fc2", factors, {.channels = channels, .kernel = 1}));
    net.statement("return x * y");
    return mul(net, x, factors);
}

struct Block {
    std::int64_t kernel, expanded, channels, stride;
    bool excites;
    Activation activation;
};

TensorId inverted(NetBuilder& net, std::string_view name, TensorId x, const Block& block) {
    const InModule module(net, name, "nets.InvertedResidual");
    net.statement("y = self.conv(x)");
    TensorId y = convNorm(net, "expand", x, {.channels = block.expanded, .kernel = 1}, block.activation);
    y = convNorm(net, "depthwise", y,
                 {.channels = block.expanded,
                  .kernel = block.kernel,
                  .stride = block.stride,
                  .groups = block.expanded},
                 block.activation);
    if (block.excites) {
        y = excite(net, y);
    }
    y = convNorm(net, "project", y, {.channels = block.channels, .kernel = 1}, Activation::None);
    if (block.stride != 1 || net.sizes(x)[1] != block.channels) {
        return y;
    }
    net.statement("return x + y");
    return add(net, x, y);
}

Net mobileNet() {
    constexpr auto relus = Activation::Relu;
    constexpr auto swishes = Activation::Silu;
    constexpr std::array blocks{Block{3, 16, 16, 2, true, relus},    Block{3, 72, 24, 2, false, relus},
                                Block{3, 88, 24, 1, false, relus},   Block{5, 96, 40, 2, true, swishes},
                                Block{5, 240, 40, 1, true, swishes}, Block{5, 240, 40, 1, true, swishes},
                                Block{5, 120, 48, 1, true, swishes}, Block{5, 144, 48, 1, true, swishes},
                                Block{5, 288, 96, 2, true, swishes}, Block{5, 576, 96, 1, true, swishes},
                                Block{5, 576, 96, 1, true, swishes}};
    NetBuilder net("nets.py", mobileSource, "nets.MobileNetV3", 50);
    TensorId x = net.input("x", {1, 3, 224, 224});
    net.statement("x = self.conv(x)");
    x = convNorm(net, "stem", x, {.channels = 16, .stride = 2, .feed = Feed::Plain}, swishes);
    net.statement("x = self.layers(x)");
    int next = 0;
    for (const Block& block : blocks) {
        x = inverted(net, fmt::format("block{}", next++), x, block);
    }
    x = convNorm(net, "head", x, {.channels = 576, .kernel = 1}, swishes);
    net.statement("x = F.adaptive_avg_pool2d(x, (1, 1))");
    x = averagePool(net, x);
    net.statement("x = torch.flatten(x, 1)");
    x = flatten(net, x);
    net.statement("return self.fc(x)");
    net.output(linear(net, "fc", silu(net, "act", linear(net, "fc1", x, 1024)), 1000));
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
    ET_ASSIGN(const auto program, makeProgram(net));
    ET_ASSIGN(const NetRun run,
              runNet(net, program, {.cases = 1, .executions = 1, .debugLevel = et::core::DebugLevel::None}));
    ET_ASSIGN(const auto record, makeRecord(net, run.cases));
    ET_TRY(write(stem.string() + ".pte", program));
    return write(stem.string() + ".etrecord", record);
}

}  // namespace

int main(int argc, char** argv) {
    const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
    for (const auto& [name, net] :
         {std::pair("mobilenet_like", mobileNet()), std::pair("unet_like", uNet())}) {
        if (const auto written = writeNet(net, folder / name); !written) {
            fmt::print(stderr, "{}\n", written.error().toString());
            return 1;
        }
    }
    return 0;
}
