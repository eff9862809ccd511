// Writes a ResNet-50 with random weights (25 million parameters; its first pooling is replaced with a strided
// convolution) and its ETRecord, for measuring `et-inspect gap --bisect` at that size. Does not use Google
// Benchmark.
#include "app/samples/layers.h"
#include "app/samples/net_program.h"
#include "app/samples/net_record.h"
#include "app/samples/net_run.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

namespace {

using namespace et::samples;  // NOLINT(google-build-using-namespace): a net is written in its words

constexpr std::string_view source = R"(x = self.layers(x)
x = self.conv(x)
y = self.conv(x)
return x + y
x = F.adaptive_avg_pool2d(x, (1, 1))
x = torch.flatten(x, 1)
return self.fc(x)
)";

TensorId convNorm(NetBuilder& net, std::string_view name, TensorId x, const Conv2d& spec, bool rectified) {
    const InModule module(net, name, "resnet50.ConvNorm");
    x = batchNorm(net, "1", conv2d(net, "0", x, spec));
    return rectified ? relu(net, "2", x) : x;
}

/// Residual block of a narrowing 1x1, a 3x3 and a widening 1x1 convolution: He et al., 2015.
TensorId bottleneck(NetBuilder& net, std::string_view name, TensorId x, std::int64_t width,
                    std::int64_t stride) {
    constexpr std::int64_t expansion = 4;
    const InModule module(net, name, "resnet50.Bottleneck");
    net.statement("y = self.conv(x)");
    TensorId y = convNorm(net, "conv1", x, {.channels = width, .kernel = 1}, true);
    y = convNorm(net, "conv2", y, {.channels = width, .stride = stride}, true);
    y = convNorm(net, "conv3", y, {.channels = width * expansion, .kernel = 1}, false);
    if (stride != 1 || net.sizes(x)[1] != width * expansion) {
        x = convNorm(net, "downsample", x, {.channels = width * expansion, .kernel = 1, .stride = stride},
                     false);
    }
    net.statement("return x + y");
    return relu(net, "relu", add(net, x, y));
}

Net resnet50() {
    struct Stage {
        std::int64_t width, blocks, stride;
    };
    constexpr std::array stages{Stage{64, 3, 1}, Stage{128, 4, 2}, Stage{256, 6, 2}, Stage{512, 3, 2}};
    NetBuilder net("resnet50.py", source, "resnet50.ResNet50", 50);
    TensorId x = net.input("x", {1, 3, 224, 224});
    net.statement("x = self.conv(x)");
    x = convNorm(net, "conv1", x, {.channels = 64, .kernel = 7, .stride = 2, .feed = Feed::Plain}, true);
    x = convNorm(net, "pool", x, {.channels = 64, .kernel = 3, .stride = 2}, true);
    net.statement("x = self.layers(x)");
    int next = 0;
    for (const Stage& stage : stages) {
        for (std::int64_t i = 0; i < stage.blocks; ++i) {
            x = bottleneck(net, fmt::format("layer{}", next++), x, stage.width, i == 0 ? stage.stride : 1);
        }
    }
    net.statement("x = F.adaptive_avg_pool2d(x, (1, 1))");
    x = averagePool(net, x);
    net.statement("x = torch.flatten(x, 1)");
    x = flatten(net, x);
    net.statement("return self.fc(x)");
    net.output(linear(net, "fc", x, 1000));
    return net.finish();
}

et::core::Result<> writeAll(const std::filesystem::path& folder) {
    const Net net = resnet50();
    ET_ASSIGN(const auto program, makeProgram(net));
    ET_ASSIGN(const NetRun run,
              runNet(net, program, {.cases = 1, .executions = 1, .debugLevel = et::core::DebugLevel::None}));
    ET_ASSIGN(const auto record, makeRecord(net, run.cases));
    for (const auto& [name, bytes] :
         {std::pair("resnet50.pte", &program), std::pair("resnet50.etrecord", &record)}) {
        std::ofstream file(folder / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
        if (!file.flush()) {
            return et::core::fail(et::core::ErrorCode::Io, "cannot be written",
                                  {.file = (folder / name).string(), .field = {}, .offset = {}});
        }
    }
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    const auto written = writeAll(argc > 1 ? argv[1] : ".");
    if (!written) {
        fmt::print(stderr, "{}\n", written.error().toString());
        return 1;
    }
    return 0;
}
