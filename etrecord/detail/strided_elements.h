#pragma once

#include "etrecord/pickled_tensors.h"
#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace et::etrecord::detail {

/// Whether the elements are contiguous in the storage, in row-major order.
[[nodiscard]] bool isRowMajor(const TorchTensor& tensor);

/// The elements in row-major order, each of `width` bytes; empty if one lies outside the storage.
[[nodiscard]] std::optional<std::vector<std::byte>> gather(const TorchTensor& tensor, core::Bytes storage,
                                                           std::size_t width);

}  // namespace et::etrecord::detail
