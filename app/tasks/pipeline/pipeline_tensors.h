#pragma once

#include "app/tasks/pipeline/host_steps.h"
#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <span>
#include <vector>

// Tensors that stages hand to each other: row-major, immutable, shared.
namespace et::tasks {

/// A new tensor filled with zeros. Errors: Limit (more than 4 GiB), those of core::Tensor::make().
[[nodiscard]] core::Result<ReferenceTensor> newTensor(core::ScalarType dtype,
                                                      std::span<const std::int64_t> sizes);
/// Converts numbers to a tensor. Errors: as newTensor(); InvalidArgument (another number of elements);
/// Unsupported (a dtype without numbers).
[[nodiscard]] core::Result<ReferenceTensor> tensorOf(std::span<const double> numbers, core::ScalarType dtype,
                                                     std::span<const std::int64_t> sizes);
/// A row-major tensor that owns the elements. Errors: as inspector::viewOf().
[[nodiscard]] core::Result<ReferenceTensor> tensorFrom(inspector::HostTensor tensor);
/// The same elements with other sizes. Errors: InvalidArgument.
[[nodiscard]] core::Result<ReferenceTensor> reshaped(const ReferenceTensor& tensor,
                                                     std::span<const std::int64_t> sizes);
[[nodiscard]] std::vector<std::int64_t> sizesOf(const ReferenceTensor& tensor);

/// Reads or makes an input of a pipeline. Errors: those of the file; Mismatch (another dtype or sizes).
[[nodiscard]] core::Result<ReferenceTensor> makeInput(const PipelineInput& input, std::uint64_t maxBytes);

}  // namespace et::tasks
