#include "app/embed/convert.h"
#include "app/embed/tensor_access.h"
#include "runtime/kernels/elements.h"

#include <algorithm>
#include <array>
#include <random>

// Factories of tensors with given or random elements.
namespace et_inspect {
namespace {

/// A tensor with the numbers that `next` returns, in blocks.
template <class T, class Next>
Result<Tensor> filled(Sizes sizes, DType dtype, Next&& next) {
    Result<Tensor> made = empty(std::move(sizes), dtype);
    if (!made) {
        return made;
    }
    const auto store = et::kernels::elementStorer<T>(detail::engineType(dtype));
    std::array<T, 256> numbers;
    std::byte* to = detail::TensorAccess::of(*made).data;
    auto left = static_cast<std::size_t>(made->numel());
    while (left > 0) {
        const std::size_t length = std::min(left, numbers.size());
        std::generate_n(numbers.begin(), length, next);
        store(numbers.data(), to, 1, length);
        to += length * element_size(dtype);
        left -= length;
    }
    return made;
}

}  // namespace

Result<Tensor> zeros(Sizes sizes, DType dtype) {
    Result<Tensor> made = empty(std::move(sizes), dtype);
    if (made) {
        std::ranges::fill(detail::TensorAccess::bytes(*made), std::byte{});
    }
    return made;
}

Result<Tensor> ones(Sizes sizes, DType dtype) {
    return full(std::move(sizes), 1, dtype);
}

Result<Tensor> full(Sizes sizes, double value, DType dtype) {
    return filled<double>(std::move(sizes), dtype, [&] { return value; });
}

Result<Tensor> rand(Sizes sizes, DType dtype, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    // No more bits than the dtype holds: rounding must not give 1.
    const unsigned bits = dtype == DType::Float16 ? 11 : dtype == DType::BFloat16 ? 8 : 24;
    return filled<double>(std::move(sizes), dtype, [&] {
        return static_cast<double>(generator() >> (64 - bits)) / static_cast<double>(1U << bits);
    });
}

Result<Tensor> randn(Sizes sizes, DType dtype, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    return filled<double>(std::move(sizes), dtype, [&] { return normal(generator); });
}

Result<Tensor> randint(std::int64_t low, std::int64_t high, Sizes sizes, DType dtype, std::uint64_t seed) {
    if (low >= high) {
        return detail::failure(ErrorCode::InvalidArgument, "randint: expected low < high");
    }
    std::mt19937_64 generator(seed);
    std::uniform_int_distribution<std::int64_t> uniform(low, high - 1);
    return filled<std::int64_t>(std::move(sizes), dtype, [&] { return uniform(generator); });
}

}  // namespace et_inspect
