#pragma once

#include <cstddef>
#include <cstdint>

namespace et::kernels::reduction {

/// Receives the elements from reduce(); holds up to blockSize results ("slots") at a time.
template <class Compute>
class SlotAccumulator {
  public:
    /// Called before the first element of these slots.
    virtual void start(std::size_t first, std::size_t slots) = 0;
    /// Adds one element to each slot, starting with slot 0. `index` counts the elements of a result.
    virtual void column(const Compute* x, std::size_t slots, std::int64_t index) = 0;
    /// Adds elements of one slot, starting at `index`.
    virtual void row(std::size_t slot, const Compute* x, std::size_t count, std::int64_t index) = 0;

  protected:
    ~SlotAccumulator() = default;
};

}  // namespace et::kernels::reduction
