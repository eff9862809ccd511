// Computes an operator with a function of the program.
#include <et_inspect/module.h>

#include <algorithm>
#include <iostream>

using namespace et_inspect;

// aten::hardtanh.out(Tensor self, Scalar min_val, Scalar max_val, *, Tensor(a!) out)
Result<void> hardtanh(KernelCall& call) {
    const Tensor self = call.tensor(0).value();
    const double least = call.number(1).value();
    const double most = call.number(2).value();
    Tensor out = call.output(3, self.sizes()).value();
    std::ranges::transform(self.data<float>(), out.data<float>().begin(), [&](float x) {
        return std::clamp(x, static_cast<float>(least), static_cast<float>(most));
    });
    std::cout << "hardtanh of " << self.numel() << " numbers\n";
    return {};
}

int main() {
    Module module("conv_net.pte", {.kernels = {{"aten::hardtanh.out", 4, 1, hardtanh}}});
    module.forward(ones({1, 3, 16, 16})).value();
}
