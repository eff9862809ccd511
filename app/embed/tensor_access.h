#pragma once

#include "runtime/core/tensor.h"

#include <et_inspect/tensor.h>

#include <memory>
#include <span>
#include <vector>

namespace et_inspect {

/// Shape and memory of a tensor.
struct Tensor::Impl {
    ~Impl();

    DType dtype = DType::Float32;
    Sizes sizes{0};
    std::vector<std::uint8_t> order{0};
    std::byte* data = nullptr;
    std::size_t capacity = 0;               ///< in bytes
    std::shared_ptr<std::byte> owned;       ///< null: memory of the caller or of a method
    std::function<void(void*)> release;     ///< for memory of the caller; may be empty
    std::shared_ptr<const void> keptAlive;  ///< what a method's memory belongs to
};

namespace detail {

/// Access to the content of tensors for other files of the library.
class TensorAccess {
  public:
    [[nodiscard]] static Tensor::Impl& of(const Tensor& tensor) { return *tensor.impl; }
    [[nodiscard]] static Tensor wrap(std::shared_ptr<Tensor::Impl> impl) { return Tensor(std::move(impl)); }

    /// A handle over the memory of an engine's tensor. Errors: Unsupported (a dtype without a number in
    /// DType).
    [[nodiscard]] static Result<Tensor> show(const et::core::Tensor& tensor,
                                             std::shared_ptr<const void> keptAlive);
    /// The elements as bytes.
    [[nodiscard]] static std::span<std::byte> bytes(const Tensor& tensor);
};

}  // namespace detail
}  // namespace et_inspect
