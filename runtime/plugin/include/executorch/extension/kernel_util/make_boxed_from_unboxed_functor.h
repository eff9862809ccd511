#pragma once

#include <executorch/extension/kernel_util/meta_programming.h>
#include <executorch/extension/kernel_util/type_list.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/event_tracer_hooks.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/kernel/operator_registry.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace executorch::extension {

namespace kernel_util_internal {

/// The argument of a parameter's type in a value: a reference to its tensor, or its content.
template <class Parameter>
decltype(auto) argument_of(runtime::EValue& value) {
    using Type = std::decay_t<Parameter>;
    if constexpr (std::is_same_v<Parameter, aten::Tensor&> ||
                  std::is_same_v<Parameter, const aten::Tensor&>) {
        return static_cast<Parameter>(value.toTensor());
    } else {
        return value.to<Type>();
    }
}

/// The number of trailing parameters that are tensors to write to.
template <class... Parameters>
constexpr size_t count_results() {
    size_t results = 0;
    ((results = std::is_same_v<Parameters, aten::Tensor&> ? results + 1 : 0), ...);
    return results;
}

template <class Signature>
struct signature;
template <class Result, class... Parameters>
struct signature<Result(Parameters...)> {
    static constexpr size_t arguments = sizeof...(Parameters);
    static constexpr size_t results = count_results<Parameters...>();
    template <class Function, size_t... index>
    static void call(runtime::KernelRuntimeContext& /*context*/, runtime::Span<runtime::EValue*> stack,
                     std::index_sequence<index...> /*indices*/) {
        static_cast<void>((*Function::func_ptr())(argument_of<Parameters>(*stack[index])...));
    }
};
template <class Result, class... Parameters>
struct signature<Result(runtime::KernelRuntimeContext&, Parameters...)> {
    static constexpr size_t arguments = sizeof...(Parameters);
    static constexpr size_t results = count_results<Parameters...>();
    template <class Function, size_t... index>
    static void call(runtime::KernelRuntimeContext& context, runtime::Span<runtime::EValue*> stack,
                     std::index_sequence<index...> /*indices*/) {
        static_cast<void>((*Function::func_ptr())(context, argument_of<Parameters>(*stack[index])...));
    }
};

}  // namespace kernel_util_internal

/// A kernel of values that calls a function of typed parameters.
template <class Function>
struct WrapUnboxedIntoFunctor {
    static_assert(kernel_util_internal::is_compile_time_function_pointer<Function>::value,
                  "expected a function made by EXECUTORCH_FN");
    using Signature = kernel_util_internal::signature<typename Function::FuncType>;
    static constexpr size_t arguments = Signature::arguments;

    static void call(runtime::KernelRuntimeContext& context, runtime::Span<runtime::EValue*> stack) {
        ET_CHECK_MSG(stack.size() >= arguments, "expected %zu arguments, got %zu", arguments, stack.size());
        Signature::template call<Function>(context, stack, std::make_index_sequence<arguments>());
    }
};

template <typename Function>
runtime::Kernel make_boxed_kernel(const char* name, Function /*function*/) {
    runtime::Kernel kernel(name, WrapUnboxedIntoFunctor<Function>::call);
    kernel.arguments_ = WrapUnboxedIntoFunctor<Function>::arguments;
    kernel.results_ = WrapUnboxedIntoFunctor<Function>::Signature::results;
    return kernel;
}

}  // namespace executorch::extension

#define ET_CONCATENATE_IMPL(a, b) a##b
#define ET_CONCATENATE(a, b) ET_CONCATENATE_IMPL(a, b)
#define ET_UID __LINE__

/// Registers a function as kernel "library::name".
#define EXECUTORCH_LIBRARY(library, name, func) _EXECUTORCH_LIBRARY_IMPL(library, name, func, ET_UID)
#define _EXECUTORCH_LIBRARY_IMPL(library, name, func, number)                               \
    static constexpr const char ET_CONCATENATE(name_of_op_, number)[] = #library "::" name; \
    static auto ET_CONCATENATE(res_##library##_, number) =                                  \
        ::executorch::runtime::register_kernel(::executorch::extension::make_boxed_kernel(  \
            #library "::" name, EXECUTORCH_FN(func, ET_CONCATENATE(name_of_op_, number))))

namespace torch::executor {
using ::executorch::extension::make_boxed_kernel;
using ::executorch::extension::WrapUnboxedIntoFunctor;
}  // namespace torch::executor
