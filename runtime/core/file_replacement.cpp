#include "runtime/core/file_replacement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace et::core {
namespace {

namespace fs = std::filesystem;

constexpr mode_t permissionBits = 07777;
constexpr mode_t newFileMode = 0666;  // the umask takes its share

/// Tells the temporary files of one process apart.
std::string temporaryName(const fs::path& target) {
    static std::atomic<unsigned> count = 0;
    return fmt::format(".{}.{}.{}.part", target.filename().string(), ::getpid(), count++);
}

}  // namespace

Result<FileReplacement> FileReplacement::open(const fs::path& path) {
    FileReplacement file;
    file.given = path;
    struct stat found{};
    const bool exists = ::stat(path.c_str(), &found) == 0;
    if (exists && S_ISDIR(found.st_mode)) {
        return file.refused("write", EISDIR);
    }
    if (exists && !S_ISREG(found.st_mode)) {
        file.opened = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (!file.opened) {
            return file.refused("write", errno);
        }
        return file;
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) {
        return file.refused("write", errno);
    }
    std::error_code unresolved;
    const fs::path canonical = fs::canonical(path, unresolved);
    file.target = unresolved ? path : canonical;
    const fs::path beside = file.target.parent_path() / temporaryName(file.target);
    file.opened = Descriptor(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, newFileMode));
    if (!file.opened) {
        return file.refused("create", errno);
    }
    file.temporary = beside;
    if (exists && ::fchmod(file.opened.get(), found.st_mode & permissionBits) != 0) {
        return file.refused("keep the mode", errno);
    }
    return file;
}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : given(std::move(other.given)),
      target(std::move(other.target)),
      temporary(std::exchange(other.temporary, {})),
      opened(std::move(other.opened)) {
}

FileReplacement& FileReplacement::operator=(FileReplacement&& other) noexcept {
    if (this != &other) {
        abandon();
        given = std::move(other.given);
        target = std::move(other.target);
        temporary = std::exchange(other.temporary, {});
        opened = std::move(other.opened);
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
    if (temporary.empty()) {
        return {};
    }
    if (std::rename(temporary.c_str(), target.c_str()) != 0) {
        return refused("replace", errno);
    }
    temporary.clear();
    return {};
}

Result<> FileReplacement::finish() {
    // What was written may turn out not to have reached the file.
    if (const int failed = opened.close(); failed != 0) {
        return refused("write", failed);
    }
    return publish();
}

std::unexpected<Error> FileReplacement::refused(std::string_view what, int number) const {
    return std::unexpected(systemError(fmt::format("cannot {}", what), number, given.string()));
}

}  // namespace et::core
