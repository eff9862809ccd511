#pragma once

#include "inspector/size/byte_owners.h"
#include "inspector/size/size_map.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector {

/// Collects who claims which bytes of some files.
class SizeClaims {
  public:
    /// A further file; all of it belongs to `kind` until others claim. The number of the file.
    std::size_t addFile(const core::MappedFile& file, SizeKind kind);

    /// Bytes of the file last added. Those that lie elsewhere (decoded, or of another file) are claimed where
    /// they lie, or nowhere. Bytes that are claimed twice as the same thing belong to the first, whose uses
    /// are counted.
    void claim(core::Bytes bytes, SizePiece piece);

    /// Data that no file has.
    void miss(std::string_view name);

    [[nodiscard]] SizeMap finish() &&;

  private:
    struct Open {
        core::Bytes bytes;
        ByteOwners owners;
    };
    using Place = std::pair<const std::byte*, std::size_t>;

    SizeMap map;
    std::vector<Open> files;
    std::map<Place, std::size_t> tensors;  ///< pieces with data, by where they lie
};

}  // namespace et::inspector
