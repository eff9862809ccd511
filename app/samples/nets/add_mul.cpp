#include "app/samples/layers.h"
#include "app/samples/nets/nets.h"

namespace et::samples {
namespace {

constexpr std::string_view addMulSource = R"(from torch import nn


class AddMul(nn.Module):
    def forward(self, a, x, b):
        y = a @ x
        z = b * x
        return y + z
)";

}  // namespace

Net addMulNet() {
    constexpr std::uint64_t noWeights = 0;
    NetBuilder net("add_mul.py", addMulSource, "add_mul.AddMul", noWeights);
    const TensorId a = net.input("a", {4, 4});
    const TensorId x = net.input("x", {4, 4});
    const TensorId b = net.input("b", {4, 4});
    net.statement("y = a @ x");
    const TensorId y = mm(net, a, x);
    net.statement("z = b * x");
    const TensorId z = mul(net, b, x);
    net.statement("return y + z");
    net.output(add(net, y, z));
    return net.finish();
}

}  // namespace et::samples
