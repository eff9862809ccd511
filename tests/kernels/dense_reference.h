#pragma once

#include "tests/kernels/kernel_call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

// Reference for convolution and matrix product tests: random tensors and convolution by its definition.
namespace et::test {

using core::Tensor;
using Shape = std::vector<std::int64_t>;
using Order = std::vector<std::uint8_t>;

/// A tensor as doubles in row-major order.
struct Numbers {
    Shape sizes;
    std::vector<double> values;

    explicit Numbers(Shape shape) : sizes(std::move(shape)), values(count(sizes)) {}
    static std::size_t count(const Shape& shape) {
        std::size_t product = 1;
        for (const std::int64_t size : shape) {
            product *= static_cast<std::size_t>(size);
        }
        return product;
    }
    [[nodiscard]] std::size_t at(std::span<const std::int64_t> index) const {
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            offset = offset * sizes[i] + index[i];
        }
        return static_cast<std::size_t>(offset);
    }
};

/// Calls `visit` with every index of `sizes`, last dimension fastest.
template <class Visit>
void forIndices(const Shape& sizes, Visit&& visit) {
    Shape index(sizes.size(), 0);
    for (std::size_t rest = Numbers::count(sizes); rest > 0; --rest) {
        visit(index);
        for (std::size_t dim = sizes.size(); dim-- > 0 && ++index[dim] == sizes[dim];) {
            index[dim] = 0;
        }
    }
}

struct Case {
    std::size_t dims = 2;
    std::int64_t batch = 1;
    std::int64_t groups = 1;
    std::int64_t groupInputs = 1;
    std::int64_t groupOutputs = 1;
    Shape input, kernel, stride, padding, dilation, outputPadding;
    bool transposed = false;
    bool hasBias = false;
    bool constantWeight = false;
    Order activationOrder{};
    Order resultOrder{};
    Order weightOrder{};
    std::size_t threads = 1;

    [[nodiscard]] Shape inputSizes() const { return join({batch, groups * groupInputs}, input); }
    [[nodiscard]] Shape weightSizes() const {
        return join(
            {groups * (transposed ? groupInputs : groupOutputs), transposed ? groupOutputs : groupInputs},
            kernel);
    }
    [[nodiscard]] Shape outputSizes() const {
        Shape sizes{batch, groups * groupOutputs};
        for (std::size_t i = 0; i < dims; ++i) {
            const std::int64_t reach = dilation[i] * (kernel[i] - 1) + 1;
            sizes.push_back(transposed
                                ? (input[i] - 1) * stride[i] - 2 * padding[i] + reach + outputPadding[i]
                                : (input[i] + 2 * padding[i] - reach) / stride[i] + 1);
        }
        return sizes;
    }
    [[nodiscard]] bool isPossible() const {
        for (std::size_t i = 0; i < dims; ++i) {
            if (!transposed && dilation[i] * (kernel[i] - 1) + 1 > input[i] + 2 * padding[i]) {
                return false;
            }
        }
        return std::ranges::all_of(outputSizes(), [](std::int64_t size) { return size > 0; });
    }

  private:
    static Shape join(Shape head, const Shape& tail) {
        head.insert(head.end(), tail.begin(), tail.end());
        return head;
    }
};

/// Calls `visit(inputIndex, weightIndex, outputIndex)` for each product of a convolution.
template <class Visit>
void forProducts(const Case& shape, Visit&& visit) {
    const Shape weightSizes = shape.weightSizes();
    const Shape outputSizes = shape.outputSizes();
    // Computes positions on the side that advances by the stride from positions on the other side.
    const Shape slow = shape.transposed ? shape.inputSizes() : outputSizes;
    const Shape fast = shape.transposed ? outputSizes : shape.inputSizes();
    forIndices(weightSizes, [&](const Shape& weight) {
        const std::int64_t slowGroup = shape.transposed ? shape.groupInputs : shape.groupOutputs;
        const std::int64_t fastGroup = shape.transposed ? shape.groupOutputs : shape.groupInputs;
        Shape positions(slow.begin() + 2, slow.end());
        forIndices(positions, [&](const Shape& position) {
            for (std::int64_t sample = 0; sample < shape.batch; ++sample) {
                Shape slowIndex{sample, weight[0]};
                Shape fastIndex{sample, weight[0] / slowGroup * fastGroup + weight[1]};
                bool inside = true;
                for (std::size_t i = 0; i < shape.dims; ++i) {
                    slowIndex.push_back(position[i]);
                    const std::int64_t at =
                        position[i] * shape.stride[i] - shape.padding[i] + weight[2 + i] * shape.dilation[i];
                    inside = inside && at >= 0 && at < fast[2 + i];
                    fastIndex.push_back(at);
                }
                if (inside) {
                    visit(shape.transposed ? slowIndex : fastIndex, weight,
                          shape.transposed ? fastIndex : slowIndex);
                }
            }
        });
    });
}

/// Random tensor arguments and their values.
class Call {
  public:
    Call(std::uint64_t seed, std::size_t threads) : generator(seed), kernel(threads) {}

    template <class T>
    Numbers add(const Shape& sizes, const Order& order = {}) {
        Numbers numbers(sizes);
        std::uniform_int_distribution<int> draw(-8, 8);
        Tensor& tensor = kernel.emptyTensor<T>(sizes, order);
        for (double& value : numbers.values) {
            value = std::is_integral_v<T> ? draw(generator) : draw(generator) / 8.0;
        }
        forIndices(sizes, [&](const Shape& index) {
            tensor.mutableData<T>()[offset(tensor, index)] =
                static_cast<T>(static_cast<float>(numbers.values[numbers.at(index)]));
        });
        last = &tensor;
        return numbers;
    }
    static std::size_t offset(const Tensor& tensor, const Shape& index) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < index.size(); ++i) {
            sum += index[i] * tensor.stride(i);
        }
        return static_cast<std::size_t>(sum);
    }
    void ints(const Shape& numbers) {
        core::IntListValue list;
        for (const std::int64_t number : numbers) {
            held.push_back(std::make_unique<core::Value>(core::Value::Kind(number)));
            list.items.push_back(held.back().get());
            list.numbers.push_back(number);
        }
        kernel.add(std::move(list));
    }
    KernelCall& operator()() { return kernel; }
    void makeConstant() { last->setConstant(true); }

  private:
    std::mt19937_64 generator;
    std::vector<std::unique_ptr<core::Value>> held;
    KernelCall kernel;
    Tensor* last = nullptr;
};

template <class T>
void expectNear(const Tensor& tensor, const Numbers& expected, double tolerance) {
    ASSERT_EQ(std::vector(tensor.sizes().begin(), tensor.sizes().end()), expected.sizes);
    double worst = 0;
    forIndices(expected.sizes, [&](const Shape& index) {
        const double wanted = expected.values[expected.at(index)];
        const auto given = static_cast<double>(tensor.data<T>()[Call::offset(tensor, index)]);
        worst = std::max(worst, std::abs(given - wanted) / (1 + std::abs(wanted)));
    });
    EXPECT_LE(worst, tolerance);
}

template <class T>
inline constexpr double toleranceOf = std::is_integral_v<T>           ? 0
                                      : std::is_same_v<T, double>     ? 1e-12
                                      : std::is_same_v<T, float>      ? 1e-5
                                      : std::is_same_v<T, core::Half> ? 1e-3
                                                                      : 1e-2;

inline Order shuffled(std::mt19937_64& generator, std::size_t rank) {
    Order order(rank);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::ranges::shuffle(order, generator);
    return order;
}

/// Returns no dim order, channels-last or a random one.
inline Order someOrder(std::mt19937_64& generator, std::size_t rank) {
    switch (generator() % 4) {
        case 0:
            return shuffled(generator, rank);
        case 1: {
            Order order{0};
            for (std::size_t i = 2; i < rank; ++i) {
                order.push_back(static_cast<std::uint8_t>(i));
            }
            order.push_back(1);
            return order;
        }
        default:
            return {};
    }
}

inline Case randomCase(std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    const auto draw = [&](std::int64_t min, std::int64_t max) {
        return min + static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(max - min + 1));
    };
    Case shape;
    do {
        shape = {};
        shape.dims = static_cast<std::size_t>(draw(1, 3));
        shape.batch = draw(1, 2);
        shape.transposed = draw(0, 2) == 0;
        shape.groups = draw(0, 1) == 0 ? 1 : draw(2, 5);
        shape.groupInputs = shape.groups > 1 && draw(0, 1) == 0 ? 1 : draw(1, 9);
        shape.groupOutputs = shape.groups > 1 && draw(0, 1) == 0 ? 1 : draw(1, 19);
        const std::int64_t longest = shape.dims == 3 ? 6 : shape.dims == 2 ? 15 : 120;
        const bool pointwise = draw(0, 3) == 0;
        for (std::size_t i = 0; i < shape.dims; ++i) {
            shape.input.push_back(draw(1, longest));
            shape.kernel.push_back(pointwise ? 1 : draw(1, 4));
            shape.stride.push_back(pointwise ? 1 : draw(1, 3));
            shape.padding.push_back(pointwise ? 0 : draw(0, 2));
            shape.dilation.push_back(draw(1, 3));
            shape.outputPadding.push_back(
                shape.transposed ? draw(0, std::max(shape.stride[i], shape.dilation[i]) - 1) : 0);
        }
        shape.hasBias = draw(0, 1) == 0;
        shape.constantWeight = draw(0, 1) == 0;
        shape.activationOrder = someOrder(generator, shape.dims + 2);
        shape.resultOrder = draw(0, 2) == 0 ? someOrder(generator, shape.dims + 2) : shape.activationOrder;
        shape.weightOrder = someOrder(generator, shape.dims + 2);
        shape.threads = static_cast<std::size_t>(draw(1, 2));
    } while (!shape.isPossible());
    return shape;
}

}  // namespace et::test
