#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <filesystem>

namespace et::tasks {

/// A new folder that gets its name when it is complete; removed otherwise.
class NewFolder {
  public:
    /// Errors: InvalidArgument (`path` exists and is not an empty folder), Io.
    [[nodiscard]] static core::Result<NewFolder> create(const std::filesystem::path& path);

    NewFolder(NewFolder&& other) noexcept;
    NewFolder& operator=(NewFolder&&) = delete;
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;
    ~NewFolder();

    /// Writes a file, a relative path, and creates its folders. Errors: Io.
    [[nodiscard]] core::Result<> write(const std::filesystem::path& file, core::Bytes bytes) const;
    /// Errors: Io.
    [[nodiscard]] core::Result<> publish();
    /// Removes the published folder.
    void withdraw() const;

  private:
    NewFolder(std::filesystem::path named, std::filesystem::path made);

    std::filesystem::path target;
    std::filesystem::path temporary;  ///< private folder around the content; empty after publishing
};

}  // namespace et::tasks
