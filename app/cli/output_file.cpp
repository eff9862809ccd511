#include "app/cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

namespace et::cli {
namespace {

namespace fs = std::filesystem;

constexpr mode_t permissionBits = 07777;
constexpr mode_t newFileMode = 0666;  // the umask takes its share

std::unexpected<core::Error> systemError(std::string_view what, const fs::path& path) {
    return core::fail(core::ErrorCode::Io, fmt::format("cannot {}: {}", what, std::strerror(errno)),
                      {.file = path.string()});
}

/// An open file descriptor with one owner.
class Descriptor {
  public:
    explicit Descriptor(int opened) : number(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number >= 0) {
            ::close(number);
        }
    }
    [[nodiscard]] int get() const { return number; }
    /// False: what was written did not reach the file.
    [[nodiscard]] bool close() { return ::close(std::exchange(number, -1)) == 0; }

  private:
    int number;
};

core::Result<> writeInto(Descriptor& file, const Producer& producer, const fs::path& path) {
    // A pipe whose reader went away has had all that it wanted.
    ET_TRY(writeTo(file.get(), path.string(), producer));
    if (!file.close()) {
        return systemError("write", path);
    }
    return {};
}

core::Result<> writeDirectly(const fs::path& path, const Producer& producer) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) {
        return systemError("write", path);
    }
    return writeInto(file, producer, path);
}

/// Writes `temporary` and gives it the name `target`. `path` is what errors call it.
core::Result<> writeThenRename(const fs::path& temporary, const fs::path& target, const struct stat* replaced,
                               const Producer& producer, const fs::path& path) {
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, newFileMode));
    if (file.get() < 0) {
        return systemError("create", path);
    }
    if (replaced != nullptr && ::fchmod(file.get(), replaced->st_mode & permissionBits) != 0) {
        return systemError("keep the mode", path);
    }
    ET_TRY(writeInto(file, producer, path));
    if (std::rename(temporary.c_str(), target.c_str()) != 0) {
        return systemError("replace", path);
    }
    return {};
}

}  // namespace

core::Result<> writeFile(const fs::path& path, const Producer& producer) {
    struct stat found{};
    const bool exists = ::stat(path.c_str(), &found) == 0;
    if (exists && S_ISDIR(found.st_mode)) {
        errno = EISDIR;
        return systemError("write", path);
    }
    if (exists && !S_ISREG(found.st_mode)) {
        return writeDirectly(path, producer);
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) {
        return systemError("write", path);
    }
    std::error_code unresolved;
    const fs::path canonical = fs::canonical(path, unresolved);
    const fs::path target = unresolved ? path : canonical;
    const fs::path temporary =
        target.parent_path() / fmt::format(".{}.{}.part", target.filename().string(), ::getpid());
    auto written = writeThenRename(temporary, target, exists ? &found : nullptr, producer, path);
    if (!written) {
        ::unlink(temporary.c_str());
    }
    return written;
}

}  // namespace et::cli
