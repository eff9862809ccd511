#pragma once

#include "runtime/core/graph.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <cstdint>
#include <limits>
#include <string_view>

namespace et::backends {

/// Attribute of a constant in a graph with the name of its data outside the payload.
inline constexpr std::string_view dataNameAttribute = "data name";

/// Describes a constant stored under a name in the program or a tensor data file: the name as
/// dataNameAttribute and its bytes, or that the data is missing.
void describeNamedConstant(std::string_view name, const executor::NamedDataSource& namedData,
                           core::GraphValue& value);

/// Bytes of a dense tensor with elements of `bits` each; 0 on overflow or if a size is negative.
template <class Sizes>
[[nodiscard]] std::uint64_t denseBytes(std::uint64_t bits, const Sizes& sizes) {
    constexpr std::uint64_t max = std::numeric_limits<std::int64_t>::max() / 2;
    for (const auto size : sizes) {
        if (size < 0) {
            return 0;
        }
        const auto times = static_cast<std::uint64_t>(size);
        if (times != 0 && bits > max / times) {
            return 0;
        }
        bits *= times;
    }
    return (bits + 7) / 8;
}

/// The bytes [offset, offset + size) of a payload; `field`: the header field that refers to them. Errors:
/// Format (out of bounds).
[[nodiscard]] core::Result<core::Bytes> payloadPart(core::Bytes payload, std::uint64_t offset,
                                                    std::uint64_t size, std::string_view field);

}  // namespace et::backends
