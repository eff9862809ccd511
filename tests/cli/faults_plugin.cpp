// Operators that do what an operator must not, for tests of what a caller makes of it.

#include "runtime/executor/plugin.h"
#include "runtime/kernels/boxing.h"

#include <unistd.h>

#include <cstdlib>
#include <iterator>

namespace {

using et::kernels::Tensor;

/// my::crash.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
et::core::Result<> crashOut(et::kernels::KernelContext&, const Tensor&, Tensor&) {
    std::abort();
}

/// my::hang.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
et::core::Result<> hangOut(et::kernels::KernelContext&, const Tensor&, Tensor&) {
    for (;;) {
        ::pause();
    }
}

const et::kernels::KernelEntry entries[] = {{"my::crash.out", et::kernels::box<&crashOut>},
                                            {"my::hang.out", et::kernels::box<&hangOut>}};

}  // namespace

ET_PLUGIN(.kernels = entries, .kernelCount = std::size(entries))
