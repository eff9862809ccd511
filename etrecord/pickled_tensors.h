#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The tensors that a pickle of torch.save() names, found without executing anything.
namespace et::etrecord {

/// A tensor as an archive describes it: a view into a storage that the archive keeps in an entry of its own.
struct TorchTensor {
    std::string name;  ///< "conv.weight"; the way through nested containers: "forward[0][1]", "weight.scale"
    std::int8_t scalarType = unknownScalarType;  ///< core::scalarType() code
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;  ///< in elements
    std::int64_t storageOffset = 0;     ///< in elements
    std::string
        storageKey;  ///< entry "<prefix>/data/<key>"; empty where the tensor has no storage of its own
    std::int64_t bytes = 0;  ///< of a dense tensor of these sizes; 0 without a storage
};

/// Lists the tensors of the pickle of an archive. `name` stands in errors as the field. Errors: as
/// TorchArchive::open().
[[nodiscard]] core::Result<std::vector<TorchTensor>> listPickledTensors(core::Bytes pickle,
                                                                        std::string_view name);

}  // namespace et::etrecord
