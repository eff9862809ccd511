#include "runtime/kernels/builtin.h"

#include "runtime/kernels/cadence/operators.h"
#include "runtime/kernels/cortex_m/operators.h"
#include "runtime/kernels/gradient/operators.h"
#include "runtime/kernels/torchao/operators.h"

#include <array>

namespace et::kernels {

const KernelRegistry& builtin() {
    static const KernelRegistry registry = [] {
        KernelRegistry all;
        for (const auto family : {mathKernels,      activationKernels, arithmeticKernels,    divisionKernels,
                                  powerKernels,     bitwiseKernels,    comparisonKernels,    clampKernels,
                                  selectionKernels, reductionKernels,  normalizationKernels, shapeKernels,
                                  joinKernels,      rearrangeKernels,  paddingKernels,       copyKernels,
                                  indexKernels,     gatherKernels,     maskKernels,          creationKernels,
                                  randomKernels,    denseKernels,      convolutionKernels,   poolingKernels,
                                  samplingKernels,  fourierKernels,    quantizedKernels,     llamaKernels,
                                  primKernels,      kvCacheKernels}) {
            all.add(family());
        }
        for (const auto family :
             {cadence::quantizeEntries, cadence::productEntries, cadence::convolutionEntries,
              cadence::elementwiseEntries, cadence::rowEntries, cadence::windowEntries,
              cadence::memoryEntries, cortex_m::elementwiseEntries, cortex_m::productEntries,
              cortex_m::imageEntries, torchao::entries, gradient::elementEntries, gradient::lossEntries,
              gradient::rowEntries, gradient::poolingEntries}) {
            all.add(family());
        }
        return all;
    }();
    return registry;
}

}  // namespace et::kernels
