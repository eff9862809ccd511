#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/registry.h"
#include "runtime/kernels/result_steps.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

namespace et::kernels {

/// What each instruction of a fused call has to do, by their order, in operations on an element of the last
/// one's result: in these parts its time is theirs.
using FusedWork = std::array<double, maxFused>;

/// Whether writing the elements of one changes those of the other.
[[nodiscard]] bool overlap(const core::Tensor& left, const core::Tensor& right);

/// The instructions behind one whose kernel does their steps. Their own results, but for the last one's, get
/// their sizes and no elements.
class Followers {
  public:
    struct Call {
        /// Takes the same arguments as the operator's own, checks them in the same way, gives the result its
        /// sizes, and calls add() instead of computing anything.
        Kernel kernel;
        Arguments arguments;
        std::size_t input = 0;  ///< the argument that is the result of the instruction before
    };

    explicit Followers(std::span<const Call> calls) : followers(calls) {}

    /// For the kernel before, with its FusedContext: where its result goes, a row-major tensor of floats of
    /// the same shape as `out`, its own one, which has its sizes. Null: they do not go by steps, and nothing
    /// was computed. `read`: what the kernel reads; null ones do not count. Errors: Limit.
    [[nodiscard]] core::Result<core::Tensor*> begin(KernelContext& context, core::Tensor& out,
                                                    std::initializer_list<const core::Tensor*> read);

    /// For the kernel before, which does them to every element.
    [[nodiscard]] ResultSteps steps() const { return {all.data(), count}; }

    /// For the kernels of the calls: `step` makes `out` of what was computed before; it reads `read`, too.
    void add(const ResultStep& step, core::Tensor& out, std::initializer_list<const core::Tensor*> read = {});

    /// Whether begin() gave a place.
    [[nodiscard]] bool hasBegun() const { return isGoing; }

  private:
    std::span<const Call> followers;
    std::array<ResultStep, maxFused> all{};
    std::size_t count = 0;
    core::Tensor* result = nullptr;
    bool isGoing = false;
    std::array<const core::Tensor*, 32> readTensors{};
    std::size_t numRead = 0;
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
