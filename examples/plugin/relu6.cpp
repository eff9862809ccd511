// Custom operator example: torch.ops.my.relu6.out, for `et-inspect run --plugin librelu6.so model.pte`.

#include "runtime/executor/plugin.h"
#include "runtime/kernels/boxing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace {

using et::core::ScalarType;
using et::kernels::Tensor;

/// my::relu6.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!), float32 in any dim order.
et::core::Result<> relu6Out(et::kernels::KernelContext& context, const Tensor& self, Tensor& out) {
    if (self.dtype() != ScalarType::Float || out.dtype() != ScalarType::Float) {
        return et::core::fail(et::core::ErrorCode::Unsupported,
                              "my::relu6 takes float32, got " + et::core::scalarTypeName(self.dtype()));
    }
    ET_TRY(out.resize(self.sizes()));
    if (!out.sameLayout(self)) {
        return et::core::fail(et::core::ErrorCode::Unsupported, "my::relu6 keeps the dim order");
    }
    const float* from = self.data<float>();
    float* to = out.mutableData<float>();
    context.threads().parallelFor(static_cast<std::size_t>(self.numel()), 32768,
                                  [&](std::size_t begin, std::size_t end) {
                                      for (std::size_t i = begin; i < end; ++i) {
                                          to[i] = std::clamp(from[i], 0.0F, 6.0F);
                                      }
                                  });
    return {};
}

const et::kernels::KernelEntry entries[] = {{"my::relu6.out", et::kernels::box<&relu6Out>}};

}  // namespace

ET_PLUGIN(.kernels = entries, .kernelCount = std::size(entries))
