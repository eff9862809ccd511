#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/part_timing.h"
#include "runtime/kernels/registry.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace et::kernels {

/// What was just computed of a row-major float result [N, C, …], still in the cache: all or some elements of
/// a few channels of one sample.
struct Part {
    float* elements = nullptr;
    std::size_t channel = 0;  ///< the first one's number
    std::size_t channels = 0;
    std::size_t columns = 0;  ///< elements of each channel, side by side
    std::size_t stride = 0;   ///< from one channel to the next, in elements
};

/// What one instruction does to each element of the result before it.
struct PartOperation {
    enum class Kind : std::uint8_t {
        Affine,  ///< x becomes (x - ofChannels[0]) * ofChannels[1] + ofChannels[2]
        Bounds,  ///< at least numbers[0], at most numbers[1]; NaN stays
    };
    Kind kind = Kind::Bounds;
    std::array<const float*, 3> ofChannels{};  ///< numbers of every channel
    std::array<float, 2> numbers{};            ///< the same for all; not NaN
    /// Does it to a part, in place.
    void (*run)(const PartOperation& self, const Part& part) = nullptr;
};

/// What a kernel does to its results before it stores them.
using ResultSteps = std::span<const PartOperation>;

/// Instructions one behind the other, of which each reads the result of the one before.
inline constexpr std::size_t maxFused = 4;

/// Nanoseconds that each instruction of a fused call took, by their order; the first has none: it has what
/// the others leave of the whole.
using FusedTimes = std::array<std::uint64_t, maxFused>;

/// Whether writing the elements of one changes those of the other.
[[nodiscard]] bool overlap(const core::Tensor& left, const core::Tensor& right);

/// The instructions behind one whose kernel hands over its result part by part. Their own results, but for
/// the last one's, get their sizes and no elements.
class Followers {
  public:
    struct Call {
        /// Takes the same arguments as the operator's own, checks them in the same way, gives the result its
        /// sizes, and calls add() instead of computing anything.
        Kernel kernel;
        Arguments arguments;
        std::size_t input = 0;  ///< the argument that is the result of the instruction before
    };

    /// `timed`: whether times() is wanted.
    Followers(std::span<const Call> calls, bool timed) : followers(calls), isTimed(timed) {}

    /// For the kernel before, with its FusedContext: where it may compute its parts, a tensor of the same
    /// shape as `out`, its own result, which has its sizes. Null: they cannot follow part by part, and
    /// nothing was computed. `read`: what the kernel reads; null ones do not count. Errors: Limit.
    [[nodiscard]] core::Result<core::Tensor*> begin(KernelContext& context, core::Tensor& out,
                                                    std::initializer_list<const core::Tensor*> read);

    /// For the kernel before, from any of its threads: has `compute(ResultSteps)` compute a part, whose
    /// results have these steps behind them then.
    template <class Compute>
    void applyWith(const Compute& compute, const Part& part) const;
    /// The same for a whole result [samples, channels, columns] that was computed without steps.
    void applyToAll(const KernelContext& context, float* elements, std::size_t samples, std::size_t channels,
                    std::size_t columns) const;
    /// The same for one whose channels lie side by side: [pixels, channels].
    void applyToPixels(const KernelContext& context, float* elements, std::size_t pixels,
                       std::size_t channels) const;

    /// For the kernels of the calls: `operation` makes `out` of what was computed before; it reads `read`,
    /// too.
    void add(const PartOperation& operation, core::Tensor& out,
             std::initializer_list<const core::Tensor*> read = {});

    /// Whether begin() gave a place.
    [[nodiscard]] bool hasBegun() const { return isGoing; }

    /// Estimated from every eighth part. `threads` worked at the same time.
    [[nodiscard]] FusedTimes times(std::size_t threads) const;

  private:
    [[nodiscard]] ResultSteps steps() const { return {operations.data(), count}; }
    void apply(const Part& part) const;
    /// Has apply(first, count) do some of the operations to a part of so many elements.
    template <class Apply>
    void applyTimed(std::size_t elements, const Apply& apply) const;

    std::span<const Call> followers;
    bool isTimed;
    std::array<PartOperation, maxFused> operations{};
    std::size_t count = 0;
    core::Tensor* result = nullptr;
    bool isGoing = false;
    std::array<const core::Tensor*, 32> readTensors{};
    std::size_t numRead = 0;

    // Series of times: one for each operation that is done by itself, and those of a kernel that does them.
    static constexpr std::size_t withSteps = maxFused;
    static constexpr std::size_t withoutSteps = maxFused + 1;
    mutable PartTiming timing;
};

template <class Compute>
void Followers::applyWith(const Compute& compute, const Part& part) const {
    const std::size_t elements = part.channels * part.columns;
    const PartTiming::Turn turn = isTimed ? timing.next(elements) : PartTiming::Turn::None;
    if (turn == PartTiming::Turn::None) {
        compute(steps());
    } else if (turn == PartTiming::Turn::First) {
        timing.measure(withSteps, elements, [&] { compute(steps()); });
    } else {
        timing.measure(withoutSteps, elements, [&] { compute(ResultSteps()); });
        apply(part);
    }
}

/// The context of a kernel with instructions behind it.
class FusedContext : public KernelContext {
  public:
    FusedContext(const KernelContext& context, Followers& instructions)
        : KernelContext(context), behind(instructions) {}

    /// For kernels that are called with no other context: those of Followers::Call, and the one before them.
    [[nodiscard]] static Followers& followersOf(KernelContext& context) {
        return static_cast<FusedContext&>(context).behind;
    }

  private:
    Followers& behind;
};

}  // namespace et::kernels
