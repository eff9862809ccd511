// Kernels as users of ExecuTorch write them, registered in all ways. Compiled into a plugin.
#include <executorch/extension/kernel_util/make_boxed_from_unboxed_functor.h>
#include <executorch/kernels/portable/cpu/scalar_utils.h>
#include <executorch/kernels/portable/cpu/util/broadcast_util.h>
#include <executorch/kernels/portable/cpu/util/elementwise_util.h>
#include <executorch/kernels/portable/cpu/util/functional_util.h>
#include <executorch/kernels/portable/cpu/util/reduce_util.h>
#include <executorch/runtime/kernel/kernel_includes.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <executorch/runtime/kernel/thread_parallel_interface.h>

#include <atomic>
#include <cstring>

namespace torch {
namespace executor {
namespace native {

using executorch::aten::ArrayRef;
using executorch::aten::optional;
using executorch::aten::Scalar;
using executorch::aten::string_view;
using executorch::aten::Tensor;
using executorch::aten::TensorList;
using executorch::runtime::Error;
using executorch::runtime::KernelRuntimeContext;

/// scale.out(Tensor self, Scalar factor, Tensor? bias, *, Tensor(a!) out)
Tensor& scale_out(KernelRuntimeContext& context, const Tensor& self, const Scalar& factor,
                  const optional<Tensor>& bias, Tensor& out) {
    ET_KERNEL_CHECK_MSG(context, resize_tensor(out, self.sizes()) == Error::Ok, InvalidArgument, out,
                        "out has another shape");
    ET_KERNEL_CHECK(context, tensors_have_same_dtype(self, out), InvalidArgument, out);
    ET_SWITCH_REALHBF16_TYPES(self.scalar_type(), context, "scale.out", CTYPE, [&] {
        const auto* from = self.const_data_ptr<CTYPE>();
        auto* to = out.mutable_data_ptr<CTYPE>();
        const float by = utils::scalar_to<float>(factor);
        const float plus = bias.has_value() ? bias.value().const_data_ptr<float>()[0] : 0;
        executorch::extension::parallel_for(0, self.numel(), 1, [&](int64_t begin, int64_t end) {
            ET_CHECK_MSG(by != 13, "13 is unlucky");
            for (int64_t i = begin; i < end; ++i) {
                to[i] = static_cast<CTYPE>(static_cast<float>(from[i]) * by + plus);
            }
        });
    });
    return out;
}

/// lists.out(Tensor[] tensors, int[] integers, float[] numbers, bool flag, str name, *, Tensor(a!) out): the
/// sum
Tensor& lists_out(KernelRuntimeContext& context, TensorList tensors, ArrayRef<int64_t> integers,
                  ArrayRef<double> numbers, bool flag, string_view name, Tensor& out) {
    auto memory = context.allocate_temp(sizeof(float) * 4, 128);
    ET_KERNEL_CHECK(context, memory.ok() && reinterpret_cast<uintptr_t>(*memory) % 128 == 0,
                    MemoryAllocationFailed, out);
    auto* const sum = static_cast<float*>(*memory);
    *sum = static_cast<float>(flag) + static_cast<float>(name.size());
    for (const Tensor& each : tensors) {
        *sum += each.const_data_ptr<float>()[0];
    }
    for (const int64_t each : integers) {
        *sum += static_cast<float>(each);
    }
    for (const double each : numbers) {
        *sum += static_cast<float>(each);
    }
    out.mutable_data_ptr<float>()[0] = *sum;
    return out;
}

/// Without a context: two results.
void halves_out(const Tensor& self, Tensor& low, Tensor& high) {
    const auto half = self.numel() / 2;
    std::memcpy(low.mutable_data_ptr(), self.const_data_ptr(), half * sizeof(float));
    std::memcpy(high.mutable_data_ptr(), self.const_data_ptr<float>() + half, half * sizeof(float));
}

/// Adds with broadcasting, and sums over a dimension.
Tensor& add_sum_out(KernelRuntimeContext& context, const Tensor& a, const Tensor& b, int64_t dim,
                    Tensor& out) {
    ET_KERNEL_CHECK(context, tensors_are_broadcastable_between(a, b), InvalidArgument, out);
    auto memory = context.allocate_temp(a.nbytes());
    ET_KERNEL_CHECK(context, memory.ok(), MemoryAllocationFailed, out);
    executorch::aten::TensorImpl added(a.scalar_type(), a.dim(), const_cast<int32_t*>(a.sizes().data()),
                                       *memory, const_cast<uint8_t*>(a.dim_order().data()),
                                       const_cast<int32_t*>(a.strides().data()));
    const Tensor sum(&added);
    static constexpr const char name[] = "add_sum.out";
    utils::apply_bitensor_elementwise_fn<float, name, utils::SupportedTensorDtypes::SAME_AS_COMPUTE>(
        [](float x, float y) { return x + y; }, context, a, utils::SupportedTensorDtypes::REALHBBF16, b,
        utils::SupportedTensorDtypes::REALHBBF16, sum);
    ET_KERNEL_CHECK(context, resize_reduction_out(sum, dim, false, out) == Error::Ok, InvalidArgument, out);
    for (ssize_t i = 0; i < out.numel(); ++i) {
        out.mutable_data_ptr<float>()[i] = map_reduce_over_dim_list<float, float>(
            [](float x) { return x; }, [](float x, float y) { return x + y; }, sum,
            optional<ArrayRef<int64_t>>(ArrayRef<int64_t>(&dim, 1)), i);
    }
    return out;
}

/// Does nothing: for the cost of a call.
Tensor& nothing_out(KernelRuntimeContext&, const Tensor&, const Tensor&, Tensor& out) {
    return out;
}

}  // namespace native
}  // namespace executor
}  // namespace torch

// 1. With a typed function.
EXECUTORCH_LIBRARY(own, "scale.out", torch::executor::native::scale_out);
EXECUTORCH_LIBRARY(own, "lists.out", torch::executor::native::lists_out);
EXECUTORCH_LIBRARY(own, "halves.out", torch::executor::native::halves_out);
EXECUTORCH_LIBRARY(own, "add_sum.out", torch::executor::native::add_sum_out);
EXECUTORCH_LIBRARY(own, "nothing.out", torch::executor::native::nothing_out);

// 2. As generated code registers: functions on the stack of values.
namespace torch {
namespace executor {
namespace function {
namespace {

Kernel generated[] = {
    Kernel("own::generated.out",
           [](torch::executor::KernelRuntimeContext& context,
              executorch::runtime::Span<executorch::runtime::EValue*> stack) {
               EValue& self = *stack[0];
               EValue& factor = *stack[1];
               EValue& out = *stack[2];
               torch::executor::native::scale_out(context, self.to<executorch::aten::Tensor>(),
                                                  factor.to<executorch::aten::Scalar>(), {}, out.toTensor());
           }),
    // For float in row-major order only.
    Kernel("own::special.out", "v1/6;0|6;0",
           [](torch::executor::KernelRuntimeContext&,
              executorch::runtime::Span<executorch::runtime::EValue*> stack) {
               stack[1]->toTensor().mutable_data_ptr<float>()[0] = 6;
           }),
    // Writes a number.
    Kernel("own::size.Scalar",
           [](torch::executor::KernelRuntimeContext&,
              executorch::runtime::Span<executorch::runtime::EValue*> stack) {
               *stack[1] = executorch::runtime::EValue(static_cast<int64_t>(stack[0]->toTensor().numel()));
           }),
};
const executorch::runtime::Span<const Kernel> all(generated, generated + sizeof(generated) / sizeof(Kernel));
auto registered = executorch::runtime::register_kernels(all);

}  // namespace
}  // namespace function
}  // namespace executor
}  // namespace torch
