#include "app/agent/file_store.h"

#include "inspector/format/checksum.h"
#include "runtime/core/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

namespace et::agent {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

/// Maximum time to wait for another transfer of the same file.
constexpr std::chrono::seconds patience{30};

std::unexpected<core::Error> refused(std::string_view what, const fs::path& path) {
    return std::unexpected(core::systemError(what, errno, path.string()));
}

}  // namespace

Result<FileStore> FileStore::open(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) {
        return std::unexpected(
            core::systemError("cannot create the folder", failed.value(), folder.string()));
    }
    return FileStore(folder);
}

Result<std::filesystem::path> FileStore::find(const std::string& hash) const {
    fs::path path = folder / hash;
    // The modification time of a file records its last use.
    if (!wire::isHash(hash) || ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0) != 0) {
        return fail(ErrorCode::NotFound, fmt::format("file {} was not uploaded", core::printable(hash)));
    }
    return path;
}

Result<std::uint64_t> FileStore::begin(const wire::PutRequest& request) {
    forget();
    coming = request;
    if (find(request.hash)) {
        return request.size;
    }
    const fs::path path = partOf(request.hash);
    if (!core::Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600))) {
        return refused("cannot write", path);
    }
    ET_ASSIGN(core::FileLock held, core::FileLock::exclusive(path, patience));
    if (find(request.hash)) {
        return request.size;  // the other transfer completed
    }
    core::Descriptor opened(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat info{};
    if (::fstat(opened.get(), &info) != 0) {
        return refused("cannot read", path);
    }
    written = static_cast<std::uint64_t>(info.st_size);
    if (written > request.size) {
        written = 0;
        if (::ftruncate(opened.get(), 0) != 0) {
            return refused("cannot write", path);
        }
    }
    if (::lseek(opened.get(), static_cast<off_t>(written), SEEK_SET) < 0) {
        return refused("cannot write", path);
    }
    part = std::move(opened);
    lock.emplace(std::move(held));
    return written;
}

void FileStore::forget() {
    part.close();
    lock.reset();
}

Result<> FileStore::append(core::Bytes piece) {
    if (!part) {
        return fail(ErrorCode::InvalidArgument, "got file data before the start of a file");
    }
    if (piece.size() > coming.size - written) {
        return fail(ErrorCode::Limit,
                    fmt::format("got more than the announced {} bytes of the file", coming.size));
    }
    if (const int failed = core::writeAll(part.get(), piece); failed != 0) {
        return std::unexpected(core::systemError("cannot write", failed, partOf(coming.hash).string()));
    }
    written += piece.size();
    return {};
}

Result<> FileStore::finish() {
    if (!part) {
        return find(coming.hash).transform([](const fs::path&) {});
    }
    const fs::path path = partOf(coming.hash);
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    if (const std::string got = inspector::format::sha256(file->bytes()); got != coming.hash) {
        ::unlink(path.c_str());
        forget();
        return fail(ErrorCode::Mismatch,
                    fmt::format("expected content with hash {}, got {}", coming.hash, got));
    }
    if (::rename(path.c_str(), (folder / coming.hash).c_str()) != 0) {
        return refused("cannot rename", path);
    }
    forget();
    return {};
}

void FileStore::trim(std::uint64_t bytes) const {
    struct Kept {
        fs::file_time_type used;
        std::uint64_t size;
        fs::path path;
    };
    std::vector<Kept> files;
    std::uint64_t total = 0;
    std::error_code unknown;
    for (const fs::directory_entry& each : fs::directory_iterator(folder, unknown)) {
        if (const std::uint64_t size = each.file_size(unknown); !unknown) {
            files.push_back({.used = each.last_write_time(unknown), .size = size, .path = each.path()});
            total += size;
        }
    }
    std::ranges::sort(files, {}, &Kept::used);
    for (const Kept& each : files) {
        if (total <= bytes) {
            return;
        }
        // Processes that have the file open keep it.
        fs::remove(each.path, unknown);
        total -= each.size;
    }
}

}  // namespace et::agent
