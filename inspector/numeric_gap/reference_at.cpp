#include "inspector/numeric_gap/fitted_tensor.h"
#include "inspector/numeric_gap/units.h"
#include "runtime/core/element_types.h"

#include <optional>
#include <utility>

namespace et::inspector {

std::optional<ReferenceTensor> referenceAt(const MappedValue& place, const GraphValues& values) {
    if (!place.dequantized.empty()) {
        if (const ReferenceTensor* tensor = tensorIn(values, place.dequantized.front())) {
            return *tensor;
        }
    }
    const ReferenceTensor* tensor = tensorIn(values, place.value);
    if (tensor == nullptr) {
        return std::nullopt;
    }
    if (place.quantization && isWhole(tensor->view.dtype())) {
        auto real = dequantized(tensor->view, *place.quantization);
        return real ? std::optional(*std::move(real)) : std::nullopt;
    }
    return *tensor;
}

}  // namespace et::inspector
