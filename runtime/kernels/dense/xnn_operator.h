#pragma once

#include "runtime/core/result.h"
#include "runtime/kernels/kernel_context.h"

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace et::kernels::dense {

struct XnnOperatorDeleter {
    void operator()(xnn_operator_t operation) const { xnn_delete_operator(operation); }
};
using XnnOperator = std::unique_ptr<xnn_operator, XnnOperatorDeleter>;

/// Initializes XNNPACK on the first call. Errors: Unsupported (XNNPACK does not run on this CPU).
[[nodiscard]] core::Result<> initializeXnnpack();

/// Errors: Unsupported or Limit; the message names `call`.
[[nodiscard]] core::Result<> checkXnnpack(xnn_status status, std::string_view call);

/// Returns `data`, or a copy of its `elements` in temporary memory that XNNPACK may read. Its kernels load
/// whole vectors, up to XNN_EXTRA_BYTES beyond the end; those bytes have no effect, but their page must be
/// readable. Errors: Limit.
[[nodiscard]] core::Result<const float*> readableFloats(KernelContext& context, const float* data,
                                                        std::size_t elements);

}  // namespace et::kernels::dense
