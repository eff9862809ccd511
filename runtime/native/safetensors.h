#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::native {

/// Tensors of the safetensors format by name. Immutable; data may be unaligned.
struct Safetensors {
    struct Tensor {
        std::int8_t scalarType = 0;  ///< core::scalarType() code
        std::vector<std::int64_t> sizes;
        core::Bytes data;          ///< row-major
        std::uint64_t offset = 0;  ///< of the data in the file
    };

    std::map<std::string, Tensor, std::less<>> tensors;
    std::uint64_t headerBytes = 0;
    std::uint64_t dataBytes = 0;
    std::shared_ptr<const void> owner;  ///< of the data

    /// `name` is the field in errors; `owner` keeps `bytes`. Errors: Format (damaged, offsets outside, a
    /// number of bytes that differs from dtype and sizes, overlapping tensors), Unsupported (dtype), Limit.
    [[nodiscard]] static core::Result<Safetensors> parse(core::Bytes bytes, std::string_view name,
                                                         std::shared_ptr<const void> owner);
};

}  // namespace et::native
