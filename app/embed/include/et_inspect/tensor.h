#pragma once

#include <et_inspect/api.h>
#include <et_inspect/dtype.h>
#include <et_inspect/result.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et_inspect {

namespace detail {
class TensorAccess;
}

/// Sizes of the dimensions, outermost first.
using Sizes = std::vector<std::int64_t>;

/// A handle of a dense tensor. Copies of the handle share the elements; clone() copies them.
class ET_INSPECT_API Tensor {
  public:
    struct Impl;

    /// float32 [0].
    Tensor();

    DType dtype() const;
    const Sizes& sizes() const;
    std::size_t dim() const { return sizes().size(); }
    /// Number of elements.
    std::int64_t numel() const;
    /// Size of all elements in bytes.
    std::size_t nbytes() const;
    /// Dimensions from outermost to innermost in memory; {0, 1, 2, …}: row-major.
    const std::vector<std::uint8_t>& dim_order() const;
    /// Distance of neighbours in each dimension, in elements.
    Sizes strides() const;

    void* raw_data();
    const void* raw_data() const;
    /// The elements in memory order; empty if T is not the C++ type of the dtype.
    template <class T>
    std::span<T> data() {
        return {static_cast<T*>(raw_data()), dtype_of<T> == dtype() ? static_cast<std::size_t>(numel()) : 0};
    }
    template <class T>
    std::span<const T> data() const {
        return {static_cast<const T*>(raw_data()),
                dtype_of<T> == dtype() ? static_cast<std::size_t>(numel()) : 0};
    }

    /// A row-major copy that owns its elements. Errors: Limit (no memory).
    Result<Tensor> clone() const;
    /// The same with another dtype. Floats are rounded or truncated, integers wrap around, Bool is "not 0".
    Result<Tensor> clone(DType dtype) const;

    /// Changes the sizes of this handle and its copies. Elements keep their place in memory; new ones are 0.
    /// Memory of the caller and outputs of a method cannot grow. Errors: InvalidArgument, Limit.
    Result<void> resize(Sizes sizes);

  private:
    friend class detail::TensorAccess;
    explicit Tensor(std::shared_ptr<Impl> content);
    std::shared_ptr<Impl> impl;
};

// Factories. Errors of all: InvalidArgument (a negative size, a count of elements that differs from the
// sizes, a number that is no dtype), Limit (no memory).

/// Uninitialized elements.
ET_INSPECT_API Result<Tensor> empty(Sizes sizes, DType dtype = DType::Float32);
ET_INSPECT_API Result<Tensor> zeros(Sizes sizes, DType dtype = DType::Float32);
ET_INSPECT_API Result<Tensor> ones(Sizes sizes, DType dtype = DType::Float32);
/// Numbers are converted to the dtype; also by rand(), randn() and randint().
ET_INSPECT_API Result<Tensor> full(Sizes sizes, double value, DType dtype = DType::Float32);
/// Uniform in [0, 1); the same seed gives the same numbers.
ET_INSPECT_API Result<Tensor> rand(Sizes sizes, DType dtype = DType::Float32, std::uint64_t seed = 0);
/// Normal with mean 0 and variance 1.
ET_INSPECT_API Result<Tensor> randn(Sizes sizes, DType dtype = DType::Float32, std::uint64_t seed = 0);
/// Uniform integers in [low, high).
ET_INSPECT_API Result<Tensor> randint(std::int64_t low, std::int64_t high, Sizes sizes,
                                      DType dtype = DType::Int64, std::uint64_t seed = 0);

/// Elements in memory of the caller, which keeps it alive, or whose `release` is called when the last handle
/// is gone. `dim_order` as Tensor::dim_order(); empty: row-major.
ET_INSPECT_API Result<Tensor> from_blob(void* data, Sizes sizes, DType dtype = DType::Float32,
                                        std::function<void(void*)> release = {},
                                        std::vector<std::uint8_t> dim_order = {});

/// A tensor with these elements, row-major.
template <class T>
Result<Tensor> make_tensor(Sizes sizes, const std::vector<T>& elements) {
    Result<Tensor> made = empty(std::move(sizes), dtype_of<T>);
    if (!made) {
        return made;
    }
    const std::span<T> places = made->template data<T>();
    if (places.size() != elements.size()) {
        return Error{ErrorCode::InvalidArgument, "make_tensor: expected " + std::to_string(places.size()) +
                                                     " elements, got " + std::to_string(elements.size())};
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = elements[i];  // std::vector<bool> has no array
    }
    return made;
}
/// A tensor with one dimension.
template <class T>
Result<Tensor> make_tensor(const std::vector<T>& elements) {
    return make_tensor({static_cast<std::int64_t>(elements.size())}, elements);
}

}  // namespace et_inspect
