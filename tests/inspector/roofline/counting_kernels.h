#pragma once

#include <cstdint>
#include <vector>

// Operators implemented by definition, without optimization, that count their operations.
namespace et::test {

using Sizes = std::vector<std::int64_t>;

/// Counts operations on single numbers.
struct Counter {
    double operations = 0;
    void multiplyAdd() { operations += 2; }
    void once() { operations += 1; }
};

/// One axis of a window.
struct CountedAxis {
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t padding = 0;
    std::int64_t dilation = 1;

    [[nodiscard]] std::int64_t positions(std::int64_t input) const {
        return (input + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
    }
};

/// Convolution of an image [batch, inputs, height, width] with weights [outputs, inputs / groups, kernel,
/// kernel].
[[nodiscard]] double countedConvolution(const Sizes& image, std::int64_t outputs, std::int64_t groups,
                                        const CountedAxis& high, const CountedAxis& wide);
/// Every element of the image contributes to a window of the output, whose height and width are `output`.
[[nodiscard]] double countedTransposed(const Sizes& image, std::int64_t outputs, std::int64_t groups,
                                       const Sizes& output, const CountedAxis& high, const CountedAxis& wide);
/// Comparisons (or additions) of each window; with `divides`, one division each.
[[nodiscard]] double countedPooling(const Sizes& image, const CountedAxis& high, const CountedAxis& wide,
                                    bool divides);
[[nodiscard]] double countedProduct(std::int64_t batch, std::int64_t rows, std::int64_t inner,
                                    std::int64_t columns);
[[nodiscard]] double countedSoftmax(std::int64_t rows, std::int64_t columns);
[[nodiscard]] double countedAttention(std::int64_t heads, std::int64_t queries, std::int64_t keys,
                                      std::int64_t channels, std::int64_t valueChannels);
[[nodiscard]] double countedLayerNorm(std::int64_t rows, std::int64_t columns);
[[nodiscard]] double countedBilinear(std::int64_t outputs);
[[nodiscard]] double countedMean(std::int64_t rows, std::int64_t columns);
[[nodiscard]] double countedReduction(std::int64_t rows, std::int64_t columns);
/// `each` unary functions on each of `elements` elements.
[[nodiscard]] double countedElements(std::int64_t elements, int each);

}  // namespace et::test
