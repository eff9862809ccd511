// Tests the peak memory of commands that write files with weights or run a model, relative to the size of the
// program. The peak is that of the resident set, which includes pages of mapped files.
#include "app/samples/llama.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

extern char** environ;  // NOLINT(readability-redundant-declaration): unistd.h has it only as an extension

namespace et::cli {
namespace {

namespace fs = std::filesystem;

/// et-inspect itself, and what does not grow with the weights.
constexpr double fixedMiB = 48;

struct Command {
    const char* words;  ///< "$P" and "$R" are the program and its record
    double times;       ///< limit, as a multiple of the program
};

constexpr Command commands[] = {
    {.words = "bundle $P -o out.bpte", .times = 1.2},
    {.words = "session save $P $R -o out.etsession", .times = 1.2},
    {.words = "findings out.etsession", .times = 2.4},  // program and record
    {.words = "run out.etsession", .times = 1.2},
    {.words = "lower $R -o out.pte", .times = 1.5},
    {.words = "lower $R -o out.pte --etrecord-out out.etrecord", .times = 1.5},
    {.words = "lower $R --dry-run", .times = 1.5},
    {.words = "lower $P -o out.pte", .times = 1.5},
    {.words = "lower $R -o out.pte --backend none", .times = 1.2},
    {.words = "quantize $R --scheme w4a8-dynamic:32 -o out.pte --etrecord-out out.etrecord", .times = 1.5},
    {.words = "quantize $R --scheme w8 -o out.pte", .times = 2},  // delegates compute with float weights
    {.words = "quantize $R --scheme fp16 -o out.pte", .times = 1.5},
    {.words = "replan $P -o out.pte", .times = 1.2},
    {.words = "run $P", .times = 1.2},
    {.words = "gap $P $R --input random --bisect", .times = 1.5},
    {.words = "replan $P --externalize out.ptd -o out.pte --no-check --algorithm none", .times = 1.2},
};

/// Writes the sample in another process: the peak of a process includes that of its parent before exec.
bool writeSample(const fs::path& folder) {
    const pid_t process = ::fork();
    if (process == 0) {
        const auto files = samples::makeLlama(
            {.dim = 512, .heads = 8, .hidden = 1408, .layers = 4, .context = 64, .vocabulary = 8000});
        for (const samples::SampleFile& file : files.value()) {
            std::ofstream(folder / file.name, std::ios::binary)
                .write(reinterpret_cast<const char*>(file.bytes.data()),
                       static_cast<std::streamsize>(file.bytes.size()));
        }
        std::_Exit(EXIT_SUCCESS);
    }
    int status = -1;
    return process > 0 && waitpid(process, &status, 0) == process && status == 0;
}

/// Runs a shell that becomes et-inspect, in a folder. Returns its peak in MiB; nothing if it fails.
std::optional<double> peakOf(const fs::path& folder, const char* words) {
    std::string shell = "sh";
    std::string option = "-c";
    std::string script =
        fmt::format("cd '{}' && P=llama.pte && R=llama.etrecord && exec '{}' {} >log.txt 2>&1",
                    folder.string(), ET_INSPECT_PROGRAM, words);
    char* const arguments[] = {shell.data(), option.data(), script.data(), nullptr};
    pid_t process = 0;
    int status = -1;
    rusage used{};
    if (posix_spawn(&process, "/bin/sh", nullptr, nullptr, arguments, environ) != 0 ||
        wait4(process, &status, 0, &used) != process || status != 0) {
        return std::nullopt;
    }
    return static_cast<double>(used.ru_maxrss) / 1024;
}

TEST(PeakMemory, IsAMultipleOfTheProgram) {
    const test::ScratchFolder folder;
    ASSERT_TRUE(writeSample(folder.path()));
    const double program = static_cast<double>(fs::file_size(folder.path() / "llama.pte")) / (1 << 20);
    for (const Command& command : commands) {
        SCOPED_TRACE(command.words);
        const auto peak = peakOf(folder.path(), command.words);
        ASSERT_TRUE(peak) << std::ifstream(folder.path() / "log.txt").rdbuf();
        EXPECT_LT(*peak, (command.times * program) + fixedMiB) << program << " MiB of program";
    }
}

}  // namespace
}  // namespace et::cli
