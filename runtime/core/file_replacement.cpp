#include "runtime/core/file_replacement.h"

#include "runtime/core/mapped_ranges.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string>
#include <utility>

namespace et::core {
namespace {

namespace fs = std::filesystem;

constexpr mode_t permissionBits = 07777;
constexpr mode_t newFileMode = 0666;  // modified by the umask
constexpr std::string_view suffix = ".part";

fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Returns a unique name among the temporary files of a target.
std::string temporaryName(const fs::path& target) {
    static std::atomic<unsigned> count = 0;
    return fmt::format(".{}.{}.{}{}", target.filename().string(), ::getpid(), count++, suffix);
}

bool isTemporaryOf(const std::string& name, const std::string& target) {
    const std::string start = fmt::format(".{}.", target);
    if (!name.starts_with(start) || !name.ends_with(suffix) || name.size() <= start.size() + suffix.size()) {
        return false;
    }
    // Numbers as in temporaryName(), to exclude the files of a target "x.y" when looking for those of "x".
    return name.find_first_not_of("0123456789.", start.size()) == name.size() - suffix.size() + 1;
}

/// Removes the temporary files of killed processes, i.e. those that are not locked.
void removeLeftOvers(const fs::path& target) {
    std::error_code unreadable;
    for (fs::directory_iterator at(folderOf(target), unreadable), end; !unreadable && at != end;
         at.increment(unreadable)) {
        if (!isTemporaryOf(at->path().filename().string(), target.filename().string())) {
            continue;
        }
        const Descriptor found(::open(at->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        if (found && ::flock(found.get(), LOCK_EX | LOCK_NB) == 0) {
            ::unlink(at->path().c_str());
        }
    }
}

/// Duplicates descriptor N for the path "/dev/fd/N", with which a parent process passes its pipe: /dev may be
/// missing.
Descriptor duplicatePassed(const fs::path& path) {
    constexpr std::string_view prefix = "/dev/fd/";
    const std::string& text = path.native();
    int number = -1;
    const char* const end = text.data() + text.size();
    if (!text.starts_with(prefix) || std::from_chars(text.data() + prefix.size(), end, number).ptr != end) {
        return {};
    }
    return Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, 0));
}

}  // namespace

/// Treats file systems without support for fsync() as synced.
bool FileReplacement::isSynced(int descriptor) const {
    return syncing == Sync::Later || ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ||
           errno == EROFS;
}

Result<FileReplacement> FileReplacement::open(const fs::path& path, Links links, Sync sync) {
    FileReplacement file;
    file.given = path;
    file.syncing = sync;
    struct stat found{};
    const bool exists =
        (links == Links::Follow ? ::stat(path.c_str(), &found) : ::lstat(path.c_str(), &found)) == 0;
    if (!exists) {
        file.opened = duplicatePassed(path);
    }
    if (file.opened) {
        return file;
    }
    if (exists && S_ISDIR(found.st_mode)) {
        return file.refused("write", EISDIR);
    }
    if (exists && !S_ISREG(found.st_mode) && links == Links::Follow) {
        file.opened = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (!file.opened) {
            return file.refused("write", errno);
        }
        return file;
    }
    const bool keepsMode = exists && S_ISREG(found.st_mode);
    if (keepsMode && ::access(path.c_str(), W_OK) != 0) {
        return file.refused("write", errno);
    }
    std::error_code unresolved;
    const fs::path canonical = fs::canonical(path, unresolved);
    file.target = unresolved || links == Links::Replace ? path : canonical;
    ET_TRY(file.makeTemporary());
    if (keepsMode && ::fchmod(file.opened.get(), found.st_mode & permissionBits) != 0) {
        return file.refused("keep the mode", errno);
    }
    return file;
}

Result<> FileReplacement::makeTemporary() {
    removeLeftOvers(target);
    for (;;) {
        const fs::path beside = target.parent_path() / temporaryName(target);
        opened = Descriptor(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, newFileMode));
        if (!opened) {
            if (errno == EEXIST) {
                continue;  // of a process with the same id on another system
            }
            return refused("create", errno);
        }
        // Another writer may have removed the file before it was locked.
        struct stat made{};
        if (::flock(opened.get(), LOCK_EX) != 0 || ::fstat(opened.get(), &made) != 0 || made.st_nlink > 0) {
            temporary = beside;
            return {};
        }
    }
}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : given(std::move(other.given)),
      target(std::move(other.target)),
      temporary(std::exchange(other.temporary, {})),
      opened(std::move(other.opened)),
      syncing(other.syncing) {
}

FileReplacement& FileReplacement::operator=(FileReplacement&& other) noexcept {
    if (this != &other) {
        abandon();
        given = std::move(other.given);
        target = std::move(other.target);
        temporary = std::exchange(other.temporary, {});
        opened = std::move(other.opened);
        syncing = other.syncing;
    }
    return *this;
}

FileReplacement::~FileReplacement() {
    abandon();
}

void FileReplacement::abandon() {
    opened.close();
    if (!temporary.empty()) {
        ::unlink(temporary.c_str());
        temporary.clear();
    }
}

Result<> FileReplacement::write(Bytes bytes) {
    if (const int failed = writeAll(opened.get(), bytes); failed != 0) {
        return refused("write", failed);
    }
    return {};
}

Result<> FileReplacement::publish() {
    return takeName(0);
}

Result<> FileReplacement::takeName(unsigned renameFlags) {
    if (temporary.empty()) {
        return {};
    }
    if (isCutOffFileOpen()) {
        return std::unexpected(cutOffWhileRead(firstCutOffFile().value_or(given.string())));
    }
    if (!isSynced(opened.get())) {
        return refused("write", errno);
    }
    int failed = ::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(), renameFlags);
    if (failed != 0 && errno == EINVAL && renameFlags != 0) {  // on file systems without support for flags
        failed = std::rename(temporary.c_str(), target.c_str());
    }
    if (failed != 0) {
        return refused("replace", errno);
    }
    temporary.clear();
    // The rename is visible to all processes; after a crash, the disk may still have the old file, which is
    // intact.
    const Descriptor folder(::open(folderOf(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder && !isSynced(folder.get())) {
        return refused("write the folder of", errno);
    }
    return {};
}

Result<> FileReplacement::finish() {
    const bool grewBehindItsName = temporary.empty() && !target.empty();
    if (grewBehindItsName && !isSynced(opened.get())) {
        return refused("write", errno);
    }
    ET_TRY(publish());
    // Devices may report write errors only on close.
    if (const int failed = opened.close(); failed != 0) {
        return refused("write", failed);
    }
    return {};
}

Result<> FileReplacement::finishUnlessTaken() {
    const auto taken = takeName(RENAME_NOREPLACE);
    std::error_code unknown;
    const bool isOthers = !taken && fs::exists(target, unknown);
    abandon();
    return isOthers ? Result<>() : taken;
}

std::unexpected<Error> FileReplacement::refused(std::string_view what, int number) const {
    const fs::path folder = given.parent_path();
    std::error_code unknown;
    if (number == ENOENT && !folder.empty() && !fs::exists(folder, unknown)) {
        return fail(ErrorCode::Io, fmt::format("cannot {}: there is no folder {}", what, folder.string()),
                    {.file = given.string(), .field = {}, .offset = {}});
    }
    return std::unexpected(systemError(fmt::format("cannot {}", what), number, given.string()));
}

}  // namespace et::core
