#pragma once

#include "backends/reference/reference_value.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::reference {

enum class Alignment : std::uint8_t {
    OfElements,  ///< unaligned elements are copied
    Any          ///< unaligned elements are not copied: valid only as a source of memcpy
};

/// Tensors of torch archives by name, read on demand. Tensors with a common storage share its bytes. The
/// record must outlive it.
class ArchivedTensors {
  public:
    /// `maxBytes`: total limit of all tensors read. Archives missing from the record are treated as empty.
    /// Errors: those of Record::archive().
    [[nodiscard]] static core::Result<ArchivedTensors> open(const etrecord::Record& record,
                                                            std::vector<std::string> archives,
                                                            std::uint64_t maxBytes);

    /// Row-major; nothing if the name is unknown. Errors: those of TorchArchive::load(), Limit.
    [[nodiscard]] core::Result<std::optional<ReferenceTensor>> find(std::string_view name);

    /// Like find(), but without counting the bytes of all tensors read: for tensors that are released after
    /// use.
    [[nodiscard]] core::Result<std::optional<ReferenceTensor>> findForNow(std::string_view name) const;
    /// Likewise, without a copy of unaligned elements.
    [[nodiscard]] core::Result<std::optional<ReferenceTensor>> findStored(std::string_view name) const;
    [[nodiscard]] bool contains(std::string_view name) const { return places.contains(name); }

    /// All names, sorted.
    [[nodiscard]] std::vector<std::string_view> names() const;

  private:
    struct Place {
        std::size_t archive = 0;
        std::size_t tensor = 0;
    };
    [[nodiscard]] core::Result<std::optional<ReferenceTensor>> findWith(std::string_view name,
                                                                        Alignment alignment) const;

    std::vector<etrecord::TorchArchive> archives;
    std::map<std::string, Place, std::less<>> places;
    std::uint64_t bytesLeft = 0;
};

/// Loads a tensor of an archive. Errors: those of TorchArchive::load().
[[nodiscard]] core::Result<ReferenceTensor> loadTensor(const etrecord::TorchArchive& archive,
                                                       const etrecord::TorchTensor& tensor,
                                                       std::uint64_t maxBytes,
                                                       Alignment alignment = Alignment::OfElements);

}  // namespace et::backends::reference
