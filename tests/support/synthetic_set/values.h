#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace et::test::synthetic {

/// A dense float32 tensor, last dimension fastest.
struct Tensor {
    std::vector<std::int64_t> sizes;
    std::vector<float> elements;
};

/// Tensors by their name in the Edge graph: the input "x", the parameters ("p_conv_weight"), and the result
/// of each operator.
using Values = std::map<std::string, Tensor, std::less<>>;

/// Runs the net on seeded weights and a seeded input.
[[nodiscard]] Values computeValues();

/// Strides of a dense tensor, in elements.
[[nodiscard]] std::vector<std::int64_t> denseStrides(const std::vector<std::int64_t>& sizes);

}  // namespace et::test::synthetic
