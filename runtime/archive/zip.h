#pragma once

#include "runtime/core/file_content.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::archive {

/// Content of a zip entry: a large stored entry in place, any other one as a copy.
class ZipContent {
  public:
    explicit ZipContent(std::vector<std::byte> content) : owned(std::move(content)) {}
    /// Bytes of a file.
    ZipContent(std::shared_ptr<const core::FileContent> of, core::Bytes bytes)
        : file(std::move(of)), place(bytes) {}

    [[nodiscard]] core::Bytes bytes() const { return file == nullptr ? core::Bytes(owned) : place; }
    /// Releases the pages of these bytes of a content in place, until they are read again
    /// (releaseMappedPages()).
    void release(core::Bytes part) const;

  private:
    std::vector<std::byte> owned;
    std::shared_ptr<const core::FileContent> file;  ///< null: `owned`
    core::Bytes place;
};

/// Resource limits for a zip. The size of a stored entry is limited by its file; that of a deflated one is
/// not.
struct ZipLimits {
    std::uint64_t entries = std::uint64_t{1} << 16;
    std::uint64_t deflatedEntryBytes = std::uint64_t{512} << 20;  ///< inflated size of one deflated entry
    std::uint64_t deflatedTotalBytes = std::uint64_t{1} << 30;    ///< inflated size of all deflated entries
    std::uint64_t deflateRatio = 200;  ///< inflated : deflated, above `ratioFreeBytes`
    std::uint64_t ratioFreeBytes = std::uint64_t{1} << 20;
};

/// A zip read from memory (a mapping) without copying it. Stored and deflated entries; names are unique. A
/// copy is another handle to the same archive; reading is thread-safe.
class ZipArchive {
  public:
    struct Entry {
        std::string name;
        std::uint64_t index = 0;
        std::uint64_t bytes = 0;  ///< uncompressed
        bool deflated = false;
    };

    /// `name` is the field name in error messages ("" for a separate file). The file stays mapped as long as
    /// the archive exists. Errors: Format (no zip, damaged directory, a duplicate name), Unsupported
    /// (encrypted, other methods), Limit.
    [[nodiscard]] static core::Result<ZipArchive> open(std::shared_ptr<const core::MappedFile> file,
                                                       std::string name = {}, ZipLimits limits = {});
    /// Likewise for a zip in pieces; `file` names it in errors. The pieces must not change.
    [[nodiscard]] static core::Result<ZipArchive> open(core::FileContent content, std::string file,
                                                       std::string name = {}, ZipLimits limits = {});

    /// The bytes of the outermost archive.
    [[nodiscard]] const core::FileContent& content() const;
    [[nodiscard]] const std::vector<Entry>& entries() const;
    /// Null for an unknown name. Valid as long as the archive.
    [[nodiscard]] const Entry* find(std::string_view name) const;

    /// The whole content, with verified checksum; that of a large stored entry is not copied. Errors: Format.
    [[nodiscard]] core::Result<ZipContent> read(const Entry& entry) const;
    /// Likewise, also without a copy where the content of a large stored entry is in several pieces.
    [[nodiscard]] core::Result<core::FileContent> pieces(const Entry& entry) const;

    /// Opens the zip inside an entry; a stored one is not copied. Errors: as open().
    [[nodiscard]] core::Result<ZipArchive> openNested(const Entry& entry) const;

    /// Offset of a stored entry's content in the file of the outermost archive; nothing: inside a deflated or
    /// unusual entry.
    [[nodiscard]] std::optional<std::uint64_t> offsetOf(const Entry& entry) const;

    /// "archive/data.pkl", preceded by the names of the enclosing entries.
    [[nodiscard]] std::string pathOf(const Entry& entry) const;

  private:
    struct Impl;
    explicit ZipArchive(std::shared_ptr<Impl> data) : impl(std::move(data)) {}
    std::shared_ptr<Impl> impl;
};

}  // namespace et::archive
