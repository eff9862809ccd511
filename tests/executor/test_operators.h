#pragma once

#include "runtime/core/result.h"
#include "runtime/kernels/registry.h"

#include <cstdint>

// Operators for tests of how an executor calls kernels.
namespace et::test {

/// Bytes of weights that test::packed.out "packs" at load.
inline constexpr std::uint64_t packedBytes = 123;

/// test::plus.out(Tensor a, Tensor b, int factor, *, out): a + factor * b, float, equal sizes.
/// test::twice.out(Tensor a, *, out): a concatenated with itself along dimension 0. test::fail.out(Tensor a,
/// *, out): an error "as told". test::packed.out(Tensor a, Tensor weight, *, out): a + weight, from a copy of
/// weight made by prepare. test::scratch.out(Tensor a, int bytes, *, out): allocates that much temporary
/// memory. test::less(int a, int b, bool result); test::increment(int a, int result).
[[nodiscard]] const kernels::KernelRegistry& testOperators();

}  // namespace et::test
