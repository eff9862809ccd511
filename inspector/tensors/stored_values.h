#pragma once

#include "backends/stored_constants.h"
#include "inspector/numeric_gap/metrics.h"
#include "inspector/tensor_files/tensor_view.h"
#include "inspector/tensors/tensor_catalog.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::inspector {

/// Statistics per channel: of the elements that share an index in dimension `dim`, which must be one of
/// `sizes`. `numbers` are row-major, and their count must match the sizes.
[[nodiscard]] std::vector<SideStatistics> channelStatistics(std::span<const double> numbers,
                                                            std::span<const std::int64_t> sizes,
                                                            std::size_t dim);

/// The elements of a weight stored by a delegate. Errors: Limit (more than TensorCatalog::maxBytes), Format
/// (fewer bytes than the elements need, scales that do not match its sizes).
[[nodiscard]] core::Result<HostTensor> storedTensor(core::Bytes data, const backends::StoredElements& how,
                                                    TensorForm form);

/// Copies dense bytes into a tensor. Errors: Limit, Format, Unsupported (a dtype without a size).
[[nodiscard]] core::Result<HostTensor> denseTensor(core::Bytes data, std::int8_t scalarType,
                                                   std::span<const std::int64_t> sizes,
                                                   std::span<const std::uint8_t> dimOrder);

/// All elements as numbers, in row-major order. Errors: as viewOf(), Unsupported (complex dtypes).
[[nodiscard]] core::Result<std::vector<double>> numbersOf(const HostTensor& tensor);

}  // namespace et::inspector
