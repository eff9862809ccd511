#include "tests/support/synthetic_set/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::test::synthetic {
namespace {

/// Python source of the net. It is never run; it provides the lines of stack traces.
constexpr std::string_view pythonSource = R"(import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.gate = Gate()
        self.fc = nn.Linear(256, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        x = self.gate(x)
        x = self.fc(x.flatten(1))
        return torch.softmax(x, dim=-1)
)";

constexpr std::string_view convCall = "x = torch.relu(self.conv(x))";
constexpr std::string_view gateCall = "x = self.gate(x)";
constexpr std::string_view gateInnerCall = "return x * torch.sigmoid(x)";
constexpr std::string_view fcCall = "x = self.fc(x.flatten(1))";
constexpr std::string_view softmaxCall = "return torch.softmax(x, dim=-1)";

constexpr Module convModule{.fqn = "conv", .type = "torch.nn.modules.conv.Conv2d"};
constexpr Module gateModule{.fqn = "gate", .type = "conv_net.Gate"};
constexpr Module fcModule{.fqn = "fc", .type = "torch.nn.modules.linear.Linear"};

/// Instructions: two kernels, the delegate (its two operators), three kernels. The view shares its input's
/// memory and needs no instruction. Both operators of the linear layer have the debug handle of the original
/// operator.
constexpr std::array table{
    Operator{"aten_convolution_default", "aten.convolution.default", "conv2d", "aten.conv2d.default", 1,
             &convModule, convCall, "", 0, "native_call_convolution.out", "", 4 * 8 * 8 * 9 * 2},
    Operator{"aten_relu_default", "aten.relu.default", "relu", "aten.relu.default", 2, &rootModule, convCall,
             "", 1, "native_call_relu.out", "", 256},
    Operator{"aten_sigmoid_default", "aten.sigmoid.default", "sigmoid", "aten.sigmoid.default", 3,
             &gateModule, gateCall, gateInnerCall, delegateInstruction, "", "aten_sigmoid_default_0",
             256 * 12},
    Operator{"aten_mul_tensor", "aten.mul.Tensor", "mul", "aten.mul.Tensor", 4, &gateModule, gateCall,
             gateInnerCall, delegateInstruction, "", "aten_mul_tensor_1", 256},
    Operator{"aten_view_copy_default", "aten.view_copy.default", "flatten", "aten.flatten.using_ints", 5,
             &rootModule, fcCall, "", -1, "", "", 0},
    Operator{"aten_permute_copy_default", "aten.permute_copy.default", "linear", "aten.linear.default", 6,
             &fcModule, fcCall, "", 3, "native_call_permute_copy.out", "", 256 * 10},
    Operator{"aten_addmm_default", "aten.addmm.default", "linear", "aten.linear.default", 6, &fcModule,
             fcCall, "", 4, "native_call_addmm.out", "", 256 * 10 * 2},
    Operator{"aten__softmax_default", "aten._softmax.default", "softmax", "aten.softmax.int", 7, &rootModule,
             softmaxCall, "", 5, "native_call__softmax.out", "", 10 * 30},
};

/// 1-based number of the source line that contains `line`.
std::int64_t lineNumber(std::string_view line) {
    const std::string_view before = pythonSource.substr(0, pythonSource.find(line));
    return std::ranges::count(before, '\n') + 1;
}

std::string frame(std::string_view line) {
    return fmt::format("File \"conv_net.py\", line {}, in forward\n    {}", lineNumber(line), line);
}

}  // namespace

const Module rootModule{.fqn = "", .type = "conv_net.ConvNet"};

std::span<const Operator> operators() {
    return table;
}

std::string stackTrace(const Operator& op) {
    return op.innerCall.empty() ? frame(op.call)
                                : fmt::format("{}\n  {}", frame(op.call), frame(op.innerCall));
}

}  // namespace et::test::synthetic
