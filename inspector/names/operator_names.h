#pragma once

#include "runtime/core/event_names.h"

#include <string_view>

namespace et::inspector::detail {

using core::event_name::delegateCall;
using core::event_name::jumpCall;
using core::event_name::kernelPrefix;
using core::event_name::loadMethod;
using core::event_name::methodExecute;
using core::event_name::methodInit;
using core::event_name::operatorCall;

/// Method::init, Program::load_method, Method::execute: their instruction 0 is no instruction.
[[nodiscard]] bool isFrameworkEvent(std::string_view eventName);

/// True for an event that one instruction's call makes: a kernel, OPERATOR_CALL, DELEGATE_CALL.
[[nodiscard]] bool isCall(std::string_view eventName);

/// "addmm" of the events "native_call_addmm.out" and "mylib::addmm.out"; empty for an event that is no
/// kernel.
[[nodiscard]] std::string_view kernelOperator(std::string_view eventName);

/// "addmm" of the op type "aten.addmm.default", "sym_size" of "sym_size.int", "add" of "add".
[[nodiscard]] std::string_view nodeOperator(std::string_view opType);

/// True for kernels that lowering adds around others (copies, fills, layout changes): they may run under the
/// debug handle of any node, so that their names prove nothing.
[[nodiscard]] bool isHelperOperator(std::string_view kernel);

/// True for an op type of a library that the reference does not load ("llama.custom_sdpa.default"): it drops
/// such nodes when it reads a record.
[[nodiscard]] bool isUnloadedByReference(std::string_view opType);

/// True for convolutions and matrix products, by the name of a kernel or a node.
[[nodiscard]] bool isProduct(std::string_view name);

/// True when lowering may have turned a node of operator `node` into kernel `kernel`: the same name apart
/// from "_copy" and a leading "_" or "quantized_", one name inside the other word by word, or both of one
/// family (convolutions, matrix products).
[[nodiscard]] bool mayImplement(std::string_view kernel, std::string_view node);

}  // namespace et::inspector::detail
