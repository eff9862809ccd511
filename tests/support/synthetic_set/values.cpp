#include "tests/support/synthetic_set/values.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace et::test::synthetic {
namespace {

std::size_t elementCount(const std::vector<std::int64_t>& sizes) {
    return static_cast<std::size_t>(
        std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>()));
}

/// Numbers in [-scale, scale), identical on every machine (unlike the standard's distributions).
Tensor randomTensor(std::vector<std::int64_t> sizes, float scale, std::mt19937& random) {
    Tensor tensor{.sizes = std::move(sizes), .elements = {}};
    tensor.elements.resize(elementCount(tensor.sizes));
    std::ranges::generate(tensor.elements, [&] {
        const double unit = static_cast<double>(random()) / 4294967296.0;
        return static_cast<float>((2 * unit - 1) * scale);
    });
    return tensor;
}

template <class Function>
Tensor mapped(const Tensor& input, Function function) {
    Tensor result = input;
    std::ranges::transform(input.elements, result.elements.begin(), function);
    return result;
}

/// 3x3 convolution, one input channel, stride 1, padding 1.
Tensor convolution(const Tensor& input, const Tensor& weight, const Tensor& bias) {
    const std::int64_t channels = weight.sizes[0];
    const std::int64_t height = input.sizes[2];
    const std::int64_t width = input.sizes[3];
    const auto pixel = [&](std::int64_t y, std::int64_t x) {
        const bool inside = y >= 0 && y < height && x >= 0 && x < width;
        return inside ? input.elements[static_cast<std::size_t>(y * width + x)] : 0.0F;
    };
    Tensor result{.sizes = {1, channels, height, width}, .elements = {}};
    for (std::int64_t at = 0; at < channels * height * width; ++at) {
        const std::int64_t channel = at / (height * width);
        const std::int64_t y = at / width % height;
        const std::int64_t x = at % width;
        float sum = bias.elements[static_cast<std::size_t>(channel)];
        for (std::int64_t tap = 0; tap < 9; ++tap) {
            sum += weight.elements[static_cast<std::size_t>(channel * 9 + tap)] *
                   pixel(y + tap / 3 - 1, x + tap % 3 - 1);
        }
        result.elements.push_back(sum);
    }
    return result;
}

Tensor transposed(const Tensor& matrix) {
    const auto rows = static_cast<std::size_t>(matrix.sizes[0]);
    const auto columns = static_cast<std::size_t>(matrix.sizes[1]);
    Tensor result{.sizes = {matrix.sizes[1], matrix.sizes[0]}, .elements = {}};
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t row = 0; row < rows; ++row) {
            result.elements.push_back(matrix.elements[row * columns + column]);
        }
    }
    return result;
}

/// bias + vector x matrix, for one row.
Tensor addmm(const Tensor& bias, const Tensor& vector, const Tensor& matrix) {
    const auto columns = static_cast<std::size_t>(matrix.sizes[1]);
    Tensor result{.sizes = {1, matrix.sizes[1]}, .elements = bias.elements};
    for (std::size_t row = 0; row < vector.elements.size(); ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            result.elements[column] += vector.elements[row] * matrix.elements[row * columns + column];
        }
    }
    return result;
}

Tensor softmax(const Tensor& input) {
    const float largest = std::ranges::max(input.elements);
    Tensor result = mapped(input, [&](float value) { return std::exp(value - largest); });
    const float sum = std::accumulate(result.elements.begin(), result.elements.end(), 0.0F);
    return mapped(result, [&](float value) { return value / sum; });
}

}  // namespace

Values computeValues() {
    constexpr std::uint32_t seed = 2026;
    std::mt19937 random(seed);
    Values values;
    values["p_conv_weight"] = randomTensor({4, 1, 3, 3}, 0.33F, random);
    values["p_conv_bias"] = randomTensor({4}, 0.33F, random);
    values["p_fc_weight"] = randomTensor({10, 256}, 0.0625F, random);
    values["p_fc_bias"] = randomTensor({10}, 0.0625F, random);
    values["x"] = randomTensor({1, 1, 8, 8}, 1, random);

    const Tensor conv = convolution(values["x"], values["p_conv_weight"], values["p_conv_bias"]);
    const Tensor relu = mapped(conv, [](float value) { return std::max(value, 0.0F); });
    const Tensor sigmoid = mapped(relu, [](float value) { return 1 / (1 + std::exp(-value)); });
    Tensor product = relu;
    std::ranges::transform(relu.elements, sigmoid.elements, product.elements.begin(), std::multiplies<>());
    Tensor flat = product;
    flat.sizes = {1, static_cast<std::int64_t>(flat.elements.size())};
    const Tensor matrix = transposed(values["p_fc_weight"]);
    const Tensor linear = addmm(values["p_fc_bias"], flat, matrix);

    values["aten_convolution_default"] = conv;
    values["aten_relu_default"] = relu;
    values["aten_sigmoid_default"] = sigmoid;
    values["aten_mul_tensor"] = product;
    values["aten_view_copy_default"] = flat;
    values["aten_permute_copy_default"] = matrix;
    values["aten_addmm_default"] = linear;
    values["aten__softmax_default"] = softmax(linear);
    return values;
}

std::vector<std::int64_t> denseStrides(const std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) {
        strides[i - 1] = strides[i] * sizes[i];
    }
    return strides;
}

}  // namespace et::test::synthetic
