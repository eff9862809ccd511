#include "backends/reference/value_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;

constexpr std::uint64_t alignment = 64;

}  // namespace

Result<> ValueBudget::take(std::uint64_t bytes) {
    const std::uint64_t before = used.fetch_add(bytes, std::memory_order_relaxed);
    if (bytes > limit || before > limit - bytes) {
        used.fetch_sub(bytes, std::memory_order_relaxed);
        return core::fail(
            ErrorCode::Limit,
            fmt::format("a value of {} bytes in addition to {} bytes of others, at most {} are allowed",
                        bytes, before, limit));
    }
    return {};
}

ValueMemory::~ValueMemory() {
    std::free(start);
    budget->give(size);
}

Result<std::byte*> ValueMemory::reserve(std::size_t bytes) {
    std::free(std::exchange(start, nullptr));
    budget->give(std::exchange(size, 0));
    ET_TRY(budget->take(bytes));
    size = bytes;
    const std::uint64_t blocks = (std::uint64_t{bytes} + alignment - 1) / alignment;
    start = static_cast<std::byte*>(
        std::aligned_alloc(alignment, std::max<std::uint64_t>(blocks, 1) * alignment));
    if (start == nullptr) {
        return core::fail(ErrorCode::Limit, fmt::format("out of memory for a value of {} bytes", bytes));
    }
    return start;
}

Result<ResultTensor> ResultTensor::make(core::ScalarType dtype, const std::shared_ptr<ValueBudget>& budget) {
    constexpr std::array<std::int64_t, 1> nothing{0};
    ResultTensor result{.tensor = {}, .memory = std::make_shared<ValueMemory>(budget)};
    ET_ASSIGN(result.tensor, core::Tensor::make(dtype, nothing, nullptr));
    result.tensor.setShape(core::Tensor::Shape::Growing, result.memory.get());
    return result;
}

Result<ResultTensor> ResultTensor::make(core::ScalarType dtype, std::span<const std::int64_t> sizes,
                                        const std::shared_ptr<ValueBudget>& budget) {
    ET_ASSIGN(ResultTensor result, make(dtype, budget));
    ET_TRY(result.tensor.resize(sizes));
    return result;
}

ReferenceTensor ResultTensor::finish(core::Tensor written, std::shared_ptr<ValueMemory> memory) {
    written.setShape(core::Tensor::Shape::Fixed);
    return {.view = written, .owner = std::move(memory)};
}

}  // namespace et::backends::reference
