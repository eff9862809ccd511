// A kernel written for ExecuTorch that does nothing, for the cost of its call.
#include <executorch/extension/kernel_util/make_boxed_from_unboxed_functor.h>
#include <executorch/runtime/kernel/kernel_includes.h>

namespace {

using executorch::aten::Tensor;

Tensor& nothingOut(executorch::runtime::KernelRuntimeContext& /*context*/, const Tensor& /*a*/,
                   const Tensor& /*b*/, Tensor& out) {
    return out;
}

}  // namespace

EXECUTORCH_LIBRARY(benchmark, "nothing.out", nothingOut);
