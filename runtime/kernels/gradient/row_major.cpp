#include "runtime/kernels/gradient/row_major.h"

#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <string>

namespace et::kernels::gradient {
namespace {

std::string typeText(const Tensor& tensor) {
    return fmt::format("{} {}", core::scalarTypeName(tensor.dtype()), core::sizesText(tensor.sizes()));
}

}  // namespace

Result<> expectAlike(const Tensor& like, std::initializer_list<const Tensor*> others) {
    for (const Tensor* const other : others) {
        if (other->dtype() != like.dtype() || other->sizes() != like.sizes()) {
            return invalid(fmt::format("expected tensors of {}, got {}", typeText(like), typeText(*other)));
        }
    }
    return {};
}

Result<> resizeLike(Tensor& out, const Tensor& like) {
    if (out.dtype() != like.dtype()) {
        return invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(like.dtype()),
                                   core::scalarTypeName(out.dtype())));
    }
    return out.resize(like.sizes());
}

}  // namespace et::kernels::gradient
