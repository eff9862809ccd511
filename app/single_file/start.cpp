// Start of a single file: runs a program that the file carries, with the carried dynamic loader and
// libraries, from memory. The host needs no library, no writable folder and no /proc. See README.md.

#include "app/single_file/hook_data.h"
#include "runtime/core/single_file.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

using et::core::CarriedFile;
using et::core::SingleFileTrailer;
using et::single_file::folder;
using et::single_file::HookData;

constexpr int exitUnreadable = 3;  // as et::tasks::ExitCode::Unreadable

[[noreturn]] void fail(const std::string& file, const std::string& reason) {
    std::fprintf(stderr, "%s: %s\n", file.c_str(), reason.c_str());
    std::exit(exitUnreadable);
}

[[noreturn]] void failSystem(const std::string& file, const std::string& action) {
    fail(file, action + ": " + std::strerror(errno));
}

/// Path of this file, for starting it again.
std::string ownPath() {
    char path[PATH_MAX];
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
    if (length > 0) {
        return {path, static_cast<std::size_t>(length)};
    }
    // Without /proc: as given to exec.
    const auto* const given = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    std::string own = given == nullptr ? "" : given;
    if (!own.empty() && own[0] != '/' && ::getcwd(path, sizeof path) != nullptr) {
        own = std::string(path) + "/" + own;
    }
    return own;
}

/// The single file, mapped.
class Archive {
  public:
    explicit Archive(std::string file) : path(std::move(file)), descriptor(::open(path.c_str(), O_RDONLY)) {
        struct stat info{};
        if (descriptor < 0 || ::fstat(descriptor, &info) != 0) {
            failSystem(path, "cannot be opened to read the files that it carries");
        }
        size = static_cast<std::uint64_t>(info.st_size);
        void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (mapped == MAP_FAILED) {
            failSystem(path, "cannot be mapped");
        }
        bytes = static_cast<const unsigned char*>(mapped);
        readTable();
    }

    [[nodiscard]] const std::vector<CarriedFile>& files() const { return table; }
    [[nodiscard]] const CarriedFile* find(std::string_view name) const {
        for (const CarriedFile& file : table) {
            if (file.name == name) {
                return &file;
            }
        }
        return nullptr;
    }

    /// The dynamic loader as an executable file in memory, with the places of the carried files.
    [[nodiscard]] int loader() const {
        const CarriedFile& file = table.front();
        checkSum("the dynamic loader", file.offset, file.size, file.sum);
        int made = static_cast<int>(::syscall(SYS_memfd_create, "ld.so", 0x10U));  // MFD_EXEC
        if (made < 0) {
            made = static_cast<int>(::syscall(SYS_memfd_create, "ld.so", 0U));
        }
        HookData data{};
        std::memcpy(&data, bytes + file.offset + trailer.hook, sizeof data);
        data.archive = static_cast<std::uint32_t>(descriptor);
        data.loader = static_cast<std::uint64_t>(made);
        data.table = trailer.table;
        data.count = trailer.count;
        if (made < 0 || !writeAll(made, bytes + file.offset, file.size, 0) ||
            !writeAll(made, reinterpret_cast<const unsigned char*>(&data), sizeof data, trailer.hook)) {
            failSystem(path, "the dynamic loader cannot be written to memory");
        }
        return made;
    }

    const std::string path;

  private:
    static bool writeAll(int to, const unsigned char* from, std::uint64_t count, std::uint64_t at) {
        while (count > 0) {
            const ssize_t wrote = ::pwrite(to, from, count, static_cast<off_t>(at));
            if (wrote <= 0) {
                return false;
            }
            from += wrote;
            at += static_cast<std::uint64_t>(wrote);
            count -= static_cast<std::uint64_t>(wrote);
        }
        return true;
    }

    void checkSum(const char* what, std::uint64_t offset, std::uint64_t length,
                  std::uint64_t expected) const {
        if (!et::core::isWhole(bytes, size, offset, length, expected)) {
            failDamaged(std::string("the checksum of ") + what + " is not the expected one", offset);
        }
    }

    [[noreturn]] void failDamaged(const std::string& what, std::uint64_t offset) const {
        fail(path, "this file is damaged at offset " + std::to_string(offset) + " of " +
                       std::to_string(size) + ": " + what + "; download it again");
    }

    void readTable() {
        const et::core::CarriedTable read = et::core::readCarriedTable(bytes, size);
        if (read.damage != nullptr) {
            failDamaged(read.damage, read.damageOffset);
        }
        trailer = read.trailer;
        checkSum("the starter", 0, trailer.starterSize, trailer.starterSum);
        table.assign(read.files, read.files + trailer.count);
    }

    int descriptor;
    std::uint64_t size = 0;
    const unsigned char* bytes = nullptr;
    SingleFileTrailer trailer{};
    std::vector<CarriedFile> table;
};

std::string_view baseName(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

/// Programs are the carried files that follow the loader and have no suffix.
const CarriedFile& chooseProgram(const Archive& archive, const char* calledAs) {
    const CarriedFile* const named = archive.find(baseName(calledAs == nullptr ? "" : calledAs));
    const bool isProgram =
        named != nullptr && named != archive.files().data() && std::strchr(named->name, '.') == nullptr;
    return isProgram ? *named : archive.files()[1];
}

void start(const Archive& archive, char** arguments) {
    const CarriedFile& program = chooseProgram(archive, arguments[0]);
    std::string carried = folder;
    carried.pop_back();
    std::vector<std::string> words{program.name,     "--inhibit-cache",
                                   "--library-path", carried,
                                   "--argv0",        arguments[0] == nullptr ? program.name : arguments[0]};
    if (::access("/proc/cpuinfo", R_OK) != 0) {
        words.insert(words.end(), {"--preload", std::string(folder) + "no_proc.so"});
    }
    words.push_back(std::string(folder) + program.name);
    std::vector<char*> argv;
    for (std::string& each : words) {
        argv.push_back(each.data());
    }
    for (char** each = arguments[0] == nullptr ? arguments : arguments + 1; *each != nullptr; ++each) {
        argv.push_back(*each);
    }
    argv.push_back(nullptr);
    // Started by these names again.
    ::setenv("ET_INSPECT_LAUNCHER", archive.path.c_str(), 1);
    ::setenv("ET_INSPECT_LAYOUT", archive.path.c_str(), 1);
    ::setenv("ET_INSPECT_SINGLE_FILE", archive.path.c_str(), 1);
    // The host's libraries belong to the host's loader.
    ::unsetenv("LD_PRELOAD");
    ::syscall(SYS_execveat, archive.loader(), "", argv.data(), environ, AT_EMPTY_PATH);
    failSystem(archive.path, "cannot start from memory");
}

}  // namespace

int main(int, char** arguments) {
    start(Archive(ownPath()), arguments);
}
