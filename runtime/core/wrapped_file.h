#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace et::core {

/// Describes bytes that are not a model file but something that stores or replaces one: "a Git LFS pointer to
/// a file of 3694116 bytes: git lfs pull", "compressed with gzip", "a ZIP archive", "a web page". Empty if
/// they are none of these.
[[nodiscard]] std::string wrapperText(Bytes bytes);

/// Signature of a ZIP archive's first entry; an archive without entries does not begin with it.
inline constexpr std::string_view zipMark = "PK\x03\x04";

/// Whether ZIP archives are among the files that a reader accepts.
enum class ZipFiles : std::uint8_t { Accepted, Rejected };

/// Opens a file of a binary format. Errors: as MappedFile::open(), Format (see wrapperText()).
[[nodiscard]] Result<std::shared_ptr<const MappedFile>> openUnwrapped(const std::filesystem::path& path,
                                                                      ZipFiles zip = ZipFiles::Rejected);

}  // namespace et::core
