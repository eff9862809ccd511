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

/// Work of each instruction of a fused call, in order, in operations per element of the last result. The time
/// is split in these proportions.
using FusedWork = std::array<double, maxFused>;

/// True if writing elements of one tensor changes elements of the other.
[[nodiscard]] bool overlap(const core::Tensor& left, const core::Tensor& right);

/// The instructions after one whose kernel applies their steps. Their intermediate results get sizes but no
/// elements.
class FusedTail {
  public:
    struct Call {
        /// Accepts and checks the same arguments as the operator's own kernel, resizes the result, and calls
        /// add() instead of computing.
        Kernel kernel;
        Arguments arguments;
        std::size_t input = 0;  ///< index of the argument that is the previous instruction's result
    };

    explicit FusedTail(std::span<const Call> calls) : followers(calls) {}

    /// For the preceding kernel, with its FusedContext: returns the tensor to write its result to, a
    /// row-major float tensor of the shape of `out`, its own result, which has its sizes. Null if the
    /// instructions cannot be applied as steps; nothing was computed then. `read`: inputs of the kernel; null
    /// ones are ignored. Errors: Limit.
    [[nodiscard]] core::Result<core::Tensor*> begin(KernelContext& context, core::Tensor& out,
                                                    std::initializer_list<const core::Tensor*> read);

    /// For the preceding kernel, which applies them to every element.
    [[nodiscard]] ResultSteps steps() const { return {all.data(), count}; }

    /// For the kernels of the calls: `step` computes `out` from the previous result; it also reads `read`.
    void add(const ResultStep& step, core::Tensor& out, std::initializer_list<const core::Tensor*> read = {});

    /// True if begin() returned a tensor.
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

/// The context of a kernel with fused followers.
class FusedContext : public KernelContext {
  public:
    FusedContext(const KernelContext& context, FusedTail& instructions)
        : KernelContext(context), behind(instructions) {}

    /// For kernels that are only called with this context: those of FusedTail::Call, and the preceding one.
    [[nodiscard]] static FusedTail& fusedTailOf(KernelContext& context) {
        return static_cast<FusedContext&>(context).behind;
    }

  private:
    FusedTail& behind;
};

}  // namespace et::kernels
