#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>

namespace executorch::runtime {

/// Dtype and shape of a named tensor.
class TensorLayout final {
  public:
    static Result<const TensorLayout> create(Span<const int32_t> sizes, Span<const uint8_t> dim_order,
                                             aten::ScalarType scalar_type) {
        size_t bytes = elementSize(scalar_type);
        for (const int32_t size : sizes) {
            ET_CHECK_OR_RETURN_ERROR(
                size >= 0 && !c10::mul_overflows(bytes, static_cast<size_t>(size), &bytes), InvalidArgument,
                "a size is negative or the tensor is too large");
        }
        return TensorLayout(sizes, dim_order, scalar_type, bytes);
    }

    Span<const int32_t> sizes() const { return size_list; }
    Span<const uint8_t> dim_order() const { return order; }
    aten::ScalarType scalar_type() const { return type; }
    size_t nbytes() const { return bytes; }

  private:
    TensorLayout(Span<const int32_t> sizes, Span<const uint8_t> dim_order, aten::ScalarType scalar_type,
                 size_t size)
        : size_list(sizes), order(dim_order), type(scalar_type), bytes(size) {}

    Span<const int32_t> size_list;
    Span<const uint8_t> order;
    aten::ScalarType type;
    size_t bytes;
};

}  // namespace executorch::runtime
