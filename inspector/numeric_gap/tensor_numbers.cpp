#include "inspector/numeric_gap/tensor_numbers.h"

#include "inspector/numeric_gap/lanes.h"
#include "runtime/core/element_types.h"
#include "runtime/kernels/strided_copy.h"
#include "runtime/kernels/thread_pool.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace et::inspector {
namespace {

using core::Result;
using core::ScalarType;
using core::Tensor;

/// A new row-major tensor with uninitialized elements.
Result<ReferenceTensor> makeTensor(ScalarType dtype, std::span<const std::int64_t> sizes) {
    ET_ASSIGN(Tensor made, Tensor::make(dtype, sizes, nullptr));
    auto memory = std::make_shared<std::vector<std::byte>>(made.bytes());
    made.setMemory(memory->data(), memory->size());
    return ReferenceTensor{.view = made, .owner = std::move(memory)};
}

Result<ReferenceTensor> copyOf(const kernels::ReadView& from, ScalarType dtype) {
    const std::vector<std::int64_t> sizes(from.sizes.begin(), from.sizes.end());
    ET_ASSIGN(ReferenceTensor made, makeTensor(dtype, sizes));
    static const kernels::ThreadPool one;
    if (!from.isEmpty()) {
        ET_TRY(kernels::copyElements(one, from, kernels::viewOf(made.view)));
    }
    return made;
}

}  // namespace

Result<ReferenceTensor> rowMajorCopy(const Tensor& tensor) {
    return copyOf(kernels::viewOf(tensor), tensor.dtype());
}

Result<ReferenceTensor> converted(const Tensor& tensor, ScalarType dtype) {
    return copyOf(kernels::viewOf(tensor), dtype);
}

Result<ReferenceTensor> permutedCopy(const Tensor& tensor, std::span<const std::uint8_t> order) {
    const kernels::ReadView from = kernels::viewOf(tensor);
    kernels::ReadView turned = from;
    for (std::size_t i = 0; i < order.size(); ++i) {
        turned.sizes[i] = from.sizes[order[i]];
        turned.strides[i] = from.strides[order[i]];
    }
    return copyOf(turned, tensor.dtype());
}

Result<> numbersInto(const Tensor& tensor, std::vector<double>& numbers) {
    numbers.resize(static_cast<std::size_t>(tensor.numel()));
    if (numbers.empty()) {
        return {};
    }
    Tensor to = Tensor::over(numbers.data(), std::span(tensor.sizes().begin(), tensor.sizes().end()));
    static const kernels::ThreadPool one;
    return kernels::copyElements(one, kernels::viewOf(tensor), kernels::viewOf(to));
}

Result<std::vector<double>> numbersOf(const Tensor& tensor) {
    std::vector<double> numbers;
    ET_TRY(numbersInto(tensor, numbers));
    return numbers;
}

Result<ReferenceTensor> dequantized(const Tensor& whole, const QuantizationParameters& parameters) {
    ET_ASSIGN(ReferenceTensor made, copyOf(kernels::viewOf(whole), ScalarType::Float));
    const auto scale = static_cast<float>(parameters.scale);
    const auto zero = static_cast<float>(parameters.zeroPoint);
    for (float& number :
         std::span(made.view.mutableData<float>(), static_cast<std::size_t>(made.view.numel()))) {
        number = (number - zero) * scale;
    }
    return made;
}

std::optional<std::span<const float>> plainFloats(const Tensor& tensor) {
    const bool isPlain = tensor.dtype() == ScalarType::Float && tensor.isContiguous();
    return isPlain ? std::optional(std::span(tensor.data<float>(), static_cast<std::size_t>(tensor.numel())))
                   : std::nullopt;
}

bool sameSizes(const Tensor& left, const Tensor& right) {
    return std::ranges::equal(left.sizes(), right.sizes());
}

namespace {

template <class T>
double computeValueDistance(std::span<const T> given, std::span<const T> expected) {
    if (given.size() != expected.size()) {
        return std::numeric_limits<double>::infinity();
    }
    lanes::Doubles noise{};
    lanes::Doubles signal{};
    lanes::forEach(given.size(), [&](std::size_t i, std::size_t lane) {
        const auto right = static_cast<double>(expected[i]);
        const double error = static_cast<double>(given[i]) - right;
        noise[lane] += error * error;
        signal[lane] += right * right;
    });
    return lanes::sum(noise) / (std::numeric_limits<double>::min() + lanes::sum(signal));
}

}  // namespace

double computeDistance(const Tensor& given, const Tensor& expected) {
    const auto floats = plainFloats(given);
    const auto expectedFloats = plainFloats(expected);
    if (floats && expectedFloats) {
        return computeValueDistance(*floats, *expectedFloats);
    }
    const auto left = numbersOf(given);
    const auto right = numbersOf(expected);
    return left && right
               ? computeValueDistance(std::span<const double>(*left), std::span<const double>(*right))
               : std::numeric_limits<double>::infinity();
}

bool agree(const QuantizationParameters& left, const QuantizationParameters& right) {
    constexpr double spelling = 1e-3;
    return left.zeroPoint == right.zeroPoint &&
           std::abs(left.scale - right.scale) <= spelling * std::abs(right.scale);
}

FloatFormat floatFormat(ScalarType type) {
    switch (type) {
        case ScalarType::Half:
            return FloatFormat::Half;
        case ScalarType::BFloat16:
            return FloatFormat::BFloat16;
        case ScalarType::Float:
            return FloatFormat::Float;
        case ScalarType::Double:
            return FloatFormat::Double;
        default:
            return FloatFormat::None;
    }
}

}  // namespace et::inspector
