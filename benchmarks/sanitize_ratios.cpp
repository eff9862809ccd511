// Time and memory of `et-inspect run --sanitize` relative to `run`, as the best of several processes in
// alternation. The exit code is 1 if a limit is exceeded.
//
//     sanitize_ratios [PROGRAM]...
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr double maxTimeRatio = 3;
constexpr double maxMemoryRatio = 4;
constexpr double freeMegabytes = 64;
constexpr int rounds = 5;

struct Cost {
    double seconds = 1e9;  ///< of processors
    double megabytes = 1e9;
};

double secondsOf(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// False if the process did not end with 0.
bool measure(std::vector<std::string> words, Cost& best) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    std::vector<char*> arguments;
    std::ranges::transform(words, std::back_inserter(arguments),
                           [](std::string& word) { return word.data(); });
    arguments.push_back(nullptr);
    pid_t process = 0;
    int status = -1;
    rusage used{};
    if (posix_spawn(&process, arguments.front(), &actions, nullptr, arguments.data(), environ) == 0) {
        wait4(process, &status, 0, &used);
    }
    posix_spawn_file_actions_destroy(&actions);
    best.seconds = std::min(best.seconds, secondsOf(used.ru_utime) + secondsOf(used.ru_stime));
    best.megabytes = std::min(best.megabytes, static_cast<double>(used.ru_maxrss) / 1024);
    return status == 0;
}

/// False if it does not run or exceeds a limit.
bool compare(const fs::path& program, int iterations) {
    Cost plain;
    Cost checked;
    std::vector<std::string> words{ET_INSPECT_PROGRAM, "run", program.string(),
                                   fmt::format("--iterations={}", iterations)};
    for (int i = 0; i < rounds; ++i) {
        std::vector<std::string> more = words;
        more.emplace_back("--sanitize");
        if (!measure(words, plain) || !measure(more, checked)) {
            fmt::print(stderr, "{}: cannot be run without errors\n", program.string());
            return false;
        }
    }
    const double time = checked.seconds / plain.seconds;
    const double memory = checked.megabytes / plain.megabytes;
    const bool isWithin =
        time <= maxTimeRatio && checked.megabytes <= maxMemoryRatio * plain.megabytes + freeMegabytes;
    fmt::print(
        "{:<40} {:3} executions  time {:5.2f} ({:4.0f} and {:4.0f} ms)  memory {:5.2f} ({:4.0f} and {:4.0f} "
        "MB){}\n",
        (program.parent_path().filename() / program.filename()).string(), iterations, time,
        plain.seconds * 1e3, checked.seconds * 1e3, memory, plain.megabytes, checked.megabytes,
        isWithin ? "" : "  over the limit");
    return isWithin;
}

}  // namespace

int main(int count, char** arguments) {
    std::vector<fs::path> programs(arguments + 1, arguments + count);
    if (programs.empty()) {
        for (const char* const each : {"mobilenet_v2_small/portable.bpte", "mobilenet_v2_small/xnnpack.bpte",
                                       "mobilenet_v2_small/xnnpack_q8.bpte", "bert_tiny/xnnpack.bpte"}) {
            programs.push_back(fs::path(ET_REAL_PROGRAMS) / each);
        }
    }
    bool isGood = true;
    for (const fs::path& program : programs) {
        for (const int iterations : {1, 10, 50}) {
            isGood = compare(program, iterations) && isGood;
        }
    }
    return isGood ? EXIT_SUCCESS : EXIT_FAILURE;
}
