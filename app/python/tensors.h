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

/// A numpy array of the elements at `bytes`, which it shares with `owner`, read-only. `dimOrder`: dimensions
/// from outermost to innermost in memory, a permutation; empty: row-major. bfloat16, which numpy has not,
/// becomes float32, in memory of its own. Raises UnsupportedError for a dtype that numpy has not,
/// ArgumentError where the bytes do not fit the shape.
[[nodiscard]] nanobind::object array(std::int8_t scalarType, std::span<const std::int64_t> sizes,
                                     std::span<const std::uint8_t> dimOrder, core::Bytes bytes,
                                     std::shared_ptr<const void> owner);

/// The same of a copy of the tensor's elements, writable.
[[nodiscard]] nanobind::object copiedArray(const core::Tensor& tensor);

/// The same of the tensor's elements where they lie, writable, for as long as `owner` lives. Raises
/// UnsupportedError for bfloat16 as well.
[[nodiscard]] nanobind::object writableArray(const core::Tensor& tensor, std::shared_ptr<const void> owner);

/// Whether numpy's and DLPack's name for elements of this dtype is `given`.
[[nodiscard]] bool isDtypeOf(core::ScalarType type, nanobind::dlpack::dtype given);

/// The first dtype that goes by this name; nothing where none does.
[[nodiscard]] std::optional<core::ScalarType> scalarTypeOf(nanobind::dlpack::dtype given);

/// What the runtime logged, as Python has it; tensors share memory with the debug buffer. Without a buffer,
/// or where it does not hold a tensor, that is zeros, as ExecuTorch's Inspector has it.
[[nodiscard]] nanobind::object loggedValue(const etdump::DebugValue& logged, const core::MappedFile* buffer,
                                           const std::shared_ptr<const void>& owner);

}  // namespace et::python
