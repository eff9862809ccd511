#include "app/samples/layers.h"
#include "app/samples/net_builder.h"
#include "app/samples/nets/nets.h"

#include <vector>

namespace et::samples {
namespace {

constexpr std::string_view twoLayersSource = R"(import torch
from torch import nn


class TwoLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(2, 16)
        self.last = nn.Linear(16, 1)

    def forward(self, x, target):
        h = torch.tanh(self.hidden(x))
        y = self.last(h)
        loss = nn.functional.mse_loss(y, target)
        return loss, y
)";

using Sizes = std::vector<std::int64_t>;

constexpr std::int64_t trainedRows = 16;
constexpr std::int64_t trainedInputs = 2;
constexpr std::int64_t trainedHidden = 16;

TensorId turned(NetBuilder& net, TensorId x) {
    constexpr OperatorNames names{
        .op = "aten.permute_copy.default", .kernel = "aten::permute_copy.out", .sourceOp = "aten.t.default"};
    return net.add(names, {{"self", x}, {"dims", Sizes{1, 0}}}, {net.sizes(x)[1], net.sizes(x)[0]});
}

TensorId minus(NetBuilder& net, TensorId x, TensorId y) {
    constexpr OperatorNames names{
        .op = "aten.sub.Tensor", .kernel = "aten::sub.out", .sourceOp = "aten.sub.Tensor"};
    return net.add(names, {{"self", x}, {"other", y}, {"alpha", std::int64_t{1}, true}}, net.sizes(x));
}

TensorId scaled(NetBuilder& net, TensorId x, double factor) {
    constexpr OperatorNames names{
        .op = "aten.mul.Scalar", .kernel = "aten::mul.Scalar_out", .sourceOp = "aten.mul.Scalar"};
    return net.add(names, {{"self", x}, {"other", factor}}, net.sizes(x));
}

/// The mean of all elements.
TensorId average(NetBuilder& net, TensorId x) {
    constexpr OperatorNames names{
        .op = "aten.mean.dim", .kernel = "aten::mean.out", .sourceOp = "aten.mean.dim"};
    return net.add(
        names,
        {{"self", x}, {"dim", Sizes{0, 1}}, {"keepdim", false, true}, {"dtype", std::monostate(), true}}, {});
}

/// The sum over the rows.
TensorId rowSum(NetBuilder& net, TensorId x) {
    constexpr OperatorNames names{
        .op = "aten.sum.dim_IntList", .kernel = "aten::sum.IntList_out", .sourceOp = "aten.sum.dim_IntList"};
    return net.add(
        names, {{"self", x}, {"dim", Sizes{0}}, {"keepdim", false, true}, {"dtype", std::monostate(), true}},
        {net.sizes(x)[1]});
}

/// A linear layer, with what its backward pass needs.
struct TrainedLinear {
    TensorId weight;
    TensorId bias;
    TensorId result;
};

TrainedLinear trainedLinear(NetBuilder& net, std::string_view name, TensorId x, std::int64_t outputs,
                            float bound) {
    const InModule module(net, name, "torch.nn.modules.linear.Linear");
    const TensorId weight = net.parameter("weight", {outputs, net.sizes(x)[1]}, -bound, bound);
    const TensorId bias = net.parameter("bias", {outputs}, -bound, bound);
    const TensorId columns = turned(net, weight);
    constexpr OperatorNames names{
        .op = "aten.addmm.default", .kernel = "aten::addmm.out", .sourceOp = "aten.linear.default"};
    const TensorId result = net.add(names,
                                    {{"self", bias},
                                     {"mat1", x},
                                     {"mat2", columns},
                                     {"beta", std::int64_t{1}, true},
                                     {"alpha", std::int64_t{1}, true}},
                                    {net.sizes(x)[0], outputs});
    return {.weight = weight, .bias = bias, .result = result};
}

/// Adds the gradients of a layer with input `x`, given that of its result.
void addGradients(NetBuilder& net, std::string_view name, const TrainedLinear& layer, TensorId x,
                  TensorId gradient) {
    const InModule module(net, name, "torch.nn.modules.linear.Linear");
    net.gradient(layer.weight, mm(net, turned(net, gradient), x));
    net.gradient(layer.bias, rowSum(net, gradient));
}

/// The gradient of the input of tanh: g - g h^2.
TensorId tanhGradient(NetBuilder& net, TensorId gradient, TensorId h) {
    return minus(net, gradient, mul(net, gradient, mul(net, h, h)));
}

}  // namespace

Net twoLayersNet() {
    constexpr std::uint64_t seed = 1986;
    constexpr float hiddenBound = 0.7F;  // 1 / sqrt(inputs), as nn.Linear draws
    constexpr float lastBound = 0.25F;
    NetBuilder net("two_layers.py", twoLayersSource, "two_layers.TwoLayers", seed);
    const TensorId x = net.input("x", {trainedRows, trainedInputs});
    const TensorId target = net.input("target", {trainedRows, 1});
    net.statement("h = torch.tanh(self.hidden(x))");
    const TrainedLinear hidden = trainedLinear(net, "hidden", x, trainedHidden, hiddenBound);
    constexpr OperatorNames tanh{
        .op = "aten.tanh.default", .kernel = "aten::tanh.out", .sourceOp = "aten.tanh.default"};
    const TensorId h = net.add(tanh, {{"self", hidden.result}}, net.sizes(hidden.result));
    net.statement("y = self.last(h)");
    const TrainedLinear last = trainedLinear(net, "last", h, 1, lastBound);
    net.statement("loss = nn.functional.mse_loss(y, target)");
    const TensorId error = minus(net, last.result, target);
    net.output(average(net, mul(net, error, error)));
    net.output(last.result);
    const TensorId gradient = scaled(net, error, 2.0 / static_cast<double>(trainedRows));
    net.statement("y = self.last(h)");
    const TensorId hiddenGradient = mm(net, gradient, last.weight);
    net.statement("h = torch.tanh(self.hidden(x))");
    addGradients(net, "hidden", hidden, x, tanhGradient(net, hiddenGradient, h));
    net.statement("y = self.last(h)");
    addGradients(net, "last", last, h, gradient);
    return net.finish();
}

}  // namespace et::samples
