#include "runtime/kernels/elementwise/path.h"

namespace et::kernels {
namespace {

/// True if the input has the memory layout of the result, or a single element.
bool liesLike(const core::Tensor& out, const Input& input) {
    const core::Tensor* tensor = input.tensor;
    return tensor == nullptr || tensor->numel() == 1 ||
           (tensor->sizes() == out.sizes() && tensor->strides() == out.strides());
}

}  // namespace

Path::Path(std::span<const Input> inputs, const core::Tensor& out) : length(out.numel()) {
    if (std::ranges::all_of(inputs, [&](const Input& input) { return liesLike(out, input); })) {
        rowStrides.fill(1);
        return;
    }
    std::array<core::Strides, 1 + maxInputs> steps;
    steps.fill(core::Strides(out.dim(), 0));
    steps[0] = out.strides();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (const core::Tensor* tensor = inputs[i].tensor) {
            steps[i + 1] = broadcastStrides(tensor->sizes(), tensor->strides(), out.sizes());
        }
    }
    walk.emplace(out.sizes(), steps);
    length = walk->rowLength();
    rowStrides = walk->rowStrides();
}

}  // namespace et::kernels
