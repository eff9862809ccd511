#pragma once

#include "backends/reference/reference_value.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace et::backends::reference {

/// Counts the bytes of values; a destroyed value returns its bytes, on any thread.
class ValueBudget {
  public:
    explicit ValueBudget(std::uint64_t limitBytes) : limit(limitBytes) {}

    /// Errors: Limit.
    [[nodiscard]] core::Result<> take(std::uint64_t bytes);
    void give(std::uint64_t bytes) { used.fetch_sub(bytes, std::memory_order_relaxed); }

  private:
    std::uint64_t limit;
    std::atomic<std::uint64_t> used{0};
};

/// Memory of one value: grows while an operator writes it, and owns it afterwards.
class ValueMemory final : public core::GrowingMemory {
  public:
    explicit ValueMemory(std::shared_ptr<ValueBudget> counted) : budget(std::move(counted)) {}
    ~ValueMemory() override;
    ValueMemory(const ValueMemory&) = delete;
    ValueMemory& operator=(const ValueMemory&) = delete;

    [[nodiscard]] core::Result<std::byte*> reserve(std::size_t bytes) override;
    void forget() override {}  // its only tensor is about to be rewritten

  private:
    std::shared_ptr<ValueBudget> budget;
    std::byte* start = nullptr;
    std::uint64_t size = 0;
};

/// A tensor that grows while an operator writes it.
struct ResultTensor {
    core::Tensor tensor;
    std::shared_ptr<ValueMemory> memory;

    /// Errors: Unsupported (a dtype without a size in bytes).
    [[nodiscard]] static core::Result<ResultTensor> make(core::ScalarType dtype,
                                                         const std::shared_ptr<ValueBudget>& budget);
    /// Row-major, fully allocated, uninitialised. Errors: as above, Limit, InvalidArgument.
    [[nodiscard]] static core::Result<ResultTensor> make(core::ScalarType dtype,
                                                         std::span<const std::int64_t> sizes,
                                                         const std::shared_ptr<ValueBudget>& budget);
    /// The tensor as an immutable value; `written`: the final state of `tensor`.
    [[nodiscard]] static ReferenceTensor finish(core::Tensor written, std::shared_ptr<ValueMemory> memory);
    [[nodiscard]] ReferenceTensor finish() && { return finish(tensor, std::move(memory)); }
};

}  // namespace et::backends::reference
