#include "runtime/core/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <thread>

namespace et::core {
namespace {

/// Whether the path still refers to the open file.
bool hasName(const Descriptor& file, const std::filesystem::path& path) {
    struct stat byName{};
    struct stat open{};
    return ::stat(path.c_str(), &byName) == 0 && ::fstat(file.get(), &open) == 0 &&
           byName.st_dev == open.st_dev && byName.st_ino == open.st_ino;
}

}  // namespace

Result<FileLock> FileLock::exclusive(const std::filesystem::path& path, std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds pause{10};
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
        Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        if (!file) {
            return std::unexpected(systemError("cannot open", errno, path.string()));
        }
        if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
            if (hasName(file, path)) {
                return FileLock(std::move(file));
            }
            continue;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return std::unexpected(systemError("cannot lock", errno, path.string()));
        }
        if (std::chrono::steady_clock::now() >= end) {
            return fail(ErrorCode::Io, "another process is modifying it: try again",
                        {.file = path.string(), .field = {}, .offset = {}});
        }
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace et::core
