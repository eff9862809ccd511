#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::core {

using Bytes = std::span<const std::byte>;

/// The bytes as characters; borrows them.
[[nodiscard]] inline std::string_view textOf(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The bytes of a file (or of memory), immutable and shared by all views of them. A regular file is mapped
/// read-only and never copied; a pipe or a device is read completely.
class MappedFile {
  public:
    /// Maximum number of bytes read from a source without a size (a pipe, a device).
    static constexpr std::uint64_t maxStreamedBytes = std::uint64_t{1} << 32;

    /// Errors: Io (cannot be opened or read, is a directory), Limit (a stream of more than `maxStream`
    /// bytes).
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> open(
        const std::filesystem::path& path, std::uint64_t maxStream = maxStreamedBytes);

    /// Takes ownership of `bytes`; `name` replaces the path in errors.
    [[nodiscard]] static std::shared_ptr<const MappedFile> fromMemory(std::vector<std::byte> bytes,
                                                                      std::string name = "<memory>");

    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] Bytes bytes() const { return view; }
    [[nodiscard]] const std::string& name() const { return label; }  ///< path as given, for errors

    /// Advises the system that the pages of [offset, offset+size) are not needed for now; later reads fault
    /// them in again. Keeps the peak memory of a one-pass reader low. No-op on memory.
    void release(std::size_t offset, std::size_t size) const;

  private:
    MappedFile() = default;

    std::string label;
    Bytes view;
    std::vector<std::byte> owned;
    void* mapping = nullptr;
};

}  // namespace et::core
