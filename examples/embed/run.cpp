// Runs the sample conv_net and prints its probabilities.
#include <et_inspect/module.h>

#include <iostream>

int main() {
    et_inspect::Module module("conv_net.pte");
    const auto outputs = module.forward(et_inspect::ones({1, 3, 16, 16}));
    if (!outputs) {
        std::cerr << outputs.error().message << '\n';
        return 1;
    }
    const auto probabilities = outputs->front().to_tensor().value();
    for (const float each : probabilities.data<float>()) {
        std::cout << each << '\n';
    }
}
