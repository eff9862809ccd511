#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/reduction/operators.h"

#include <array>

namespace et::kernels {
namespace {

constexpr std::array reductionEntries{
    KernelEntry{"aten::sum.IntList_out", box<&reduction::sumOut>},
    KernelEntry{"aten::mean.out", box<&reduction::meanOut>},
    KernelEntry{"aten::mean.dtype_out", box<&reduction::meanAllOut>},
    KernelEntry{"aten::prod.int_out", box<&reduction::prodOut>},
    KernelEntry{"aten::prod.out", box<&reduction::prodAllOut>},
    KernelEntry{"aten::any.out", box<&reduction::truthOut<true>>},
    KernelEntry{"aten::any.all_out", box<&reduction::truthAllOut<true>>},
    KernelEntry{"aten::any.dims_out", box<&reduction::truthDimsOut<true>>},
    KernelEntry{"aten::all.out", box<&reduction::truthOut<false>>},
    KernelEntry{"aten::all.all_out", box<&reduction::truthAllOut<false>>},
    KernelEntry{"aten::all.dims_out", box<&reduction::truthDimsOut<false>>},
    KernelEntry{"aten::amax.out", box<&reduction::extremeOut<true>>},
    KernelEntry{"aten::amin.out", box<&reduction::extremeOut<false>>},
    KernelEntry{"aten::max.unary_out", box<&reduction::extremeAllOut<true>>},
    KernelEntry{"aten::min.unary_out", box<&reduction::extremeAllOut<false>>},
    KernelEntry{"aten::max.dim_max", box<&reduction::extremeDimOut<true>>},
    KernelEntry{"aten::min.dim_min", box<&reduction::extremeDimOut<false>>},
    KernelEntry{"aten::argmax.out", box<&reduction::argExtremeOut<true>>},
    KernelEntry{"aten::argmin.out", box<&reduction::argExtremeOut<false>>},
    KernelEntry{"aten::var.out", box<&reduction::varOut>},
    KernelEntry{"aten::var.correction_out", box<&reduction::varCorrectionOut>},
    KernelEntry{"aten::var_mean.correction_out", box<&reduction::varMeanCorrectionOut>},
    KernelEntry{"aten::cumsum.out", box<&reduction::cumsumOut>},
    KernelEntry{"aten::topk.values", box<&reduction::topkValues>},
    KernelEntry{"aten::median.dim_values", box<&reduction::medianDimOut>},
    KernelEntry{"aten::median.out", box<&reduction::medianOut>},
    KernelEntry{"aten::allclose.out", box<&reduction::allCloseOut>},
    KernelEntry{"aten::nonzero.out", box<&reduction::nonzeroOut>},
    KernelEntry{"aten::_cdist_forward.out", box<&reduction::cdistForwardOut>},
    KernelEntry{"aten::_pdist_forward.out", box<&reduction::pdistForwardOut>},
};

}  // namespace

std::span<const KernelEntry> reductionKernels() {
    return reductionEntries;
}

}  // namespace et::kernels
