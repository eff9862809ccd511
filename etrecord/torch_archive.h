#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/zip.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// An archive that torch.save() wrote (a zip with a pickle and raw storages), listed without executing
/// anything.
class TorchArchive {
  public:
    /// `entry` is the archive inside a record; an empty one holds nothing.
    /// Errors: Format, Limit, Unsupported (another form of archive; a pickle that calls what is not known
    /// here).
    [[nodiscard]] static core::Result<TorchArchive> open(const ZipArchive& record,
                                                         const ZipArchive::Entry& entry);

    /// The archive as a file of its own (`.pt`). Errors: as above.
    [[nodiscard]] static core::Result<TorchArchive> open(ZipArchive zip);

    /// In the pickle's order.
    [[nodiscard]] const std::vector<TorchTensor>& tensors() const { return listed; }

    /// Elements of a tensor, and what keeps them alive: the storage that several tensors share, or a copy.
    struct Elements {
        core::Bytes bytes;
        std::shared_ptr<const void> owner;
    };
    /// As read(), without a copy where the elements lie row by row in their storage, and each storage read
    /// once while the archive lives. Errors: as read().
    [[nodiscard]] core::Result<Elements> load(const TorchTensor& tensor, std::uint64_t mostBytes) const;

    /// The elements of one of the tensors, row-major, whatever its strides. Errors: Format (it reaches beyond
    /// its storage, a damaged entry), Unsupported (no storage, a dtype without a size in bytes, written on a
    /// big-endian machine), Limit (more than `mostBytes`).
    [[nodiscard]] core::Result<std::vector<std::byte>> read(const TorchTensor& tensor,
                                                            std::uint64_t mostBytes) const;

  private:
    struct Storages;
    core::Result<std::shared_ptr<const ZipContent>> storage(const TorchTensor& tensor,
                                                            std::uint64_t mostBytes) const;

    std::optional<ZipArchive> zip;
    std::string prefix;  ///< of the entries, with its slash
    std::vector<TorchTensor> listed;
    std::shared_ptr<Storages> storages;  ///< of copies of the archive, too
};

/// Lists the tensors of the pickle of an archive. `name` stands in errors as the field. Errors: as
/// TorchArchive.
[[nodiscard]] core::Result<std::vector<TorchTensor>> listPickledTensors(core::Bytes pickle,
                                                                        std::string_view name);

}  // namespace et::etrecord
