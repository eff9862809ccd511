#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/reduction/operators.h"

#include <array>

namespace et::kernels {
namespace {

constexpr std::array normalizationEntries{
    KernelEntry{"aten::_softmax.out", box<&reduction::softmaxOut<false>>},
    KernelEntry{"aten::_log_softmax.out", box<&reduction::softmaxOut<true>>},
    KernelEntry{"aten::native_layer_norm.out", box<&reduction::nativeLayerNormOut>},
    KernelEntry{"aten::native_group_norm.out", box<&reduction::nativeGroupNormOut>},
    KernelEntry{"aten::_native_batch_norm_legit_no_training.out", box<&reduction::batchNormNoTrainingOut>},
    KernelEntry{"aten::_native_batch_norm_legit.no_stats_out", box<&reduction::batchNormNoStatsOut>},
    KernelEntry{"aten::_native_batch_norm_legit.out", box<&reduction::batchNormOut>},
};

}  // namespace

std::span<const KernelEntry> normalizationKernels() {
    return normalizationEntries;
}

}  // namespace et::kernels
