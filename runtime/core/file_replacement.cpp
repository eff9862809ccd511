#include "runtime/core/file_replacement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
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
        errno = EISDIR;
        return file.systemError("write");
    }
    if (exists && !S_ISREG(found.st_mode)) {
        file.opened = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file.opened < 0) {
            return file.systemError("write");
        }
        return file;
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) {
        return file.systemError("write");
    }
    std::error_code unresolved;
    const fs::path canonical = fs::canonical(path, unresolved);
    file.target = unresolved ? path : canonical;
    const fs::path beside = file.target.parent_path() / temporaryName(file.target);
    file.opened = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, newFileMode);
    if (file.opened < 0) {
        return file.systemError("create");
    }
    file.temporary = beside;
    if (exists && ::fchmod(file.opened, found.st_mode & permissionBits) != 0) {
        return file.systemError("keep the mode");
    }
    return file;
}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : given(std::move(other.given)),
      target(std::move(other.target)),
      temporary(std::exchange(other.temporary, {})),
      opened(std::exchange(other.opened, -1)) {
}

FileReplacement& FileReplacement::operator=(FileReplacement&& other) noexcept {
    if (this != &other) {
        abandon();
        given = std::move(other.given);
        target = std::move(other.target);
        temporary = std::exchange(other.temporary, {});
        opened = std::exchange(other.opened, -1);
    }
    return *this;
}

FileReplacement::~FileReplacement() {
    abandon();
}

void FileReplacement::abandon() {
    if (opened >= 0) {
        ::close(std::exchange(opened, -1));
    }
    if (!temporary.empty()) {
        ::unlink(temporary.c_str());
        temporary.clear();
    }
}

Result<> FileReplacement::write(Bytes bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(opened, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            return systemError("write");
        }
    }
    return {};
}

Result<> FileReplacement::publish() {
    if (temporary.empty()) {
        return {};
    }
    if (std::rename(temporary.c_str(), target.c_str()) != 0) {
        return systemError("replace");
    }
    temporary.clear();
    return {};
}

Result<> FileReplacement::finish() {
    // What was written may turn out not to have reached the file.
    if (::close(std::exchange(opened, -1)) != 0) {
        return systemError("write");
    }
    return publish();
}

std::unexpected<Error> FileReplacement::systemError(std::string_view what) const {
    return fail(ErrorCode::Io, fmt::format("cannot {}: {}", what, std::strerror(errno)),
                {.file = given.string()});
}

}  // namespace et::core
