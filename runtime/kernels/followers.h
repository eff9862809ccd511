#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/registry.h"

#include <array>
#include <atomic>
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

/// What one instruction does to each part of the result before it, in place.
struct PartOperation {
    void (*run)(const PartOperation& self, const Part& part) = nullptr;
    std::array<const float*, 3> ofChannels{};  ///< numbers of every channel
    std::array<float, 2> numbers{};            ///< the same for all
};

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

    /// For the kernel before, from any of its threads, once for every element that it computed.
    void apply(const Part& part) const;
    /// The same for a whole result [samples, channels, columns].
    void applyToAll(const KernelContext& context, float* elements, std::size_t samples, std::size_t channels,
                    std::size_t columns) const;

    /// For the kernels of the calls: `operation` makes `out` of what was computed before; it reads `read`,
    /// too.
    void add(const PartOperation& operation, core::Tensor& out,
             std::initializer_list<const core::Tensor*> read = {});

    /// Whether begin() gave a place.
    [[nodiscard]] bool hasBegun() const { return isGoing; }

    /// Estimated: the median of every eighth part for all of them. `threads` worked at the same time.
    [[nodiscard]] FusedTimes times(std::size_t threads) const;

  private:
    void applyTimed(const Part& part) const;

    std::span<const Call> followers;
    bool isTimed;
    std::array<PartOperation, maxFused> operations{};
    std::size_t count = 0;
    core::Tensor* result = nullptr;
    bool isGoing = false;
    std::array<const core::Tensor*, 32> readTensors{};
    std::size_t numRead = 0;

    /// Of the parts that were timed last. Who is interrupted in one of them does not count for all: times()
    /// takes the median.
    struct Timing {
        static constexpr std::size_t maxKept = 64;
        std::atomic<std::uint64_t> parts{0};
        std::atomic<std::uint64_t> elements{0};
        std::atomic<std::uint64_t> timed{0};
        std::array<std::array<std::atomic<float>, maxKept>, maxFused> nanosecondsPerElement{};
    };
    mutable Timing timing;
};

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
