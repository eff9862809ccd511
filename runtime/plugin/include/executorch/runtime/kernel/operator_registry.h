#pragma once

#include <executorch/runtime/core/array_ref.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/platform.h>

#include <cstring>

namespace executorch::runtime {

class KernelRuntimeContext;
using OpFunction = void (*)(KernelRuntimeContext&, Span<EValue*>);

/// Dtype and dim order of an argument.
struct TensorMeta {
    aten::ScalarType dtype_;
    Span<aten::DimOrderType> dim_order_;

    TensorMeta() = default;
    TensorMeta(aten::ScalarType dtype, Span<aten::DimOrderType> order) : dtype_(dtype), dim_order_(order) {}

    bool equals(const TensorMeta& other) const {
        return dtype_ == other.dtype_ && dim_order_.size() == other.dim_order_.size() &&
               (dim_order_.empty() ||
                std::memcmp(dim_order_.data(), other.dim_order_.data(), dim_order_.size()) == 0);
    }
    bool operator==(const TensorMeta& other) const { return equals(other); }
    bool operator!=(const TensorMeta& other) const { return !equals(other); }
};

/// The dtypes and dim orders that a kernel is written for, as text of generated code:
/// "v1/<dtype>;<dimension>,...|<dtype>;...". A fallback kernel is for all.
struct KernelKey {
  public:
    constexpr KernelKey() = default;
    constexpr KernelKey(const char* kernel_key_data) : text(kernel_key_data) {}

    bool is_fallback() const { return text == nullptr; }
    const char* data() const { return text; }
    bool equals(const KernelKey& other) const {
        return is_fallback() || other.is_fallback() ? is_fallback() == other.is_fallback()
                                                    : std::strcmp(text, other.text) == 0;
    }
    bool operator==(const KernelKey& other) const { return equals(other); }
    bool operator!=(const KernelKey& other) const { return !equals(other); }

  private:
    const char* text = nullptr;
};

/// A named kernel. The name must outlive the library's registry: a literal.
struct Kernel {
    const char* name_ = nullptr;
    KernelKey kernel_key_;
    OpFunction op_ = nullptr;
    size_t arguments_ = 0;  ///< an addition: the number of arguments if the signature is known, or 0
    size_t results_ = 0;    ///< an addition: the trailing arguments of these that are written

    constexpr Kernel() = default;
    constexpr explicit Kernel(const char* name, OpFunction function) : name_(name), op_(function) {}
    constexpr explicit Kernel(const char* name, KernelKey key, OpFunction function)
        : name_(name), kernel_key_(key), op_(function) {}
};

namespace internal {
constexpr size_t kKernelKeyBufSize = 659;
Error make_kernel_key_string(Span<const TensorMeta> key, char* buffer, size_t size);
}  // namespace internal

// The registry of this library.
ET_NODISCARD Error register_kernels(const Span<const Kernel> kernels);
ET_NODISCARD inline Error register_kernel(const Kernel& kernel) {
    return register_kernels({&kernel, 1});
}
Span<const Kernel> get_registered_kernels();
bool registry_has_op_function(const char* name, Span<const TensorMeta> meta_list = {});
Result<OpFunction> get_op_function_from_registry(const char* name, Span<const TensorMeta> meta_list = {});

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::Kernel;
using ::executorch::runtime::KernelKey;
using ::executorch::runtime::KernelRuntimeContext;
using ::executorch::runtime::OpFunction;
using ::executorch::runtime::TensorMeta;

inline ::executorch::runtime::Error register_kernels(ArrayRef<Kernel> kernels) {
    return ::executorch::runtime::register_kernels(
        ::executorch::runtime::Span<const Kernel>(kernels.data(), kernels.size()));
}
inline OpFunction getOpsFn(const char* name, ArrayRef<TensorMeta> meta_list = {}) {
    auto found = ::executorch::runtime::get_op_function_from_registry(
        name, ::executorch::runtime::Span<const TensorMeta>(meta_list.data(), meta_list.size()));
    return *found;
}
inline bool hasOpsFn(const char* name, ArrayRef<TensorMeta> meta_list = {}) {
    return ::executorch::runtime::registry_has_op_function(
        name, ::executorch::runtime::Span<const TensorMeta>(meta_list.data(), meta_list.size()));
}
inline ArrayRef<Kernel> get_kernels() {
    const auto all = ::executorch::runtime::get_registered_kernels();
    return {all.data(), all.size()};
}
}  // namespace torch::executor
