#include "runtime/kernels/fusion.h"

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/dense/fused.h"
#include "runtime/kernels/elementwise/parts.h"
#include "runtime/kernels/reduction/operators.h"

#include <algorithm>
#include <array>

namespace et::kernels {
namespace {

constexpr std::array onConvolution{
    FusedOperator{.name = "aten::_native_batch_norm_legit_no_training.out",
                  .kernel = box<&reduction::batchNormNoTrainingParts>},
    FusedOperator{.name = "aten::hardtanh.out", .kernel = box<&hardtanhParts>},
    FusedOperator{.name = "aten::relu.out", .kernel = box<&reluParts>},
    FusedOperator{.name = "aten::clamp.out", .kernel = box<&clampParts>},
};

constexpr std::array onTransposition{
    FusedOperator{.name = "aten::mm.out", .input = 1, .kernel = box<&dense::mmOut>},
    FusedOperator{.name = "aten::addmm.out", .input = 2, .kernel = box<&dense::addmmOut>},
};

constexpr std::array fusions{
    Fusion{.first = "aten::convolution.out",
           .behind = onConvolution,
           .maxBehind = 2,
           .call = &dense::convolveThen},
    Fusion{.first = "aten::permute_copy.out", .behind = onTransposition, .call = &dense::multiplyPermuted},
    Fusion{.first = "aten::transpose_copy.int_out",
           .behind = onTransposition,
           .call = &dense::multiplyTransposed},
    Fusion{.first = "aten::t_copy.out", .behind = onTransposition, .call = &dense::multiplyT},
};

/// True if the kernel is the built-in one with the current schema.
bool isOurs(const KernelEntry& entry) {
    return builtin().find(entry.name) == &entry;
}

}  // namespace

const Fusion* findFusion(const KernelEntry& first) {
    const auto* const found = std::ranges::find(fusions, first.name, &Fusion::first);
    return found != fusions.end() && isOurs(first) ? found : nullptr;
}

const FusedOperator* behindIn(const Fusion& fusion, const KernelEntry& entry) {
    const auto found = std::ranges::find(fusion.behind, entry.name, &FusedOperator::name);
    return found != fusion.behind.end() && isOurs(entry) ? &*found : nullptr;
}

}  // namespace et::kernels
