#pragma once

#include "etdump/trace.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace et::python {

/// Returns a read-only numpy array over the elements at `bytes`, kept alive by `owner`. `dimOrder`:
/// dimensions from outermost to innermost in memory, a permutation; empty: row-major. bfloat16, which numpy
/// does not support, is copied to float32. Raises UnsupportedError for a dtype that numpy does not support,
/// ArgumentError if the bytes do not match the shape.
[[nodiscard]] nanobind::object array(std::int8_t scalarType, std::span<const std::int64_t> sizes,
                                     std::span<const std::uint8_t> dimOrder, core::Bytes bytes,
                                     std::shared_ptr<const void> owner);

/// Likewise, a writable array over a copy of the tensor's elements.
[[nodiscard]] nanobind::object copiedArray(const core::Tensor& tensor);

/// Likewise, a writable array over the tensor's own elements, valid while `owner` exists. Also raises
/// UnsupportedError for bfloat16.
[[nodiscard]] nanobind::object writableArray(const core::Tensor& tensor, std::shared_ptr<const void> owner);

/// True if `given` is the numpy and DLPack dtype of `type`.
[[nodiscard]] bool isDtypeOf(core::ScalarType type, nanobind::dlpack::dtype given);

/// Returns the first dtype that maps to `given`, or nothing.
[[nodiscard]] std::optional<core::ScalarType> scalarTypeOf(nanobind::dlpack::dtype given);

/// Converts a logged value to Python; tensors share memory with the debug buffer. Without a buffer, or if it
/// does not contain the tensor, the array contains zeros, as in ExecuTorch's Inspector.
[[nodiscard]] nanobind::object loggedValue(const etdump::DebugValue& logged, const core::MappedFile* buffer,
                                           const std::shared_ptr<const void>& owner);

}  // namespace et::python
