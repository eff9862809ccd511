#pragma once

#include "runtime/core/element_types.h"

#include <cstddef>

// Vectorised conversions of contiguous 16-bit floats: compilers call a library function per element if the
// target CPU has no such instruction.
namespace et::kernels {

void floatsFrom(const core::Half* from, float* to, std::size_t count);
void floatsFrom(const core::BFloat16* from, float* to, std::size_t count);

/// Rounded to nearest, ties to even.
void floatsTo(const float* from, core::Half* to, std::size_t count);
void floatsTo(const float* from, core::BFloat16* to, std::size_t count);

}  // namespace et::kernels
