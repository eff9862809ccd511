#pragma once

#include "app/serve/value.h"
#include "etdump/trace.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace et::serve {

/// Returns a read-only numpy array of the elements at `bytes`, kept alive by `owner`. `dimOrder`: dimensions
/// from outermost to innermost in memory, a permutation; empty: row-major. bfloat16, which numpy does not
/// support, is converted to float32. Throws UnsupportedError for a dtype that numpy does not support,
/// ArgumentError if the bytes do not match the shape.
[[nodiscard]] Value array(std::int8_t scalarType, std::span<const std::int64_t> sizes,
                          std::span<const std::uint8_t> dimOrder, core::Bytes bytes,
                          std::shared_ptr<const void> owner);

/// Likewise, a writable array of a copy of the tensor's elements.
[[nodiscard]] Value copiedArray(const core::Tensor& tensor);

/// True if `given` is numpy's dtype of `type`.
[[nodiscard]] bool isDtypeOf(core::ScalarType type, ElementType given);

/// Returns the first dtype that maps to `given`, or nothing.
[[nodiscard]] std::optional<core::ScalarType> scalarTypeOf(ElementType given);

/// Converts a logged value. Without a debug buffer, or if it does not contain the tensor, the array contains
/// zeros, as in ExecuTorch's Inspector.
[[nodiscard]] Value loggedValue(const etdump::DebugValue& logged, const core::MappedFile* buffer,
                                const std::shared_ptr<const void>& owner);

}  // namespace et::serve
