#include "app/samples/layers.h"
#include "app/samples/nets/nets.h"

#include <algorithm>
#include <span>
#include <vector>

namespace et::samples {
namespace {

constexpr std::string_view attentionSource = R"(import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, tokens=4, dim=8):
        super().__init__()
        self.query = nn.Linear(dim, dim)
        self.register_buffer("keep", torch.tril(torch.ones(tokens, tokens), diagonal=-1))

    def forward(self, x):
        scores = self.query(x) @ x.T
        mask = torch.log(self.keep)
        weights = torch.softmax(scores + mask, dim=1)
        return weights @ x
)";

constexpr std::int64_t tokens = 4;
constexpr std::int64_t dim = 8;

/// torch.tril(torch.ones(tokens, tokens), diagonal)
std::vector<float> lowerTriangle(std::int64_t diagonal) {
    std::vector<float> numbers;
    for (std::int64_t row = 0; row < tokens; ++row) {
        for (std::int64_t column = 0; column < tokens; ++column) {
            numbers.push_back(column - row <= diagonal ? 1.0F : 0.0F);
        }
    }
    return numbers;
}

TensorId transposed(NetBuilder& net, TensorId x) {
    constexpr OperatorNames names{.op = "aten.permute_copy.default",
                                  .kernel = "aten::permute_copy.out",
                                  .sourceOp = "aten.numpy_T.default"};
    return net.add(names, {{"self", x}, {"dims", std::vector<std::int64_t>{1, 0}}},
                   {net.sizes(x)[1], net.sizes(x)[0]});
}

TensorId log(NetBuilder& net, TensorId x) {
    constexpr OperatorNames names{
        .op = "aten.log.default", .kernel = "aten::log.out", .sourceOp = "aten.log.default"};
    return net.add(names, {{"self", x}}, net.sizes(x));
}

}  // namespace

Net attentionNet() {
    constexpr std::uint64_t seed = 1706;
    constexpr std::int64_t offByOne = -1;
    NetBuilder net("attention.py", attentionSource, "attention.Attention", seed);
    const TensorId x = net.input("x", {tokens, dim});
    const TensorId keep = net.buffer("keep", {tokens, tokens}, 0, 1);
    net.statement("scores = self.query(x) @ x.T");
    const TensorId query = linear(net, "query", x, dim);
    const TensorId scores = mm(net, query, transposed(net, x));
    net.statement("mask = torch.log(self.keep)");
    const TensorId mask = log(net, keep);
    net.statement("weights = torch.softmax(scores + mask, dim=1)");
    const TensorId weights = softmax(net, add(net, scores, mask));
    net.statement("return weights @ x");
    net.output(mm(net, weights, x));
    Net made = net.finish();
    const std::vector<float> numbers = lowerTriangle(offByOne);
    std::ranges::copy(std::as_bytes(std::span(numbers)),
                      std::ranges::find(made.attributes, keep, &Attribute::tensor)->data.begin());
    return made;
}

}  // namespace et::samples
