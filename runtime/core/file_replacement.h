#pragma once

#include "runtime/core/descriptor.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string>

namespace et::core {

/// A file that is being written beside its name, and takes it when it is complete: a full disk, an error or
/// an interruption leaves what was there. Devices and pipes have no such other place and are written
/// directly. A link is followed; the mode of a file that exists is kept.
class FileReplacement {
  public:
    /// Errors: Io.
    [[nodiscard]] static Result<FileReplacement> open(const std::filesystem::path& path);

    FileReplacement(FileReplacement&& other) noexcept;
    FileReplacement& operator=(FileReplacement&& other) noexcept;
    FileReplacement(const FileReplacement&) = delete;
    FileReplacement& operator=(const FileReplacement&) = delete;
    /// What has not taken its name goes away.
    ~FileReplacement();

    [[nodiscard]] int descriptor() const { return opened.get(); }
    /// The file beside its name, for libraries that want to open it themselves; empty for devices and pipes.
    [[nodiscard]] const std::filesystem::path& writtenTo() const { return temporary; }

    /// Appends all of `bytes`. Errors: Io.
    [[nodiscard]] Result<> write(Bytes bytes);

    /// Takes the name with what there is so far; more may be written. Errors: Io.
    [[nodiscard]] Result<> publish();

    /// Closes the file and takes the name. Errors: Io (what was there stays).
    [[nodiscard]] Result<> finish();

  private:
    FileReplacement() = default;
    [[nodiscard]] std::unexpected<Error> refused(std::string_view what, int number) const;
    void abandon();

    std::filesystem::path given;      ///< for errors
    std::filesystem::path target;     ///< with links resolved
    std::filesystem::path temporary;  ///< empty once it has its name, and for devices
    Descriptor opened;
};

}  // namespace et::core
