#include "benchmarks/support/vision_transformer.h"

#include "app/samples/layers.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace et::benchmarks {
namespace {

using samples::InModule;
using samples::NetBuilder;
using samples::OperatorNames;
using samples::TensorId;
using Ints = std::vector<std::int64_t>;

constexpr std::string_view source = R"(x = self.patches(x)
x = x.flatten(2).transpose(1, 2)
x = x + self.positions
x = x + self.attention(self.norm1(x))
x = x + self.mlp(self.norm2(x))
q, k, v = self.heads(x)
weights = (q @ k * self.scale).softmax(-1)
return self.proj(weights @ v)
return self.fc2(quick_gelu(self.fc1(x)))
return self.head(self.norm(x).mean(1))
)";

TensorId view(NetBuilder& net, TensorId x, const Ints& sizes) {
    constexpr OperatorNames names{
        .op = "aten.view_copy.default", .kernel = "", .sourceOp = "aten.view.default"};
    return net.add(names, {{"self", x}, {"size", sizes}}, sizes);
}

TensorId permute(NetBuilder& net, TensorId x, const Ints& dims) {
    constexpr OperatorNames names{.op = "aten.permute_copy.default",
                                  .kernel = "aten::permute_copy.out",
                                  .sourceOp = "aten.permute.default"};
    Ints sizes;
    for (const std::int64_t dim : dims) {
        sizes.push_back(net.sizes(x)[static_cast<std::size_t>(dim)]);
    }
    return net.add(names, {{"self", x}, {"dims", dims}}, sizes);
}

TensorId bmm(NetBuilder& net, TensorId x, TensorId y) {
    constexpr OperatorNames names{
        .op = "aten.bmm.default", .kernel = "aten::bmm.out", .sourceOp = "aten.matmul.default"};
    return net.add(names, {{"self", x}, {"mat2", y}}, {net.sizes(x)[0], net.sizes(x)[1], net.sizes(y)[2]});
}

TensorId layerNorm(NetBuilder& net, std::string_view attribute, TensorId x) {
    const InModule module(net, attribute, "torch.nn.modules.normalization.LayerNorm");
    const Ints sizes = net.sizes(x);
    const Ints normalized{sizes.back()};
    const TensorId weight = net.parameter("weight", normalized, 0.9F, 1.1F);
    const TensorId bias = net.parameter("bias", normalized, -0.1F, 0.1F);
    constexpr double epsilon = 1e-6;
    constexpr OperatorNames names{.op = "aten.native_layer_norm.default",
                                  .kernel = "aten::native_layer_norm.out",
                                  .sourceOp = "aten.layer_norm.default"};
    return net.addMany(names,
                       {{"input", x},
                        {"normalized_shape", normalized},
                        {"weight", weight},
                        {"bias", bias},
                        {"eps", epsilon}},
                       {sizes, {sizes[0], 1}, {sizes[0], 1}});
}

/// One projection, split into heads: [heads, N, dim / heads].
TensorId headsOf(NetBuilder& net, std::string_view attribute, TensorId x, std::int64_t heads) {
    const Ints sizes = net.sizes(x);
    const TensorId projected = samples::linear(net, attribute, x, sizes[1]);
    return permute(net, view(net, projected, {sizes[0], heads, sizes[1] / heads}), {1, 0, 2});
}

TensorId attention(NetBuilder& net, TensorId x, std::int64_t heads) {
    const InModule module(net, "attention", "vit.Attention");
    const Ints sizes = net.sizes(x);
    net.statement("q, k, v = self.heads(x)");
    const TensorId query = headsOf(net, "q", x, heads);
    const TensorId key = permute(net, headsOf(net, "k", x, heads), {0, 2, 1});
    const TensorId value = headsOf(net, "v", x, heads);
    net.statement("weights = (q @ k * self.scale).softmax(-1)");
    const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(sizes[1] / heads)));
    const TensorId factor = net.buffer("scale", {1}, scale, scale);
    const TensorId scores = samples::mul(net, bmm(net, query, key), factor);
    constexpr OperatorNames names{
        .op = "aten._softmax.default", .kernel = "aten::_softmax.out", .sourceOp = "aten.softmax.int"};
    const TensorId weights = net.add(
        names, {{"self", scores}, {"dim", std::int64_t{-1}}, {"half_to_float", false}}, net.sizes(scores));
    net.statement("return self.proj(weights @ v)");
    const TensorId mixed = permute(net, bmm(net, weights, value), {1, 0, 2});
    return samples::linear(net, "proj", view(net, mixed, sizes), sizes[1]);
}

TensorId feedForward(NetBuilder& net, TensorId x, std::int64_t hidden) {
    const InModule module(net, "mlp", "vit.Mlp");
    net.statement("return self.fc2(quick_gelu(self.fc1(x)))");
    const std::int64_t dim = net.sizes(x)[1];
    const TensorId first = samples::linear(net, "fc1", x, hidden);
    constexpr OperatorNames names{
        .op = "aten.sigmoid.default", .kernel = "aten::sigmoid.out", .sourceOp = "aten.sigmoid.default"};
    constexpr float slope = 1.702F;  // x * sigmoid(1.702 x), CLIP's approximation of GELU
    const TensorId scaled = samples::mul(net, first, net.buffer("slope", {1}, slope, slope));
    const TensorId gate = net.add(names, {{"self", scaled}}, net.sizes(scaled));
    return samples::linear(net, "fc2", samples::mul(net, first, gate), dim);
}

TensorId embedded(NetBuilder& net, const VisionTransformerShape& shape) {
    const TensorId image = net.input("image", {1, 3, shape.image, shape.image});
    net.statement("x = self.patches(x)");
    const TensorId patches = samples::conv2d(
        net, "patches", image, {.channels = shape.dim, .kernel = shape.patch, .stride = shape.patch});
    const std::int64_t side = net.sizes(patches)[2];
    net.statement("x = x.flatten(2).transpose(1, 2)");
    const TensorId rows = permute(net, view(net, patches, {shape.dim, side * side}), {1, 0});
    net.statement("x = x + self.positions");
    return samples::add(net, rows, net.parameter("positions", net.sizes(rows), -0.1F, 0.1F));
}

}  // namespace

samples::Net makeVisionTransformer(const VisionTransformerShape& shape) {
    constexpr std::uint64_t seed = 17;
    NetBuilder net("vit.py", source, "vit.VisionTransformer", seed);
    TensorId x = embedded(net, shape);
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
        const InModule block(net, fmt::format("layers.{}", layer), "vit.Block");
        net.statement("x = x + self.attention(self.norm1(x))");
        x = samples::add(net, x, attention(net, layerNorm(net, "norm1", x), shape.heads));
        net.statement("x = x + self.mlp(self.norm2(x))");
        x = samples::add(net, x, feedForward(net, layerNorm(net, "norm2", x), shape.hidden));
    }
    net.statement("return self.head(self.norm(x).mean(1))");
    const TensorId last = layerNorm(net, "norm", x);
    constexpr OperatorNames mean{
        .op = "aten.mean.dim", .kernel = "aten::mean.out", .sourceOp = "aten.mean.dim"};
    const TensorId pooled = net.add(
        mean, {{"self", last}, {"dim", Ints{0}}, {"keepdim", true}, {"dtype", std::monostate(), true}},
        {1, shape.dim});
    net.output(samples::linear(net, "head", pooled, shape.classes));
    return net.finish();
}

}  // namespace et::benchmarks
