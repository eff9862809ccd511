#pragma once

#include "etrecord/pickled_tensors.h"
#include "runtime/archive/zip.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::etrecord {

/// An archive written by torch.save() (a zip with a pickle and raw storages), listed without executing
/// anything.
class TorchArchive {
  public:
    /// `entry` is the archive inside a record; an empty one has no tensors. Errors: Format, Limit,
    /// Unsupported (another form of archive; a pickle with an unknown call).
    [[nodiscard]] static core::Result<TorchArchive> open(const archive::ZipArchive& record,
                                                         const archive::ZipArchive::Entry& entry);

    /// Opens the archive as a separate file (`.pt`). Errors: as above.
    [[nodiscard]] static core::Result<TorchArchive> open(archive::ZipArchive zip);

    /// In the pickle's order.
    [[nodiscard]] const std::vector<TorchTensor>& tensors() const { return listed; }

    /// Elements of a tensor, with the owner of their memory: a storage shared by several tensors, or a copy.
    struct Elements {
        core::Bytes bytes;
        std::shared_ptr<const void> owner;
    };
    /// Like read(), but without a copy if the elements are row-major in their storage. Each storage is read
    /// once during the lifetime of the archive. Errors: as read().
    [[nodiscard]] core::Result<Elements> load(const TorchTensor& tensor, std::uint64_t maxBytes) const;

    /// The elements of a tensor in row-major order, for any strides. Errors: Format (the tensor exceeds its
    /// storage, a damaged entry), Unsupported (no storage, a dtype without a size in bytes, written on a
    /// big-endian machine), Limit (more than `maxBytes`).
    [[nodiscard]] core::Result<std::vector<std::byte>> read(const TorchTensor& tensor,
                                                            std::uint64_t maxBytes) const;

  private:
    struct Storages;
    core::Result<std::shared_ptr<const archive::ZipContent>> storage(const TorchTensor& tensor,
                                                                     std::uint64_t maxBytes) const;

    std::optional<archive::ZipArchive> zip;
    std::string prefix;  ///< of the entries, including its slash
    std::vector<TorchTensor> listed;
    std::shared_ptr<Storages> storages;  ///< shared with copies of the archive
};

}  // namespace et::etrecord
