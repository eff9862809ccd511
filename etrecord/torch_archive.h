#pragma once

#include "etrecord/pickled_tensors.h"
#include "etrecord/zip.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::etrecord {

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
    [[nodiscard]] core::Result<Elements> load(const TorchTensor& tensor, std::uint64_t maxBytes) const;

    /// The elements of one of the tensors, row-major, whatever its strides. Errors: Format (it reaches beyond
    /// its storage, a damaged entry), Unsupported (no storage, a dtype without a size in bytes, written on a
    /// big-endian machine), Limit (more than `maxBytes`).
    [[nodiscard]] core::Result<std::vector<std::byte>> read(const TorchTensor& tensor,
                                                            std::uint64_t maxBytes) const;

  private:
    struct Storages;
    core::Result<std::shared_ptr<const ZipContent>> storage(const TorchTensor& tensor,
                                                            std::uint64_t maxBytes) const;

    std::optional<ZipArchive> zip;
    std::string prefix;  ///< of the entries, with its slash
    std::vector<TorchTensor> listed;
    std::shared_ptr<Storages> storages;  ///< of copies of the archive, too
};

}  // namespace et::etrecord
