#include "app/tasks/lab/work_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Descriptor;

constexpr std::string_view workPrefix = "et-inspect-work-";

/// Returns the locked folder; empty if it is not ours, or is in use.
Descriptor lockFolder(const fs::path& folder) {
    Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat is{};
    struct stat named{};
    const bool isOurs = opened && ::fstat(opened.get(), &is) == 0 && is.st_uid == ::geteuid() &&
                        ::flock(opened.get(), LOCK_EX | LOCK_NB) == 0 &&
                        ::lstat(folder.c_str(), &named) == 0 && named.st_ino == is.st_ino;
    return isOurs ? std::move(opened) : Descriptor();
}

/// Removes folders left by killed processes.
void removeAbandoned(const fs::path& parent) {
    std::error_code failed;
    for (fs::directory_iterator each(parent, failed), end; !failed && each != end; each.increment(failed)) {
        if (each->path().filename().string().starts_with(workPrefix)) {
            if (const Descriptor locked = lockFolder(each->path())) {
                std::error_code ignored;
                fs::remove_all(each->path(), ignored);
            }
        }
    }
}

core::Error makingFailed(int number) {
    return core::systemError("cannot create a folder for temporary files", number);
}

}  // namespace

core::Result<WorkFolder> WorkFolder::make() {
    std::error_code failed;
    const fs::path parent = fs::temp_directory_path(failed);
    if (failed) {
        return std::unexpected(makingFailed(failed.value()));
    }
    removeAbandoned(parent);
    // Until it is locked, another process may consider it abandoned.
    for (int attempts = 0; attempts < 5; ++attempts) {
        std::string name = (parent / fmt::format("{}XXXXXX", workPrefix)).string();
        if (::mkdtemp(name.data()) == nullptr) {
            return std::unexpected(makingFailed(errno));
        }
        if (Descriptor locked = lockFolder(name)) {
            return WorkFolder(fs::path(name), std::move(locked));
        }
    }
    return std::unexpected(makingFailed(EBUSY));
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept
    : folder(std::exchange(other.folder, {})), lock(std::move(other.lock)) {
}

WorkFolder& WorkFolder::operator=(WorkFolder&& other) noexcept {
    if (this != &other) {
        remove();
        folder = std::exchange(other.folder, {});
        lock = std::move(other.lock);
    }
    return *this;
}

WorkFolder::~WorkFolder() {
    remove();
}

void WorkFolder::remove() {
    if (!folder.empty()) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
}

}  // namespace et::tasks
