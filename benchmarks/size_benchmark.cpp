// Benchmark of `et-inspect size` on generated tensor data files of 5 GB: time, memory, and whether it finds
// the planted duplicates. Does not use Google Benchmark. Goal: 10 seconds and 200 MB. One file is sparse; in
// the other every tensor occurs twice, so that all of it has to be read. Each is measured with a cold page
// cache, compared with a program that only reads the file, and with as much of it cached as fits. The files
// are created in the given folder, or in the system's temporary folder.
#include <fcntl.h>
#include <flatbuffers/flatbuffer_builder.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): unistd.h has it only as an extension

namespace {

namespace fs = std::filesystem;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

constexpr std::uint64_t tensorBytes = std::uint64_t{16} << 20U;
constexpr std::size_t tensors = 300;
constexpr std::size_t copies = 10;  ///< tensor i + copies is tensor i
constexpr std::size_t dense = 30;   ///< tensors of random bytes
constexpr std::size_t headBytes = 65536;

struct Table {
    std::uint32_t unused;
};

/// Offset of a table's field from its number in the schema.
flatbuffers::voffset_t field(std::uint16_t number) {
    return static_cast<flatbuffers::voffset_t>(4 + 2 * number);
}

/// The tables of a tensor data file with consecutive segments.
std::vector<std::uint8_t> writeTables() {
    FlatBufferBuilder builder;
    std::vector<Offset<Table>> segments;
    std::vector<Offset<Table>> entries;
    for (std::size_t i = 0; i < tensors; ++i) {
        const auto segment = builder.StartTable();
        builder.AddElement<std::uint64_t>(field(0), i * tensorBytes, 0);
        builder.AddElement<std::uint64_t>(field(1), tensorBytes, 0);
        segments.emplace_back(builder.EndTable(segment));
        const auto key = builder.CreateString(fmt::format("layers.{}.weight", i));
        const auto entry = builder.StartTable();
        builder.AddOffset(field(0), key);
        builder.AddElement<std::uint32_t>(field(1), static_cast<std::uint32_t>(i), 0);
        entries.emplace_back(builder.EndTable(entry));
    }
    const auto segmentList = builder.CreateVector(segments);
    const auto entryList = builder.CreateVector(entries);
    const auto root = builder.StartTable();
    builder.AddOffset(field(1), segmentList);
    builder.AddOffset(field(2), entryList);
    builder.Finish(Offset<Table>(builder.EndTable(root)), "FT01");
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

template <class T>
void put(std::vector<std::uint8_t>& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// The file's start: root offset, identifier, header, tables, and zeros up to the first segment.
std::vector<std::uint8_t> writeHead() {
    constexpr std::uint32_t headerBytes = 40;
    std::vector<std::uint8_t> bytes = writeTables();
    const std::uint64_t tableBytes = bytes.size();
    std::uint32_t root = 0;
    std::memcpy(&root, bytes.data(), sizeof root);
    bytes.insert(bytes.begin() + 8, headerBytes, 0);
    put(bytes, 0, root + headerBytes);
    std::memcpy(bytes.data() + 8, "FH01", 4);
    put(bytes, 12, headerBytes);
    put(bytes, 16, std::uint64_t{8 + headerBytes});
    put(bytes, 24, tableBytes);
    bytes.resize(headBytes);
    put(bytes, 32, std::uint64_t{headBytes});
    put(bytes, 40, tensors * tensorBytes);
    return bytes;
}

enum class Filling : std::uint8_t {
    Sparse,  ///< random tensors with copies, then zero tensors; every other one has one nonzero number in the
             ///< middle
    Pairs,   ///< random tensors, each of them twice
};

/// Seed of a tensor's random bytes; empty if the tensor is not random.
std::optional<std::size_t> seedOf(std::size_t tensor, Filling filling) {
    if (filling == Filling::Pairs) {
        return tensor % (tensors / 2);
    }
    return tensor >= dense       ? std::nullopt
           : tensor < 2 * copies ? std::optional(tensor % copies)
                                 : std::optional(tensor);
}

std::size_t groupsOf(Filling filling) {
    return filling == Filling::Pairs ? tensors / 2 : copies;
}

bool writeFile(const fs::path& path, Filling filling) {
    std::ofstream file(path, std::ios::binary);
    const auto write = [&](std::uint64_t at, const void* bytes, std::size_t size) {
        file.seekp(static_cast<std::streamoff>(at));
        file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    };
    const std::vector<std::uint8_t> head = writeHead();
    write(0, head.data(), head.size());
    std::vector<std::uint64_t> noise(tensorBytes / sizeof(std::uint64_t));
    for (std::size_t i = 0; i < tensors; ++i) {
        const std::uint64_t at = headBytes + i * tensorBytes;
        if (const auto seed = seedOf(i, filling)) {
            std::mt19937_64 random(*seed);
            for (std::uint64_t& each : noise) {
                each = random();
            }
            write(at, noise.data(), tensorBytes);
        } else if (i % 2 == 0) {
            write(at + tensorBytes / 2, &i, sizeof i);
        }
    }
    file.close();
    std::error_code error;
    fs::resize_file(path, headBytes + tensors * tensorBytes, error);
    return file.good() && !error;
}

/// Flushes a file to disk and drops it from the page cache.
void forget(const fs::path& path) {
    if (const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC); file >= 0) {
        (void)::fsync(file);
        (void)::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        (void)::close(file);
    }
}

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds to read a file sequentially, as `dd bs=4M` does.
double secondsToRead(const fs::path& path) {
    const auto start = std::chrono::steady_clock::now();
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::vector<char> buffer(std::size_t{4} << 20U);
    while (file >= 0 && ::read(file, buffer.data(), buffer.size()) > 0) {
    }
    if (file >= 0) {
        (void)::close(file);
    }
    return secondsSince(start);
}

struct Run {
    double seconds = 0;
    double processorSeconds = 0;
    double megabytes = 0;
    int status = -1;
};

/// Runs `et-inspect size FILE --format json` with its output written to `out`.
Run measure(const fs::path& file, const fs::path& out) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    std::string program = ET_INSPECT_PROGRAM;
    std::string path = file.string();
    std::string command = "size";
    std::string format = "--format=json";
    std::array<char*, 5> arguments{program.data(), command.data(), path.data(), format.data(), nullptr};
    Run run;
    pid_t process = 0;
    const auto start = std::chrono::steady_clock::now();
    if (posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), environ) == 0) {
        rusage used{};
        wait4(process, &run.status, 0, &used);
        run.seconds = secondsSince(start);
        const auto inSeconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
        };
        run.processorSeconds = inSeconds(used.ru_utime) + inSeconds(used.ru_stime);
        run.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
    }
    posix_spawn_file_actions_destroy(&actions);
    return run;
}

std::size_t countOf(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

/// Returns whether all measurements of a file succeeded and found the planted duplicates.
bool measureAll(const fs::path& folder, Filling filling) {
    const fs::path file = folder / fmt::format("et_size_{}.ptd", ::getpid());
    const fs::path out = folder / fmt::format("et_size_{}.json", ::getpid());
    bool good = writeFile(file, filling);
    if (good) {
        forget(file);
        fmt::print("{}, {:.2f} GB; reading it alone from the disk takes {:.1f} s\n",
                   filling == Filling::Sparse ? "sparse" : "pairs",
                   static_cast<double>(fs::file_size(file)) / 1e9, secondsToRead(file));
    }
    for (const bool isCold : {true, true, false, false}) {
        if (good && isCold) {
            forget(file);
        }
        const Run run = good ? measure(file, out) : Run{};
        std::ifstream result(out);
        const std::string text{std::istreambuf_iterator<char>(result), {}};
        const std::size_t groups = countOf(text, "\"wasted\"");
        fmt::print(
            "  {}: {:.1f} s ({:.1f} s of processors), {:.0f} MB, {} groups of duplicates of {}, status {}\n",
            isCold ? "from the disk" : "from memory", run.seconds, run.processorSeconds, run.megabytes,
            groups, groupsOf(filling), run.status);
        good = good && run.status == 0 && groups >= groupsOf(filling);
    }
    std::error_code ignored;
    fs::remove(file, ignored);
    fs::remove(out, ignored);
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    const fs::path folder = argc > 1 ? fs::path(argv[1]) : fs::temp_directory_path();
    const bool sparse = measureAll(folder, Filling::Sparse);
    const bool pairs = measureAll(folder, Filling::Pairs);
    return sparse && pairs ? EXIT_SUCCESS : EXIT_FAILURE;
}
