#pragma once

#include "runtime/core/file_content.h"

#include <cstdint>
#include <string>
#include <vector>

namespace et::archive::detail {

/// Place of a stored entry's content in its zip.
struct ZipPlace {
    std::string name;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

/// The places of a zip's stored entries, in the order of its directory; libzip has no call for them. Entries
/// of other kinds have no name. Empty if the directory is unusual or damaged: the caller then reads through
/// libzip, which reports the cause. Places lie inside `zip`, but their content must be checked.
[[nodiscard]] std::vector<ZipPlace> findZipPlaces(const core::FileContent& zip);

}  // namespace et::archive::detail
