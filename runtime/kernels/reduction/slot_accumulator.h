#pragma once

#include <cstddef>
#include <cstdint>

namespace et::kernels::reduction {

/// What reduce() feeds with elements: it holds up to blockSize results ("slots") at a time.
template <class Compute>
class SlotAccumulator {
  public:
    /// Before the first element of these slots.
    virtual void start(std::size_t first, std::size_t slots) = 0;
    /// One element for each slot from 0 on. `index` counts the elements of a result.
    virtual void column(const Compute* x, std::size_t slots, std::int64_t index) = 0;
    /// Elements of one slot, from `index` on.
    virtual void row(std::size_t slot, const Compute* x, std::size_t count, std::int64_t index) = 0;

  protected:
    ~SlotAccumulator() = default;
};

}  // namespace et::kernels::reduction
