#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Lists the tensors in a pickle of torch.save() without executing anything.
namespace et::etrecord {

/// A tensor described by an archive: a view into a storage that is a separate entry.
struct TorchTensor {
    std::string name;  ///< "conv.weight"; a path through nested containers: "forward[0][1]", "weight.scale"
    std::int8_t scalarType = unknownScalarType;  ///< core::scalarType() code
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;  ///< in elements
    std::int64_t storageOffset = 0;     ///< in elements
    std::string storageKey;             ///< entry "<prefix>/data/<key>"; empty if the tensor has no storage
    std::int64_t bytes = 0;             ///< of a dense tensor with these sizes; 0 without a storage
};

/// Lists the tensors in an archive's pickle. `name` is the field name in error messages. Errors: as
/// TorchArchive::open().
[[nodiscard]] core::Result<std::vector<TorchTensor>> listPickledTensors(core::Bytes pickle,
                                                                        std::string_view name);

}  // namespace et::etrecord
