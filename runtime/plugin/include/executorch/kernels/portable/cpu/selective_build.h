#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>

/// Plugins are never built for a selection of dtypes.
inline constexpr bool should_include_kernel_dtype(const char* /*operator_name*/,
                                                  executorch::aten::ScalarType /*dtype*/) {
    return true;
}
