#pragma once

#include "backends/stored_constants.h"
#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace et::inspector {

/// Dense elements in a file.
struct DenseLocation {
    core::Bytes data;
    std::int8_t scalarType = 0;
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> dimOrder{};  ///< none: row-major
};

/// Archive name in the record, and index of the tensor.
struct ArchiveLocation {
    std::string archive;
    std::size_t tensor = 0;
};

/// Nowhere: why.
struct MissingLocation {
    std::string problem;
};

/// Location of a listed tensor's elements; borrowed from the files.
using TensorLocation =
    std::variant<MissingLocation, DenseLocation, backends::StoredConstant, ArchiveLocation>;

}  // namespace et::inspector
