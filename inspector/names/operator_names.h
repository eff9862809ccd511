#pragma once

#include "runtime/core/event_names.h"

#include <string_view>

namespace et::inspector::names::detail {

using core::event_name::delegateCall;
using core::event_name::jumpCall;
using core::event_name::kernelPrefix;
using core::event_name::loadMethod;
using core::event_name::methodExecute;
using core::event_name::methodInit;
using core::event_name::operatorCall;

/// True for Method::init, Program::load_method and Method::execute, whose instruction 0 is not an
/// instruction.
[[nodiscard]] bool isFrameworkEvent(std::string_view eventName);

/// True for events of a single instruction's call: a kernel, OPERATOR_CALL, DELEGATE_CALL.
[[nodiscard]] bool isCall(std::string_view eventName);

/// Returns "addmm" for the events "native_call_addmm.out" and "mylib::addmm.out"; empty if the event is not a
/// kernel.
[[nodiscard]] std::string_view kernelOperator(std::string_view eventName);

/// Returns "addmm" for the operator type "aten.addmm.default", "sym_size" for "sym_size.int", "add" for
/// "add".
[[nodiscard]] std::string_view nodeOperator(std::string_view opType);

/// True for kernels that lowering adds around others (copies, fills, layout changes). They may run under the
/// debug handle of any node, so their names are no evidence.
[[nodiscard]] bool isHelperOperator(std::string_view kernel);

/// True for an operator type of a library that the reference does not load ("llama.custom_sdpa.default"); it
/// drops such nodes when it reads a record.
[[nodiscard]] bool isUnloadedByReference(std::string_view opType);

/// True for convolutions and matrix products, given the name of a kernel or node.
[[nodiscard]] bool isProduct(std::string_view name);

/// True if lowering may have turned a node of operator `node` into kernel `kernel`: the same name apart from
/// "_copy" and a leading "_" or "quantized_", one name contained in the other word by word, or both in one
/// family (convolutions, matrix products).
[[nodiscard]] bool mayImplement(std::string_view kernel, std::string_view node);

/// False if an operator of a delegate, by its kind ("StaticTranspose", "FullyConnected"), does something
/// else than a node of operator `node` ("view_copy"). True if either is unknown here.
[[nodiscard]] bool mayDelegate(std::string_view kind, std::string_view node);

/// True if an operator of a delegate, by its kind ("AddmmNode", "aten.linear.default"), is known to do what a
/// node of operator `node` does.
[[nodiscard]] bool doesDelegate(std::string_view kind, std::string_view node);

/// True if an operator of a delegate, by its kind, only rearranges or converts elements ("TransposeNode").
[[nodiscard]] bool isRearrangement(std::string_view kind);

}  // namespace et::inspector::names::detail
