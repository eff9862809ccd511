// Prints time and peak memory of commands on a model of real size. Does not use Google Benchmark.
//
// real_size FOLDER [LAYERS]: on a Llama with random weights and its ETRecord, written to FOLDER (default: 8
// layers, 80 million parameters). Its size is proportional to LAYERS: the series 4, 8, 16 shows how times and
// memory grow.
//
// real_size FOLDER MODEL.pte MODEL.etrecord: on these files.
#include "app/samples/llama.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): unistd.h has it only as an extension

namespace {

namespace fs = std::filesystem;

struct Run {
    double seconds = 0;
    double megabytes = 0;
    int status = -1;
};

Run measure(std::vector<std::string> words, const fs::path& log) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    words.insert(words.begin(), ET_INSPECT_PROGRAM);
    std::vector<char*> arguments;
    std::ranges::transform(words, std::back_inserter(arguments),
                           [](std::string& word) { return word.data(); });
    arguments.push_back(nullptr);
    Run run;
    pid_t process = 0;
    const auto start = std::chrono::steady_clock::now();
    if (posix_spawn(&process, arguments.front(), &actions, nullptr, arguments.data(), environ) == 0) {
        rusage used{};
        wait4(process, &run.status, 0, &used);
        run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        run.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
    }
    posix_spawn_file_actions_destroy(&actions);
    return run;
}

/// Writes the model in another process: the peak memory of a process includes that of its parent before exec.
bool writeLlama(const fs::path& folder, std::int64_t layers) {
    const pid_t process = ::fork();
    if (process == 0) {
        const auto files = et::samples::makeLlama({.dim = 768,
                                                   .heads = 12,
                                                   .hidden = 2048,
                                                   .layers = layers,
                                                   .context = 2048,
                                                   .vocabulary = 16'000});
        bool good = files.has_value();
        for (const auto& file : good ? *files : std::vector<et::samples::SampleFile>()) {
            std::ofstream stream(folder / file.name, std::ios::binary);
            stream.write(reinterpret_cast<const char*>(file.bytes.data()),
                         static_cast<std::streamsize>(file.bytes.size()));
            good = good && stream.flush();
        }
        std::_Exit(good ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status = -1;
    return process > 0 && waitpid(process, &status, 0) == process && status == 0;
}

void measureAll(const fs::path& folder, const std::string& program, const std::string& record) {
    const auto out = [&](std::string_view name) { return (folder / name).string(); };
    const std::vector<std::vector<std::string>> commands{
        {"info", program},
        {"size", program},
        {"size", program, "--by", "module", record},
        {"delegates", program, record},
        {"fit", program},
        {"replan", program, "-o", out("replanned.pte")},
        {"lower", record, "--dry-run"},
        {"lower", record, "-o", out("lowered.pte")},
        {"bundle", program, "-o", out("bundled.bpte")},
        {"session", "save", program, record, "-o", out("saved.etsession")},
        {"run", program},
        {"gap", program, record, "--bisect"},
    };
    const double size = static_cast<double>(fs::file_size(program)) / (1 << 20);
    fmt::print("{}: {:.0f} MiB, {}: {:.0f} MiB\n", program, size, record,
               static_cast<double>(fs::file_size(record)) / (1 << 20));
    for (std::vector<std::string> command : commands) {
        const std::string name =
            fmt::format("{} {}", command[0], command[1].starts_with('/') ? "" : command[1]);
        const Run run = measure(command, folder / "log.txt");
        fmt::print("{:<16} {:8.2f} s {:8.0f} MiB {:6.2f} times the program{}\n", name, run.seconds,
                   run.megabytes, run.megabytes / size,
                   run.status == 0 ? "" : fmt::format(", status {}", WEXITSTATUS(run.status)));
        (void)std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: real_size FOLDER [LAYERS | MODEL.pte MODEL.etrecord]\n");
        return EXIT_FAILURE;
    }
    const fs::path folder = fs::absolute(argv[1]);
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    if (argc > 3) {
        measureAll(folder, fs::absolute(argv[2]).string(), fs::absolute(argv[3]).string());
        return EXIT_SUCCESS;
    }
    constexpr std::int64_t usualLayers = 8;
    if (!writeLlama(folder, argc > 2 ? std::atoll(argv[2]) : usualLayers)) {
        fmt::print(stderr, "{}: the model cannot be written\n", folder.string());
        return EXIT_FAILURE;
    }
    measureAll(folder, (folder / "llama.pte").string(), (folder / "llama.etrecord").string());
    return EXIT_SUCCESS;
}
