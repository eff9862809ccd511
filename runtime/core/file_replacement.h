#pragma once

#include "runtime/core/descriptor.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace et::core {

/// Replaces a file atomically: writes to a temporary file and renames it once complete and synced. If the
/// disk is full or on an error, interruption or power failure, the existing file remains. Devices and pipes
/// are written directly. The mode of an existing file is kept.
///
/// The temporary file is `.NAME.*.part`. Its writer holds a lock on it, which lets the next writer of the
/// same name recognize and remove files left by killed processes.
class FileReplacement {
  public:
    enum class Links : std::uint8_t {
        Follow,   ///< replaces the target of a symbolic link
        Replace,  ///< replaces the link itself: for folders with foreign contents
    };

    enum class Sync {
        Now,    ///< data are on the disk before the name is taken
        Later,  ///< the system writes them later: for many files that can be calculated again
    };

    /// Errors: Io.
    [[nodiscard]] static Result<FileReplacement> open(const std::filesystem::path& path,
                                                      Links links = Links::Follow, Sync sync = Sync::Now);

    FileReplacement(FileReplacement&& other) noexcept;
    FileReplacement& operator=(FileReplacement&& other) noexcept;
    FileReplacement(const FileReplacement&) = delete;
    FileReplacement& operator=(const FileReplacement&) = delete;
    /// Removes the temporary file unless it was published.
    ~FileReplacement();

    [[nodiscard]] int descriptor() const { return opened.get(); }
    /// Path of the temporary file, for libraries that open files themselves; empty for devices and pipes.
    [[nodiscard]] const std::filesystem::path& writtenTo() const { return temporary; }
    /// The final path, with links resolved; empty for devices and pipes.
    [[nodiscard]] const std::filesystem::path& takes() const { return target; }

    /// Appends all of `bytes`. Errors: Io.
    [[nodiscard]] Result<> write(Bytes bytes);

    /// Syncs the data written so far and renames the file; more may be written afterwards. Errors: Io, also
    /// if an open input file was truncated while being read: results computed from it are discarded.
    [[nodiscard]] Result<> publish();

    /// Publishes and closes the file; data written since publish() are synced as well. Errors: those of
    /// publish() (the existing file remains).
    [[nodiscard]] Result<> finish();
    /// As finish(), unless a file with that name was created meanwhile: then that file is kept and this one
    /// removed.
    [[nodiscard]] Result<> finishUnlessTaken();

  private:
    FileReplacement() = default;
    [[nodiscard]] Result<> makeTemporary();
    [[nodiscard]] Result<> takeName(unsigned renameFlags);
    /// Waits until the data of a file or folder are on the disk, if wanted.
    [[nodiscard]] bool isSynced(int descriptor) const;
    [[nodiscard]] std::unexpected<Error> refused(std::string_view what, int number) const;
    void abandon();

    std::filesystem::path given;      ///< for errors
    std::filesystem::path target;     ///< with links resolved
    std::filesystem::path temporary;  ///< empty after publishing, and for devices
    Descriptor opened;
    Sync syncing = Sync::Now;
};

}  // namespace et::core
