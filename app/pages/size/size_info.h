#pragma once

#include "app/tasks/size/measured_size.h"
#include "inspector/format/table.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::app {

/// What bytes are summed up by.
enum class SizeBy : std::uint8_t { Kind, Module, Dtype, Backend, Tensor };

struct SizeInfoOptions {
    SizeBy by = SizeBy::Kind;
    std::size_t depth = 0;  ///< parts of a module's name that are kept; 0: all
    std::size_t top = 20;   ///< owners, duplicates and uniform tensors to list; 0: all
};

/// The owners, the largest first. Their bytes add up to the total, whatever they are summed up by: what has
/// no module (dtype, backend) is summed up by its kind, in parentheses.
struct SizeOwner {
    std::string name;
    std::uint64_t bytes = 0;
    std::size_t pieces = 0;
};
[[nodiscard]] std::vector<SizeOwner> sizeOwners(const inspector::SizeMap& map, SizeBy by,
                                                std::size_t depth = 0);

/// For people: owners, then duplicates and uniform tensors where there are any.
[[nodiscard]] std::string sizeText(const MeasuredSize& size, const SizeInfoOptions& options);
/// docs/json.md, "JSON of sizes"; all owners.
[[nodiscard]] inspector::report::Dict sizeInfo(const MeasuredSize& size, const SizeInfoOptions& options);

}  // namespace et::app
