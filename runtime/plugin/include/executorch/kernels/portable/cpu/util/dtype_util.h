#pragma once

#include <executorch/runtime/kernel/kernel_includes.h>

// Loads and stores of elements whose dtype is known at run time.
namespace torch::executor::native::utils {

/// Dtypes that an operator accepts. *COMPUTE: only the dtype that it computes in.
enum class SupportedTensorDtypes {
    REALHBBF16,
    REALHBF16,
    FLOATHBF16,
    INTB,
    BOOL_OR_BYTE,
    SAME_AS_COMPUTE,
    SAME_AS_COMMON
};

namespace internal {

inline bool accepts(SupportedTensorDtypes dtypes, ScalarType type, ScalarType compute) {
    switch (dtypes) {
        case SupportedTensorDtypes::REALHBBF16:
            return isRealHBBF16Type(type);
        case SupportedTensorDtypes::REALHBF16:
            return isRealHBF16Type(type);
        case SupportedTensorDtypes::FLOATHBF16:
            return isFloatingType(type);
        case SupportedTensorDtypes::INTB:
            return isIntegralType(type, true);
        case SupportedTensorDtypes::BOOL_OR_BYTE:
            return type == ScalarType::Bool || type == ScalarType::Byte;
        case SupportedTensorDtypes::SAME_AS_COMPUTE:
            return type == compute;
        case SupportedTensorDtypes::SAME_AS_COMMON:
            return type == compute || (compute == ScalarType::Float &&
                                       (type == ScalarType::Half || type == ScalarType::BFloat16));
    }
    return false;
}

inline bool check_tensor_dtype(const Tensor& tensor, SupportedTensorDtypes dtypes, ScalarType compute) {
    ET_CHECK_OR_RETURN_FALSE(accepts(dtypes, tensor.scalar_type(), compute), "unexpected dtype %s",
                             toString(tensor.scalar_type()));
    return true;
}

template <typename To, typename From>
To load_and_convert(const void* from) {
    return static_cast<To>(*static_cast<const From*>(from));
}
template <typename To, typename From>
void convert_and_store(From value, void* to) {
    *static_cast<To*>(to) = static_cast<To>(value);
}

template <typename CTYPE_COMPUTE>
using load_to_compute_fn = CTYPE_COMPUTE (*)(const void*);
template <typename CTYPE_COMPUTE>
using store_compute_to_tensor_fn = void (*)(CTYPE_COMPUTE, void*);

template <typename CTYPE_COMPUTE, ET_OPERATOR_NAME_TYPE op_name>
load_to_compute_fn<CTYPE_COMPUTE> get_load_to_compute_fn(KernelRuntimeContext& context, const Tensor& tensor,
                                                         SupportedTensorDtypes /*dtypes*/) {
    load_to_compute_fn<CTYPE_COMPUTE> found = nullptr;
    ET_SWITCH_REALHBBF16_TYPES(tensor.scalar_type(), context, op_name, CTYPE,
                               [&] { found = &load_and_convert<CTYPE_COMPUTE, CTYPE>; });
    return found;
}
template <typename CTYPE_COMPUTE, ET_OPERATOR_NAME_TYPE op_name>
store_compute_to_tensor_fn<CTYPE_COMPUTE> get_store_compute_to_tensor_fn(KernelRuntimeContext& context,
                                                                         const Tensor& tensor,
                                                                         SupportedTensorDtypes /*dtypes*/) {
    store_compute_to_tensor_fn<CTYPE_COMPUTE> found = nullptr;
    ET_SWITCH_REALHBBF16_TYPES(tensor.scalar_type(), context, op_name, CTYPE,
                               [&] { found = &convert_and_store<CTYPE, CTYPE_COMPUTE>; });
    return found;
}

}  // namespace internal
}  // namespace torch::executor::native::utils
