#pragma once

#include "runtime/core/file_content.h"
#include "runtime/core/result.h"
#include "runtime/native/graph.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace et::native {

/// A tensor to store; borrows nothing.
struct TensorContent {
    std::int8_t scalarType = 0;  ///< core::scalarType() code
    std::vector<std::int64_t> sizes;
    std::vector<std::byte> data;  ///< row-major
};
using TensorContents = std::map<std::string, TensorContent>;

/// The graph flatbuffer of a program, which is not checked. Errors: InvalidArgument (a dtype without a number
/// in the format).
[[nodiscard]] core::Result<std::vector<std::byte>> writeGraph(const Program& program);

/// The bytes of a safetensors file. Errors: InvalidArgument (a dtype without a name in the format).
[[nodiscard]] core::Result<std::vector<std::byte>> writeSafetensors(const TensorContents& tensors);

/// A package (.ptn). Tensors with equal content are stored once, under the first key in sorted order, except
/// those of mutable constants. Errors: as writeGraph() and writeSafetensors().
[[nodiscard]] core::Result<core::FileContent> writePackage(const Program& program,
                                                           const TensorContents& tensors);

}  // namespace et::native
