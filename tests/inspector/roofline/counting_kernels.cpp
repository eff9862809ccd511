#include "tests/inspector/roofline/counting_kernels.h"

namespace et::test {
namespace {

/// Calls `see` for each image element in the window at a position.
template <class See>
void eachTap(std::int64_t input, std::int64_t position, const CountedAxis& axis, See see) {
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
        const std::int64_t at = position * axis.stride - axis.padding + k * axis.dilation;
        if (at >= 0 && at < input) {
            see();
        }
    }
}

}  // namespace

double countedConvolution(const Sizes& image, std::int64_t outputs, std::int64_t groups,
                          const CountedAxis& high, const CountedAxis& wide) {
    Counter counter;
    const std::int64_t inputsOfGroup = image[1] / groups;
    for (std::int64_t n = 0; n < image[0] * outputs; ++n) {
        for (std::int64_t y = 0; y < high.positions(image[2]); ++y) {
            for (std::int64_t x = 0; x < wide.positions(image[3]); ++x) {
                for (std::int64_t c = 0; c < inputsOfGroup; ++c) {
                    eachTap(image[2], y, high,
                            [&] { eachTap(image[3], x, wide, [&] { counter.multiplyAdd(); }); });
                }
            }
        }
    }
    return counter.operations;
}

double countedTransposed(const Sizes& image, std::int64_t outputs, std::int64_t groups, const Sizes& output,
                         const CountedAxis& high, const CountedAxis& wide) {
    Counter counter;
    for (std::int64_t n = 0; n < image[0] * image[1]; ++n) {
        for (std::int64_t y = 0; y < image[2]; ++y) {
            for (std::int64_t x = 0; x < image[3]; ++x) {
                for (std::int64_t o = 0; o < outputs / groups; ++o) {
                    eachTap(output[0], y, high,
                            [&] { eachTap(output[1], x, wide, [&] { counter.multiplyAdd(); }); });
                }
            }
        }
    }
    return counter.operations;
}

double countedPooling(const Sizes& image, const CountedAxis& high, const CountedAxis& wide, bool divides) {
    Counter counter;
    for (std::int64_t n = 0; n < image[0] * image[1]; ++n) {
        for (std::int64_t y = 0; y < high.positions(image[2]); ++y) {
            for (std::int64_t x = 0; x < wide.positions(image[3]); ++x) {
                eachTap(image[2], y, high, [&] { eachTap(image[3], x, wide, [&] { counter.once(); }); });
                if (divides) {
                    counter.once();
                }
            }
        }
    }
    return counter.operations;
}

double countedProduct(std::int64_t batch, std::int64_t rows, std::int64_t inner, std::int64_t columns) {
    Counter counter;
    for (std::int64_t i = 0; i < batch * rows * columns; ++i) {
        for (std::int64_t k = 0; k < inner; ++k) {
            counter.multiplyAdd();
        }
    }
    return counter.operations;
}

double countedSoftmax(std::int64_t rows, std::int64_t columns) {
    Counter counter;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t i = 0; i < columns; ++i) {
            counter.once();  // largest
        }
        for (std::int64_t i = 0; i < columns; ++i) {
            counter.once();  // subtract the maximum
            counter.once();  // exponential
            counter.once();  // sum
        }
        for (std::int64_t i = 0; i < columns; ++i) {
            counter.once();  // quotient
        }
    }
    return counter.operations;
}

double countedAttention(std::int64_t heads, std::int64_t queries, std::int64_t keys, std::int64_t channels,
                        std::int64_t valueChannels) {
    return countedProduct(heads, queries, channels, keys) + countedSoftmax(heads * queries, keys) +
           countedProduct(heads, queries, keys, valueChannels);
}

double countedLayerNorm(std::int64_t rows, std::int64_t columns) {
    Counter counter;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t i = 0; i < columns; ++i) {
            counter.once();  // sum for the mean
        }
        for (std::int64_t i = 0; i < columns; ++i) {
            counter.once();         // difference to the mean
            counter.multiplyAdd();  // add its square to the variance
        }
        for (std::int64_t i = 0; i < columns; ++i) {
            counter.once();         // divide by the deviation
            counter.multiplyAdd();  // weight and bias
        }
    }
    return counter.operations;
}

double countedBilinear(std::int64_t outputs) {
    Counter counter;
    for (std::int64_t i = 0; i < outputs; ++i) {
        for (int between = 0; between < 3; ++between) {
            counter.once();         // difference
            counter.multiplyAdd();  // add its share to the first
        }
    }
    return counter.operations;
}

double countedMean(std::int64_t rows, std::int64_t columns) {
    return countedReduction(rows, columns) + countedElements(rows, 1);
}

double countedReduction(std::int64_t rows, std::int64_t columns) {
    Counter counter;
    for (std::int64_t i = 0; i < rows * columns; ++i) {
        counter.once();
    }
    return counter.operations;
}

double countedElements(std::int64_t elements, int each) {
    Counter counter;
    for (std::int64_t i = 0; i < elements * each; ++i) {
        counter.once();
    }
    return counter.operations;
}

}  // namespace et::test
