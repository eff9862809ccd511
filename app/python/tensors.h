#pragma once

#include "etdump/trace.h"
#include "runtime/core/mapped_file.h"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <span>

namespace et::python {

/// A numpy array of the elements at `bytes`, which it shares with `owner`, read-only. `dimOrder`: dimensions
/// from outermost to innermost in memory, a permutation; empty: row-major. bfloat16, which numpy has not,
/// becomes float32, in memory of its own. Raises UnsupportedError for a dtype that numpy has not,
/// ArgumentError where the bytes do not fit the shape.
[[nodiscard]] nanobind::object array(std::int8_t scalarType, std::span<const std::int64_t> sizes,
                                     std::span<const std::uint8_t> dimOrder, core::Bytes bytes,
                                     std::shared_ptr<const void> owner);

/// What the runtime logged, as Python has it; tensors share memory with the debug buffer. Without a buffer,
/// or where it does not hold a tensor, that is zeros, as ExecuTorch's Inspector has it.
[[nodiscard]] nanobind::object loggedValue(const etdump::DebugValue& logged, const core::MappedFile* buffer,
                                           const std::shared_ptr<const void>& owner);

}  // namespace et::python
