#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::etrecord {

/// Content of a zip entry. Today it owns a copy; callers see only the view, so that a stored entry may become
/// a view into the mapping.
class ZipContent {
  public:
    explicit ZipContent(std::vector<std::byte> content) : owned(std::move(content)) {}
    [[nodiscard]] core::Bytes bytes() const { return owned; }

  private:
    std::vector<std::byte> owned;
};

/// What a zip may ask of us. A stored entry is bounded by its file; a deflated one is not.
struct ZipLimits {
    std::uint64_t entries = std::uint64_t{1} << 16;
    std::uint64_t deflatedEntryBytes = std::uint64_t{512}
                                       << 20;                   ///< size of one deflated entry once inflated
    std::uint64_t deflatedTotalBytes = std::uint64_t{1} << 30;  ///< of all of them together
    std::uint64_t deflateRatio = 200;  ///< inflated : deflated, above `ratioFreeBytes`
    std::uint64_t ratioFreeBytes = std::uint64_t{1} << 20;
};

/// A zip, read from memory (a mapping) without copying it. Stored and deflated entries; names are unique.
/// A copy is another handle to the same archive; reading is safe from any thread.
class ZipArchive {
  public:
    struct Entry {
        std::string name;
        std::uint64_t index = 0;
        std::uint64_t bytes = 0;  ///< uncompressed
        bool deflated = false;
    };

    /// `name` stands in errors as the field ("" for a file of its own). The file stays mapped while the
    /// archive lives. Errors: Format (no zip, damaged directory, a name twice), Unsupported (encrypted, other
    /// methods), Limit.
    [[nodiscard]] static core::Result<ZipArchive> open(std::shared_ptr<const core::MappedFile> file,
                                                       std::string name = {}, ZipLimits limits = {});

    [[nodiscard]] const std::vector<Entry>& entries() const;
    /// Null for a stranger. Lives as long as the archive.
    [[nodiscard]] const Entry* find(std::string_view name) const;

    /// The whole content, its checksum verified. Errors: Format.
    [[nodiscard]] core::Result<ZipContent> read(const Entry& entry) const;

    /// The zip inside an entry, which is not copied when it is stored. Errors: as open().
    [[nodiscard]] core::Result<ZipArchive> openNested(const Entry& entry) const;

    /// "archive/data.pkl", preceded by the names of the entries that the archive is nested in.
    [[nodiscard]] std::string pathOf(const Entry& entry) const;

  private:
    struct Impl;
    explicit ZipArchive(std::shared_ptr<Impl> data) : impl(std::move(data)) {}
    std::shared_ptr<Impl> impl;
};

}  // namespace et::etrecord
