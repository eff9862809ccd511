#pragma once

#include <c10/util/irange.h>
#include <executorch/kernels/portable/cpu/scalar_utils.h>
#include <executorch/kernels/portable/cpu/selective_build.h>
#include <executorch/kernels/portable/cpu/util/broadcast_indexes_range.h>
#include <executorch/kernels/portable/cpu/util/broadcast_util.h>
#include <executorch/kernels/portable/cpu/util/dtype_util.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/kernel/thread_parallel_interface.h>

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

// Element-wise operators on broadcast tensors of any dtypes, computed in CTYPE_COMPUTE.
namespace torch::executor::native::utils {

/// Selects the overloads that follow the inputs' strides.
struct SupportNoncontiguousInputTensors {
    explicit SupportNoncontiguousInputTensors() = default;
};

namespace internal {

template <typename CTYPE_COMPUTE>
struct ElementwiseInput {
    const Tensor& tensor;
    load_to_compute_fn<CTYPE_COMPUTE> load;

    CTYPE_COMPUTE at(ssize_t index) const {
        return load(static_cast<const char*>(tensor.const_data_ptr()) + index * tensor.element_size());
    }
};

using TypedTensor = std::pair<const Tensor*, SupportedTensorDtypes>;

template <typename CTYPE_COMPUTE, ET_OPERATOR_NAME_TYPE op_name, bool strided, typename Op, size_t... index>
void apply_elementwise(const Op& compute, KernelRuntimeContext& context, const Tensor& out,
                       SupportedTensorDtypes out_dtypes,
                       const std::array<TypedTensor, sizeof...(index)>& inputs,
                       std::index_sequence<index...> /*indices*/) {
    constexpr ScalarType compute_type = CppTypeToScalarType<CTYPE_COMPUTE>::value;
    ET_KERNEL_CHECK(context,
                    (check_tensor_dtype(*inputs[index].first, inputs[index].second, compute_type) && ...) &&
                        check_tensor_dtype(out, out_dtypes, compute_type),
                    InvalidArgument, );
    const std::array<ElementwiseInput<CTYPE_COMPUTE>, sizeof...(index)> loads = {
        ElementwiseInput<CTYPE_COMPUTE>{*inputs[index].first,
                                        get_load_to_compute_fn<CTYPE_COMPUTE, op_name>(
                                            context, *inputs[index].first, inputs[index].second)}...};
    const auto store = get_store_compute_to_tensor_fn<CTYPE_COMPUTE, op_name>(context, out, out_dtypes);
    auto* const data = static_cast<char*>(out.mutable_data_ptr());
    const ssize_t width = out.element_size();
    const BroadcastIndexesRange<sizeof...(index), strided> range(out, *inputs[index].first...);
    ::executorch::extension::parallel_for(
        0, out.numel(), ::executorch::extension::internal::GRAIN_SIZE, [&](int64_t begin, int64_t end) {
            auto at = range.begin();
            at += begin;
            for (int64_t i = begin; i < end; ++i, ++at) {
                const auto& places = *at;
                store(static_cast<CTYPE_COMPUTE>(compute(loads[index].at(places[index + 1])...)),
                      data + places[0] * width);
            }
        });
}

}  // namespace internal

// apply_<n>tensor_elementwise_fn<CTYPE_COMPUTE, name[, dtypes of out]>(compute, context, inputs with their
// dtypes..., out[, dtypes of out | SupportNoncontiguousInputTensors()]).
#define ET_INTERNAL_ELEMENTWISE(name, count, parameters, ...)                                          \
    template <typename CTYPE_COMPUTE, ET_OPERATOR_NAME_TYPE op_name, typename Op>                      \
    void name(const Op& compute, KernelRuntimeContext& context, ET_INTERNAL_UNPACK parameters,         \
              const Tensor& out, SupportedTensorDtypes out_dtypes) {                                   \
        internal::apply_elementwise<CTYPE_COMPUTE, op_name, false>(                                    \
            compute, context, out, out_dtypes, std::array<internal::TypedTensor, count>{__VA_ARGS__},  \
            std::make_index_sequence<count>());                                                        \
    }                                                                                                  \
    template <typename CTYPE_COMPUTE, ET_OPERATOR_NAME_TYPE op_name, SupportedTensorDtypes out_dtypes, \
              typename Op>                                                                             \
    void name(const Op& compute, KernelRuntimeContext& context, ET_INTERNAL_UNPACK parameters,         \
              const Tensor& out) {                                                                     \
        internal::apply_elementwise<CTYPE_COMPUTE, op_name, false>(                                    \
            compute, context, out, out_dtypes, std::array<internal::TypedTensor, count>{__VA_ARGS__},  \
            std::make_index_sequence<count>());                                                        \
    }                                                                                                  \
    template <typename CTYPE_COMPUTE, ET_OPERATOR_NAME_TYPE op_name, SupportedTensorDtypes out_dtypes, \
              typename Op>                                                                             \
    void name(const Op& compute, KernelRuntimeContext& context, ET_INTERNAL_UNPACK parameters,         \
              const Tensor& out, SupportNoncontiguousInputTensors /*tag*/) {                           \
        internal::apply_elementwise<CTYPE_COMPUTE, op_name, true>(                                     \
            compute, context, out, out_dtypes, std::array<internal::TypedTensor, count>{__VA_ARGS__},  \
            std::make_index_sequence<count>());                                                        \
    }
#define ET_INTERNAL_UNPACK(...) __VA_ARGS__
ET_INTERNAL_ELEMENTWISE(apply_unitensor_elementwise_fn, 1, (const Tensor& a, SupportedTensorDtypes a_dtypes),
                        internal::TypedTensor(&a, a_dtypes))
ET_INTERNAL_ELEMENTWISE(apply_bitensor_elementwise_fn, 2,
                        (const Tensor& a, SupportedTensorDtypes a_dtypes, const Tensor& b,
                         SupportedTensorDtypes b_dtypes),
                        internal::TypedTensor(&a, a_dtypes), internal::TypedTensor(&b, b_dtypes))
ET_INTERNAL_ELEMENTWISE(apply_tritensor_elementwise_fn, 3,
                        (const Tensor& a, SupportedTensorDtypes a_dtypes, const Tensor& b,
                         SupportedTensorDtypes b_dtypes, const Tensor& c, SupportedTensorDtypes c_dtypes),
                        internal::TypedTensor(&a, a_dtypes), internal::TypedTensor(&b, b_dtypes),
                        internal::TypedTensor(&c, c_dtypes))
#undef ET_INTERNAL_ELEMENTWISE

/// The dtype to compute in, which is float for small floats.
inline ScalarType get_compute_type(ScalarType& common_type) {
    return common_type == ScalarType::Half || common_type == ScalarType::BFloat16 ? ScalarType::Float
                                                                                  : common_type;
}

}  // namespace torch::executor::native::utils
