// LD_PRELOAD library that makes one of a process's calls that change a folder fail, or terminates the process
// there, like a kill or a full disk. Calls are counted from 1 over the whole process, including SQLite's.
//
//   ET_FAIL_FOLDER  only files in this folder count
//   ET_FAIL_AT      the call; 0: none
//   ET_FAIL_HOW     "kill": the process ends before the call; "tear": in a write, after half of the bytes
//                   (not for four bytes at one offset, which the kernel copies at once);
//                   "full", "io": this call and all later ones fail with ENOSPC or EIO;
//                   "read-only": at any call, files open read-only, as on such a mount
//   ET_FAIL_COUNT   a file that receives the number of calls at the end
//   ET_CALL_LOG     a file that receives a line per write and fsync in the folder: "write PATH"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

enum class Answer { GoOn, Tear, Fail };

std::atomic<int> calls = 0;

std::string_view setting(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

bool isInFolder(std::string_view path) {
    const std::string_view folder = setting("ET_FAIL_FOLDER");
    return !folder.empty() && path.starts_with(folder);
}

/// Returns the path of an open file; empty if there is none.
std::string_view pathOf(int descriptor, std::array<char, 4096>& path) {
    std::array<char, 32> link{};
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
    const ssize_t size = ::readlink(link.data(), path.data(), path.size());
    return {path.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

bool isInFolder(int descriptor) {
    std::array<char, 4096> path{};
    return isInFolder(pathOf(descriptor, path));
}

void log(const char* call, int descriptor) {
    const char* const file = std::getenv("ET_CALL_LOG");
    if (file == nullptr) {
        return;
    }
    std::array<char, 4096> memory{};
    const std::string_view path = pathOf(descriptor, memory);
    if (std::FILE* const out = isInFolder(path) ? std::fopen(file, "a") : nullptr; out != nullptr) {
        std::fprintf(out, "%s %.*s\n", call, static_cast<int>(path.size()), path.data());
        std::fclose(out);
    }
}

bool isPathInFolder(const char* path) {
    std::array<char, 4096> folder{};
    return isInFolder(std::string_view(path)) ||
           (path[0] != '/' && ::getcwd(folder.data(), folder.size()) != nullptr && isInFolder(folder.data()));
}

Answer answer(bool canTear) {
    const char* const asked = std::getenv("ET_FAIL_AT");
    const int at = asked == nullptr ? 0 : std::atoi(asked);
    const int call = ++calls;
    const std::string_view how = setting("ET_FAIL_HOW");
    if (at == 0 || call < at) {
        return Answer::GoOn;
    }
    if (how == "full" || how == "io") {
        errno = how == "full" ? ENOSPC : EIO;
        return Answer::Fail;
    }
    if (how == "read-only") {
        errno = EROFS;
        return Answer::Fail;
    }
    if (how == "tear" && canTear) {
        return Answer::Tear;
    }
    ::raise(SIGKILL);
    return Answer::Fail;
}

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

struct Counter {
    Counter() = default;
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    ~Counter() {
        const char* const file = std::getenv("ET_FAIL_COUNT");
        if (std::FILE* const out = file == nullptr ? nullptr : std::fopen(file, "w"); out != nullptr) {
            std::fprintf(out, "%d", calls.load());
            std::fclose(out);
        }
    }
};
const Counter counter;

}  // namespace

#pragma GCC visibility push(default)
// NOLINTBEGIN: names and parameters of the C library
extern "C" {

int open64(const char* path, int flags, ...) {
    static auto* const call = real<int(const char*, int, ...)>("open64");
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    const bool isWriting = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0;
    if (isWriting && setting("ET_FAIL_HOW") == "read-only" && isPathInFolder(path)) {
        errno = EROFS;
        return -1;
    }
    return call(path, flags, mode);
}

int open(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open64(path, flags, mode);
}

int access(const char* path, int mode) {
    static auto* const call = real<int(const char*, int)>("access");
    if ((mode & W_OK) != 0 && setting("ET_FAIL_HOW") == "read-only" && isPathInFolder(path)) {
        errno = EROFS;
        return -1;
    }
    return call(path, mode);
}

ssize_t write(int fd, const void* bytes, size_t size) {
    static auto* const call = real<ssize_t(int, const void*, size_t)>("write");
    log("write", fd);
    switch (isInFolder(fd) ? answer(true) : Answer::GoOn) {
        case Answer::Tear:
            call(fd, bytes, size / 2);
            ::raise(SIGKILL);
            return -1;
        case Answer::Fail:
            return -1;
        case Answer::GoOn:
            break;
    }
    return call(fd, bytes, size);
}

ssize_t writev(int fd, const iovec* parts, int count) {
    static auto* const call = real<ssize_t(int, const iovec*, int)>("writev");
    return isInFolder(fd) && answer(false) != Answer::GoOn ? -1 : call(fd, parts, count);
}

ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) {
    static auto* const call = real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
    log("write", fd);
    switch (isInFolder(fd) ? answer(size > sizeof(int)) : Answer::GoOn) {
        case Answer::Tear:
            call(fd, bytes, size / 2, offset);
            ::raise(SIGKILL);
            return -1;
        case Answer::Fail:
            return -1;
        case Answer::GoOn:
            break;
    }
    return call(fd, bytes, size, offset);
}

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
    return pwrite64(fd, bytes, size, offset);
}

int fsync(int fd) {
    static auto* const call = real<int(int)>("fsync");
    log("fsync", fd);
    return isInFolder(fd) && answer(false) != Answer::GoOn ? -1 : call(fd);
}

int fdatasync(int fd) {
    static auto* const call = real<int(int)>("fdatasync");
    return isInFolder(fd) && answer(false) != Answer::GoOn ? -1 : call(fd);
}

int ftruncate64(int fd, off64_t size) {
    static auto* const call = real<int(int, off64_t)>("ftruncate64");
    return isInFolder(fd) && answer(false) != Answer::GoOn ? -1 : call(fd, size);
}

int ftruncate(int fd, off_t size) {
    return ftruncate64(fd, size);
}

int rename(const char* from, const char* to) {
    static auto* const call = real<int(const char*, const char*)>("rename");
    return isPathInFolder(to) && answer(false) != Answer::GoOn ? -1 : call(from, to);
}

int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) {
    static auto* const call = real<int(int, const char*, int, const char*, unsigned)>("renameat2");
    return isPathInFolder(to) && answer(false) != Answer::GoOn ? -1
                                                               : call(fromFolder, from, toFolder, to, flags);
}

int unlink(const char* path) {
    static auto* const call = real<int(const char*)>("unlink");
    return isPathInFolder(path) && answer(false) != Answer::GoOn ? -1 : call(path);
}

int mkdir(const char* path, mode_t mode) {
    static auto* const call = real<int(const char*, mode_t)>("mkdir");
    return isPathInFolder(path) && answer(false) != Answer::GoOn ? -1 : call(path, mode);
}
}
// NOLINTEND
#pragma GCC visibility pop
