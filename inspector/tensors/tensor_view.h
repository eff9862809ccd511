#pragma once

#include "inspector/tensors/host_tensor.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

namespace et::inspector {

/// A tensor over the elements of another, which must outlive it and nothing may write to. Errors: Format
/// (data that do not fill it), those of core::Tensor::make().
[[nodiscard]] core::Result<core::Tensor> viewOf(const HostTensor& tensor);

}  // namespace et::inspector
