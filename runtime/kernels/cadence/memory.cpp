#include "runtime/kernels/boxing.h"
#include "runtime/kernels/cadence/operators.h"
#include "runtime/kernels/strided_copy.h"

#include <array>

namespace et::kernels::cadence {
namespace {

core::Result<> copyInto(KernelContext& context, const Tensor& source, Tensor& out) {
    ET_TRY(out.resize(source.sizes()));
    if (out.dtype() != source.dtype()) {
        return invalid("expected a copy of the same dtype, got " + core::describe(out));
    }
    return copyElements(context.threads(), viewOf(source), viewOf(out));
}

/// Copies between two memories of the device, which are the same memory here.
core::Result<> copyOut(KernelContext& context, const Tensor& source, std::int64_t /*task*/,
                       std::int64_t /*channel*/, Tensor& out) {
    return copyInto(context, source, out);
}

/// Waits for a copy and returns its result.
core::Result<> waitOut(KernelContext& context, const Tensor& source, std::int64_t /*task*/, Tensor& out) {
    return copyInto(context, source, out);
}

constexpr std::array memoryTable{
    KernelEntry{"cadence::idma_copy.out", box<&copyOut>},
    KernelEntry{"cadence::idma_load.out", box<&copyOut>},
    KernelEntry{"cadence::idma_store.out", box<&copyOut>},
    KernelEntry{"cadence::idma_wait.out", box<&waitOut>},
};

}  // namespace

std::span<const KernelEntry> memoryEntries() {
    return memoryTable;
}

}  // namespace et::kernels::cadence
