#pragma once

#include "inspector/tensor_files/host_tensor.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

namespace et::inspector {

/// A tensor view of another's elements, which must outlive it; it must not be written. Errors: Format (too
/// few or too many bytes), those of core::Tensor::make().
[[nodiscard]] core::Result<core::Tensor> viewOf(const HostTensor& tensor);

}  // namespace et::inspector
