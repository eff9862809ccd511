#pragma once

#include "tests/tasks/net_draft.h"

#include <cstdint>
#include <string>
#include <string_view>

// PyTorch layers as the nodes that export for XNNPACK's partitioner creates.
namespace et::test {

struct ConvolutionSpec {
    std::int64_t channels = 0;  ///< of the result
    std::int64_t kernel = 3;
    std::int64_t stride = 1;
    std::int64_t padding = 1;
    std::int64_t groups = 1;
    bool transposed = false;
    std::int64_t outputPadding = 0;
    bool bias = true;
    bool normed = false;  ///< with weight norm
};

/// nn.Conv2d, nn.Conv1d or nn.ConvTranspose2d, depending on the operand's dimensions.
std::string convolution(NetDraft& net, const std::string& x, const ConvolutionSpec& spec);
std::string batchNorm(NetDraft& net, const std::string& x);
std::string relu(NetDraft& net, const std::string& x);
std::string relu6(NetDraft& net, const std::string& x);
std::string sigmoid(NetDraft& net, const std::string& x);
/// "aten.gelu.default", "aten.tanh.default", …
std::string unary(NetDraft& net, const std::string& op, const std::string& x);
/// `decomposed`: as exported if no partitioner preserves the operator.
std::string hardswish(NetDraft& net, const std::string& x, bool decomposed = false);
/// nn.PReLU with a slope per channel.
std::string prelu(NetDraft& net, const std::string& x, bool decomposed = false);
std::string hardsigmoid(NetDraft& net, const std::string& x);
std::string maxPool(NetDraft& net, const std::string& x, bool decomposed = false);
/// nn.AdaptiveAvgPool2d(1).
std::string averagePool(NetDraft& net, const std::string& x);
/// x.mean(dims) over the last `dims` dimensions.
std::string mean(NetDraft& net, const std::string& x, std::size_t dims, bool keeps);
std::string linear(NetDraft& net, const std::string& x, std::int64_t outputs, bool bias = true);
/// Same as linear(), with existing weights.
std::string product(NetDraft& net, const std::string& x, const std::string& weight, const std::string& bias);
std::string layerNorm(NetDraft& net, const std::string& x);
std::string softmax(NetDraft& net, const std::string& x);
/// x + y and x * y, with the exported operator "aten.add.Tensor" or similar.
std::string add(NetDraft& net, const std::string& x, const std::string& y);
std::string mul(NetDraft& net, const std::string& x, const std::string& y);
/// x * 0.5, x * 2, x + 1.
std::string mulNumber(NetDraft& net, const std::string& x, double number);
std::string mulNumber(NetDraft& net, const std::string& x, std::int64_t number);
std::string cat(NetDraft& net, const std::vector<std::string>& tensors, std::int64_t dim);
std::string view(NetDraft& net, const std::string& x, const Sizes& sizes);
std::string permute(NetDraft& net, const std::string& x, const Sizes& dims);
std::string transpose(NetDraft& net, const std::string& x, std::int64_t first, std::int64_t second);
/// torch.matmul() of three-dimensional tensors.
std::string matmul(NetDraft& net, const std::string& x, const std::string& y);
std::string slice(NetDraft& net, const std::string& x, std::int64_t dim, std::int64_t start,
                  std::int64_t end);

/// Single nodes of an operator of several nodes, which from() started.
std::string viewNode(NetDraft& net, const std::string& x, const Sizes& sizes);
std::string permuteNode(NetDraft& net, const std::string& x, const Sizes& dims);
std::string contiguousNode(NetDraft& net, const std::string& x);
std::string catNode(NetDraft& net, const std::vector<std::string>& tensors, std::int64_t dim);
std::string sliceNode(NetDraft& net, const std::string& x, std::int64_t dim, std::int64_t start,
                      std::int64_t end);

}  // namespace et::test
