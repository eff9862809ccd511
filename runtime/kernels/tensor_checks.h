#pragma once

#include "runtime/core/dim_vector.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/kernel_context.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

// Checks of kernels with named arguments.
namespace et::kernels {

/// Errors: InvalidArgument ("key: expected row-major float32 [1, 2], got int8 [3]").
[[nodiscard]] core::Result<> expectTensor(std::string_view name, const core::Tensor& tensor,
                                          core::ScalarType dtype, std::span<const std::int64_t> sizes);
[[nodiscard]] inline core::Result<> expectTensor(std::string_view name, const core::Tensor& tensor,
                                                 core::ScalarType dtype,
                                                 std::initializer_list<std::int64_t> sizes) {
    return expectTensor(name, tensor, dtype, std::span(sizes.begin(), sizes.size()));
}

/// The same for any sizes of `rank` dimensions.
[[nodiscard]] core::Result<> expectRank(std::string_view name, const core::Tensor& tensor,
                                        core::ScalarType dtype, std::size_t rank);

/// Resizes a result and checks that it is row-major and of `dtype`. Errors: InvalidArgument, Limit.
[[nodiscard]] core::Result<> resizeResult(core::Tensor& out, core::ScalarType dtype,
                                          std::span<const std::int64_t> sizes);
[[nodiscard]] inline core::Result<> resizeResult(core::Tensor& out, core::ScalarType dtype,
                                                 std::initializer_list<std::int64_t> sizes) {
    return resizeResult(out, dtype, std::span(sizes.begin(), sizes.size()));
}

}  // namespace et::kernels
