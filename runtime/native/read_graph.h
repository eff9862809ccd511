#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/native/graph.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace flatbuffers {
struct TypeTable;
}

namespace et::native {

/// Identifier of a graph flatbuffer, and the types of its tables.
inline constexpr std::string_view graphIdentifier = "NPTG";
[[nodiscard]] const flatbuffers::TypeTable& graphTypes();

/// Reads a graph flatbuffer (identifier NPTG), which may be unaligned; `base` is its offset in the file that
/// errors name. Verifies that values are defined once and before their use, that inputs, outputs and mutable
/// buffers have metadata, that mutation targets exist, and that methods are unique. Constants are not read:
/// see checkConstants(). Errors: Format, Limit, Unsupported (a version other than 1).
[[nodiscard]] core::Result<Program> parseProgram(core::Bytes bytes, std::uint64_t base = 0);

/// A tensor outside the graph: in a package, or in the named data of a program.
struct StoredTensor {
    core::Bytes data;  ///< row-major; may be unaligned
    /// Dtype and sizes as the container states them; nothing: it has none (named data of a program).
    std::optional<std::int8_t> scalarType{};
    std::span<const std::int64_t> sizes{};
};

/// Finds a stored tensor by its key; nothing if it is missing.
using FindTensor = std::function<std::optional<StoredTensor>(std::string_view key)>;

/// Checks that all constants, scales and zero points of a program are stored with the dtype, sizes and number
/// of bytes that the graph states. Errors: Format (a key is missing, or stored otherwise; names the key).
[[nodiscard]] core::Result<> checkConstants(const Program& program, const FindTensor& find);

}  // namespace et::native
