#pragma once

#include "runtime/core/element_types.h"
#include "runtime/core/result.h"
#include "runtime/kernels/kernel_context.h"

#include <cstdint>
#include <string>
#include <type_traits>

// Maps element dtypes to the types that kernels compute in. Kernels that compute on elements as stored use
// core::ElementTypes.
namespace et::kernels {

/// Calls `function` with a std::type_identity of float (also for half and bfloat16), double, or int64 (for
/// all integers and bool). Returns its result, or `otherwise()` for complex and all other dtypes.
template <class Function, class Otherwise>
decltype(auto) visitComputeType(core::ScalarType type, Function&& function, Otherwise&& otherwise) {
    switch (core::scalarKind(type)) {
        case core::ScalarKind::Float:
            return type == core::ScalarType::Double ? function(std::type_identity<double>{})
                                                    : function(std::type_identity<float>{});
        case core::ScalarKind::Bool:
        case core::ScalarKind::Signed:
        case core::ScalarKind::Unsigned:
            return function(std::type_identity<std::int64_t>{});
        default:
            return otherwise();
    }
}

/// Overload for functions that return a Result. Errors: Unsupported (complex and all other dtypes).
template <class Function>
core::Result<> visitComputeType(core::ScalarType type, Function&& function) {
    return visitComputeType(type, function, [type]() -> core::Result<> { return unsupportedType(type); });
}

/// Overload for floating-point dtypes only. Errors: InvalidArgument (any other dtype).
template <class Function>
core::Result<> visitFloatingType(core::ScalarType type, Function&& function) {
    if (!core::isFloating(type)) {
        return invalid("expected a floating point dtype, got " + core::scalarTypeName(type));
    }
    return type == core::ScalarType::Double ? function(std::type_identity<double>{})
                                            : function(std::type_identity<float>{});
}

}  // namespace et::kernels
