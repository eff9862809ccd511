#pragma once

#include "runtime/core/descriptor.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace et::core {

/// A file that is being written beside its name, and takes it when it is complete and on the disk: a full
/// disk, an error, an interruption or a power failure leaves what was there. Devices and pipes have no such
/// other place and are written directly. The mode of a file that exists is kept.
///
/// The file beside the name is `.NAME.*.part`. Its writer holds a lock on it, by which the next writer of the
/// same name tells those that a killed process left, and removes them.
class FileReplacement {
  public:
    enum class Links : std::uint8_t {
        Follow,   ///< what a symbolic link points to is replaced
        Replace,  ///< the link itself is: for folders whose content is not ours
    };

    /// Errors: Io.
    [[nodiscard]] static Result<FileReplacement> open(const std::filesystem::path& path,
                                                      Links links = Links::Follow);

    FileReplacement(FileReplacement&& other) noexcept;
    FileReplacement& operator=(FileReplacement&& other) noexcept;
    FileReplacement(const FileReplacement&) = delete;
    FileReplacement& operator=(const FileReplacement&) = delete;
    /// What has not taken its name goes away.
    ~FileReplacement();

    [[nodiscard]] int descriptor() const { return opened.get(); }
    /// The file beside its name, for libraries that want to open it themselves; empty for devices and pipes.
    [[nodiscard]] const std::filesystem::path& writtenTo() const { return temporary; }
    /// The name that it takes, with links resolved; empty for devices and pipes.
    [[nodiscard]] const std::filesystem::path& takes() const { return target; }

    /// Appends all of `bytes`. Errors: Io.
    [[nodiscard]] Result<> write(Bytes bytes);

    /// Takes the name with what there is so far, once that is on the disk; more may be written. Errors: Io,
    /// also where a file that is open was cut off while it was read: what was computed from it is not kept.
    [[nodiscard]] Result<> publish();

    /// Takes the name and closes the file; what was written since publish() is on the disk then, too. Errors:
    /// those of publish() (what was there stays).
    [[nodiscard]] Result<> finish();
    /// The same, unless the name was taken meanwhile: then that file stays, and this one goes away.
    [[nodiscard]] Result<> finishUnlessTaken();

  private:
    FileReplacement() = default;
    [[nodiscard]] Result<> makeTemporary();
    [[nodiscard]] Result<> takeName(unsigned renameFlags);
    [[nodiscard]] std::unexpected<Error> refused(std::string_view what, int number) const;
    void abandon();

    std::filesystem::path given;      ///< for errors
    std::filesystem::path target;     ///< with links resolved
    std::filesystem::path temporary;  ///< empty once it has its name, and for devices
    Descriptor opened;
};

}  // namespace et::core
