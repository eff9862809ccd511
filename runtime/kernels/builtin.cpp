#include "runtime/kernels/builtin.h"

#include <array>

namespace et::kernels {

const KernelRegistry& builtin() {
    static const KernelRegistry registry = [] {
        KernelRegistry all;
        for (const auto family :
             {mathKernels,          activationKernels, arithmeticKernels,  divisionKernels,  powerKernels,
              bitwiseKernels,       comparisonKernels, clampKernels,       selectionKernels, reductionKernels,
              normalizationKernels, shapeKernels,      joinKernels,        rearrangeKernels, paddingKernels,
              copyKernels,          indexKernels,      gatherKernels,      maskKernels,      creationKernels,
              randomKernels,        denseKernels,      convolutionKernels, poolingKernels,   samplingKernels,
              fourierKernels,       quantizedKernels,  llamaKernels,       primKernels}) {
            all.add(family());
        }
        return all;
    }();
    return registry;
}

}  // namespace et::kernels
