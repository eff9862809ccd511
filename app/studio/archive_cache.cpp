#include "app/studio/archive_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

namespace et::studio {

namespace {

namespace fs = std::filesystem;

/// Length of the names created by archiveFolder().
constexpr std::size_t nameLength = 24;

struct CachedFolder {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes = 0;
};

std::uint64_t sizeOf(const fs::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code failed;
    for (fs::directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed)) {
        std::error_code unknown;
        const std::uintmax_t size = file->is_symlink(unknown) ? 0 : file->file_size(unknown);
        bytes += unknown ? 0 : size;
    }
    return bytes;
}

bool isOurs(const fs::directory_entry& entry) {
    std::error_code unknown;
    const std::string name = entry.path().filename().string();
    return entry.symlink_status(unknown).type() == fs::file_type::directory && name.size() == nameLength &&
           name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::vector<CachedFolder> foldersIn(const fs::path& cache) {
    std::vector<CachedFolder> folders;
    std::error_code failed;
    for (fs::directory_iterator entry(cache, failed), end; !failed && entry != end; entry.increment(failed)) {
        std::error_code unknown;
        const auto used = fs::last_write_time(entry->path(), unknown);  // opening a session rewrites its
                                                                        // files
        if (!unknown && isOurs(*entry)) {
            folders.push_back({entry->path(), used, sizeOf(entry->path())});
        }
    }
    std::ranges::sort(folders, {}, &CachedFolder::used);
    return folders;
}

int openFolder(const fs::path& folder) {
    return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

/// Removes the folder unless it is in use; returns whether it was removed.
bool removeUnused(const fs::path& folder) {
    const int descriptor = openFolder(folder);
    if (descriptor < 0) {
        return false;
    }
    std::error_code failed;
    const bool unused = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    if (unused) {
        fs::remove_all(folder, failed);
    }
    ::close(descriptor);
    return unused && !failed;
}

/// True if the path still refers to the opened folder, which may have been pruned before it was locked.
bool existsIn(int descriptor, const fs::path& folder) {
    struct stat opened{};
    struct stat named{};
    return ::fstat(descriptor, &opened) == 0 && ::stat(folder.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

core::Result<std::shared_ptr<const ArchiveUse>> ArchiveUse::of(const fs::path& folder) {
    constexpr int patience = 10;  // number of retries if the folder is pruned at the same time
    int problem = ENOENT;
    for (int i = 0; i < patience; ++i) {
        std::error_code failed;
        fs::create_directories(folder, failed);
        const int descriptor = openFolder(folder);
        if (descriptor < 0) {
            problem = errno;
            continue;
        }
        std::shared_ptr<const ArchiveUse> use(new ArchiveUse(descriptor));
        if (::flock(descriptor, LOCK_SH) == 0 && existsIn(descriptor, folder)) {
            fs::permissions(folder, fs::perms::owner_all, failed);  // models may be confidential
            return use;
        }
    }
    return core::fail(core::ErrorCode::Io, std::string("cannot create folder: ") + std::strerror(problem),
                      {.file = folder.string(), .field = {}, .offset = {}});
}

ArchiveUse::~ArchiveUse() {
    ::close(descriptor);
}

void pruneArchives(const fs::path& cache, const CacheLimits& limits) {
    std::vector<CachedFolder> folders = foldersIn(cache);
    std::uint64_t bytes = 0;
    for (const CachedFolder& each : folders) {
        bytes += each.bytes;
    }
    const auto oldest = fs::file_time_type::clock::now() - limits.age;
    for (const CachedFolder& each : folders) {
        if ((each.used < oldest || bytes > limits.bytes) && removeUnused(each.path)) {
            bytes -= each.bytes;
        }
    }
}

}  // namespace et::studio
