// Packs the dynamic loader, the agent and its shared libraries, compressed, into one static executable,
// because Debian ships some of the libraries only as shared ones. Starts the agent from memory, so the device
// needs nothing installed and no files remain on it. Where a system does not allow execution from memory, the
// files are unpacked into a folder next to the executable.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

// The archive written by pack.py. Local labels would not do: relocations of arm64 name their section instead,
// and one entry of the global offset table would stand for both.
asm(".section .rodata\n"
    ".globl et_carried, et_carried_end\n"
    ".balign 16\n"
    "et_carried: .incbin \"" ET_CARRIED
    "\"\n"
    "et_carried_end:\n"
    ".previous\n");
extern "C" const unsigned char et_carried[];
extern "C" const unsigned char et_carried_end[];

namespace {

struct CarriedFile {
    std::string name;
    const unsigned char* data = nullptr;
    std::uint64_t size = 0;
};

int failed(const char* what) {
    std::fprintf(stderr, "et-agent: %s: %s\n", what, std::strerror(errno));
    return 1;
}

template <class T>
T take(const unsigned char*& at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
}

/// The files in order: the loader, the agent, its libraries. They refer to `memory`.
std::vector<CarriedFile> unpack(std::vector<unsigned char>& memory) {
    const unsigned char* at = et_carried;
    memory.resize(take<std::uint64_t>(at));
    std::vector<CarriedFile> files;
    const std::size_t size =
        ZSTD_decompress(memory.data(), memory.size(), at, static_cast<std::size_t>(et_carried_end - at));
    if (size != memory.size()) {
        return files;
    }
    at = memory.data();
    for (auto left = take<std::uint32_t>(at); left > 0; --left) {
        CarriedFile file;
        const auto length = take<std::uint32_t>(at);
        file.name.assign(reinterpret_cast<const char*>(at), length);
        at += length;
        file.size = take<std::uint64_t>(at);
        file.data = at;
        at += file.size;
        files.push_back(std::move(file));
    }
    return files;
}

bool writeAll(int descriptor, const CarriedFile& file) {
    for (std::uint64_t done = 0; done < file.size;) {
        const ssize_t wrote = ::write(descriptor, file.data + done, file.size - done);
        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        done += wrote > 0 ? static_cast<std::uint64_t>(wrote) : 0;
    }
    return true;
}

/// Replaces this process by the loader, which is given `options` and loads the agent at `program`.
void start(const std::string& loader, std::vector<std::string> options, const std::string& program,
           char** given) {
    std::vector<char*> argv;
    for (std::string& each : options) {
        argv.push_back(each.data());
    }
    std::string path = program;
    argv.push_back(path.data());
    for (char** each = given + 1; *each != nullptr; ++each) {
        argv.push_back(*each);
    }
    argv.push_back(nullptr);
    ::execv(loader.c_str(), argv.data());
}

bool startFromMemory(const std::vector<CarriedFile>& files, char** given) {
    std::vector<std::string> paths;
    std::string preloaded;
    for (const CarriedFile& file : files) {
        const int memory = ::memfd_create(file.name.c_str(), 0);
        if (memory < 0 || !writeAll(memory, file)) {
            return false;
        }
        paths.push_back("/proc/self/fd/" + std::to_string(memory));
        if (paths.size() > 2) {
            preloaded += (preloaded.empty() ? "" : ":") + paths.back();
        }
    }
    start(paths[0], {"et-agent", "--inhibit-cache", "--preload", preloaded}, paths[1], given);
    return false;
}

bool startFromFolder(const std::vector<CarriedFile>& files, char** given) {
    const std::string folder = std::string(given[0]) + ".files";
    if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) {
        return false;
    }
    for (const CarriedFile& file : files) {
        // Another process may be writing the same file.
        const std::string path = folder + "/" + file.name;
        const std::string part = path + "." + std::to_string(::getpid());
        const int opened = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
        if (opened < 0 || !writeAll(opened, file) || ::close(opened) != 0 ||
            ::rename(part.c_str(), path.c_str()) != 0) {
            return false;
        }
    }
    start(folder + "/" + files[0].name, {"et-agent", "--inhibit-cache", "--library-path", folder},
          folder + "/" + files[1].name, given);
    return false;
}

}  // namespace

int main(int, char** arguments) {
    std::vector<unsigned char> memory;
    const std::vector<CarriedFile> files = unpack(memory);
    if (files.size() < 2) {
        errno = EILSEQ;
        return failed("this file is damaged");
    }
    if (!startFromMemory(files, arguments)) {
        startFromFolder(files, arguments);
    }
    return failed("cannot start");
}
