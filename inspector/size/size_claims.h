#pragma once

#include "inspector/size/byte_owners.h"
#include "inspector/size/size_map.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector {

/// Collects claims of bytes in files.
class SizeClaims {
  public:
    /// Adds a file, all of whose bytes belong to `kind` until claimed. Returns its index.
    std::size_t addFile(const core::MappedFile& file, SizeKind kind);

    /// Claims bytes of the most recently added file. Bytes of another file are claimed in that file, and
    /// decoded bytes are not claimed at all. If bytes are claimed twice for the same use, they belong to the
    /// first claim, which counts its uses.
    void claim(core::Bytes bytes, SizePiece piece);

    /// Records data that no file contains.
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
    std::map<Place, std::size_t> tensors;  ///< pieces with data, by position
};

}  // namespace et::inspector
