#include "app/samples/layers.h"

#include <cmath>
#include <functional>
#include <numeric>

namespace et::samples {
namespace {

using Ints = std::vector<std::int64_t>;

/// He initialization, as the bound of a uniform distribution: the variance of weights that preserves the
/// variance of their input. A ReLU halves it.
float weightBound(std::int64_t inputs, Feed feed) {
    const double variance = (feed == Feed::Rectified ? 2.0 : 1.0) / static_cast<double>(inputs);
    return static_cast<float>(std::sqrt(3 * variance));
}

std::int64_t convolved(std::int64_t size, const Conv2d& spec) {
    const std::int64_t padding = (spec.kernel - 1) / 2;
    return (size + 2 * padding - spec.kernel) / spec.stride + 1;
}

}  // namespace

TensorId conv2d(NetBuilder& net, std::string_view attribute, TensorId x, const Conv2d& spec) {
    const InModule module(net, attribute, "torch.nn.modules.conv.Conv2d");
    const Ints& sizes = net.sizes(x);
    const std::int64_t inputs = sizes[1] / spec.groups;
    const Ints result{sizes[0], spec.channels, convolved(sizes[2], spec), convolved(sizes[3], spec)};
    const float bound = weightBound(inputs * spec.kernel * spec.kernel, spec.feed);
    const TensorId weight =
        net.parameter("weight", {spec.channels, inputs, spec.kernel, spec.kernel}, -bound, bound);
    const std::int64_t padding = (spec.kernel - 1) / 2;
    constexpr OperatorNames names{.op = "aten.convolution.default",
                                  .kernel = "aten::convolution.out",
                                  .sourceOp = "aten.conv2d.default"};
    return net.add(names,
                   {{"input", x},
                    {"weight", weight},
                    {"bias", std::monostate()},
                    {"stride", Ints{spec.stride, spec.stride}},
                    {"padding", Ints{padding, padding}},
                    {"dilation", Ints{1, 1}},
                    {"transposed", false},
                    {"output_padding", Ints{0, 0}},
                    {"groups", spec.groups}},
                   result);
}

TensorId batchNorm(NetBuilder& net, std::string_view attribute, TensorId x) {
    const InModule module(net, attribute, "torch.nn.modules.batchnorm.BatchNorm2d");
    const Ints sizes = net.sizes(x);
    const Ints channels{sizes[1]};
    const TensorId weight = net.parameter("weight", channels, 0.9F, 1.1F);
    const TensorId bias = net.parameter("bias", channels, -0.2F, 0.2F);
    const TensorId mean = net.buffer("running_mean", channels, -0.1F, 0.1F);
    const TensorId variance = net.buffer("running_var", channels, 0.8F, 1.2F);
    net.counter("num_batches_tracked");
    constexpr double momentum = 0.1;
    constexpr double epsilon = 1e-5;
    constexpr OperatorNames names{.op = "aten._native_batch_norm_legit_no_training.default",
                                  .kernel = "aten::_native_batch_norm_legit_no_training.out",
                                  .sourceOp = "aten.batch_norm.default"};
    return net.addMany(names,
                       {{"input", x},
                        {"weight", weight},
                        {"bias", bias},
                        {"running_mean", mean},
                        {"running_var", variance},
                        {"momentum", momentum},
                        {"eps", epsilon}},
                       {sizes, {0}, {0}});
}

TensorId relu(NetBuilder& net, std::string_view attribute, TensorId x) {
    const InModule module(net, attribute, "torch.nn.modules.activation.ReLU");
    constexpr OperatorNames names{
        .op = "aten.relu.default", .kernel = "aten::relu.out", .sourceOp = "aten.relu.default"};
    return net.add(names, {{"self", x}}, net.sizes(x));
}

TensorId relu6(NetBuilder& net, std::string_view attribute, TensorId x) {
    const InModule module(net, attribute, "torch.nn.modules.activation.ReLU6");
    constexpr OperatorNames names{
        .op = "aten.hardtanh.default", .kernel = "aten::hardtanh.out", .sourceOp = "aten.hardtanh.default"};
    return net.add(names, {{"self", x}, {"min_val", 0.0}, {"max_val", 6.0}}, net.sizes(x));
}

TensorId linear(NetBuilder& net, std::string_view attribute, TensorId x, std::int64_t outputs) {
    const InModule module(net, attribute, "torch.nn.modules.linear.Linear");
    const Ints sizes = net.sizes(x);
    const float bound = weightBound(sizes[1], Feed::Plain);
    const TensorId weight = net.parameter("weight", {outputs, sizes[1]}, -bound, bound);
    const TensorId bias = net.parameter("bias", {outputs}, -0.1F, 0.1F);
    constexpr OperatorNames transposition{.op = "aten.permute_copy.default",
                                          .kernel = "aten::permute_copy.out",
                                          .sourceOp = "aten.linear.default"};
    constexpr OperatorNames product{
        .op = "aten.addmm.default", .kernel = "aten::addmm.out", .sourceOp = "aten.linear.default"};
    const TensorId matrix =
        net.add(transposition, {{"self", weight}, {"dims", Ints{1, 0}}}, {sizes[1], outputs});
    net.sameSource();
    return net.add(product,
                   {{"self", bias},
                    {"mat1", x},
                    {"mat2", matrix},
                    {"beta", std::int64_t{1}, true},
                    {"alpha", std::int64_t{1}, true}},
                   {sizes[0], outputs});
}

TensorId add(NetBuilder& net, TensorId x, TensorId y) {
    constexpr OperatorNames names{
        .op = "aten.add.Tensor", .kernel = "aten::add.out", .sourceOp = "aten.add.Tensor"};
    return net.add(names, {{"self", x}, {"other", y}, {"alpha", std::int64_t{1}, true}}, net.sizes(x));
}

TensorId mul(NetBuilder& net, TensorId x, TensorId y) {
    constexpr OperatorNames names{
        .op = "aten.mul.Tensor", .kernel = "aten::mul.out", .sourceOp = "aten.mul.Tensor"};
    return net.add(names, {{"self", x}, {"other", y}}, net.sizes(x));
}

TensorId mm(NetBuilder& net, TensorId x, TensorId y) {
    constexpr OperatorNames names{
        .op = "aten.mm.default", .kernel = "aten::mm.out", .sourceOp = "aten.mm.default"};
    return net.add(names, {{"self", x}, {"mat2", y}}, {net.sizes(x)[0], net.sizes(y)[1]});
}

TensorId averagePool(NetBuilder& net, TensorId x) {
    constexpr OperatorNames names{
        .op = "aten.mean.dim", .kernel = "aten::mean.out", .sourceOp = "aten.adaptive_avg_pool2d.default"};
    const Ints sizes = net.sizes(x);
    return net.add(names,
                   {{"self", x}, {"dim", Ints{-1, -2}}, {"keepdim", true}, {"dtype", std::monostate(), true}},
                   {sizes[0], sizes[1], 1, 1});
}

TensorId flatten(NetBuilder& net, TensorId x) {
    constexpr OperatorNames names{
        .op = "aten.view_copy.default", .kernel = "", .sourceOp = "aten.flatten.using_ints"};
    const Ints sizes = net.sizes(x);
    const std::int64_t rest =
        std::accumulate(sizes.begin() + 1, sizes.end(), std::int64_t{1}, std::multiplies<>());
    const Ints flat{sizes[0], rest};
    return net.add(names, {{"self", x}, {"size", flat}}, flat);
}

TensorId softmax(NetBuilder& net, TensorId x) {
    constexpr OperatorNames names{
        .op = "aten._softmax.default", .kernel = "aten::_softmax.out", .sourceOp = "aten.softmax.int"};
    return net.add(names, {{"self", x}, {"dim", std::int64_t{1}}, {"half_to_float", false}}, net.sizes(x));
}

}  // namespace et::samples
