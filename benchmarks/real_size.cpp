// Prints time and peak memory of commands on models of real size. Does not use Google Benchmark.
//
// The peak is that of the resident set (VmHWM), which includes pages of mapped files that were read.
// Anonymous memory, which the system cannot drop, is sampled every millisecond.
#include "app/samples/llama.h"
#include "app/samples/net_program.h"
#include "app/samples/net_record.h"
#include "benchmarks/support/vision_transformer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): unistd.h has it only as an extension

namespace {

namespace fs = std::filesystem;
using et::samples::SampleFile;

using Words = std::vector<std::string>;

struct Run {
    double seconds = 0;
    double megabytes = 0;
    double anonymousMegabytes = 0;
    int status = -1;
};

/// A command and the limit of its peak memory, in addition to what does not grow with a model.
struct Command {
    Words words;
    double programs = 0;  ///< multiples of the program; 0: no limit
    double arenas = 0;    ///< multiples of its planned memory
};

constexpr double fixedMegabytes = 48;

/// A model and its record.
struct ModelFiles {
    std::string program;
    std::string record;
};

constexpr std::string_view help =
    R"(usage: real_size FOLDER [LAYERS | --series | MODEL.pte MODEL.etrecord]

Prints time and peak memory of et-inspect's commands, on models of real size that are written to FOLDER.
Exit code 1: a command failed or exceeded its limit.

real_size FOLDER [LAYERS]
    Three models with random weights and their ETRecords: a Llama (default: 8 layers, 80 million parameters),
    the same with 4-bit weights and 8-bit activations in its linear layers, and ViT-B/16 with 12 layers. For
    the Llamas also the time of loading, of the first token and of each decode step.
real_size FOLDER MODEL.pte MODEL.etrecord
    These files.
real_size FOLDER --series
    Time of replan and lower on Llamas with small weights and 6, 12, ... 192 layers of about 32 instructions.
)";

/// Anonymous memory of a process in MiB; 0 if unknown.
double anonymousMegabytes(pid_t process) {
    std::ifstream status(fmt::format("/proc/{}/status", process));
    constexpr std::string_view key = "RssAnon:";
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(key)) {
            return std::strtod(line.c_str() + key.size(), nullptr) / 1024;
        }
    }
    return 0;
}

Run measure(Words words, const fs::path& log) {
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
        while (wait4(process, &run.status, WNOHANG, &used) == 0) {
            run.anonymousMegabytes = std::max(run.anonymousMegabytes, anonymousMegabytes(process));
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        run.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
    }
    posix_spawn_file_actions_destroy(&actions);
    return run;
}

/// Writes a model in another process: the peak memory of a process includes that of its parent before exec.
bool writeModel(const fs::path& folder,
                const std::function<et::core::Result<std::vector<SampleFile>>()>& make) {
    const pid_t process = ::fork();
    if (process == 0) {
        const auto files = make();
        bool good = files.has_value();
        for (const auto& file : good ? *files : std::vector<SampleFile>()) {
            std::ofstream stream(folder / file.name, std::ios::binary);
            stream.write(reinterpret_cast<const char*>(file.bytes.data()),
                         static_cast<std::streamsize>(file.bytes.size()));
            good = good && stream.flush();
        }
        std::_Exit(good ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status = -1;
    const bool isWritten = process > 0 && waitpid(process, &status, 0) == process && status == 0;
    if (!isWritten) {
        fmt::print(stderr, "{}: the model cannot be written\n", folder.string());
    }
    return isWritten;
}

et::core::Result<std::vector<SampleFile>> visionTransformer() {
    const et::samples::Net net = et::benchmarks::makeVisionTransformer();
    ET_ASSIGN(auto program, et::samples::makeProgram(net));
    ET_ASSIGN(auto record, et::samples::makeRecord(net));
    std::vector<SampleFile> files;
    files.push_back({.name = "vit.pte", .bytes = std::move(program)});
    files.push_back({.name = "vit.etrecord", .bytes = std::move(record)});
    return files;
}

/// Prints the row of a command; false if it failed or exceeded its limit in MiB (0: none).
bool printRow(const std::string& name, const Words& command, double size, const fs::path& folder,
              double limit = 0) {
    const Run run = measure(command, folder / "log.txt");
    const int code = WEXITSTATUS(run.status);
    // 1: a finding, such as a bundle that differs.
    const bool good = WIFEXITED(run.status) && code <= 1;
    const bool exceeds = limit > 0 && run.megabytes > limit;
    fmt::print("{:<18} {:8.2f} s {:7.0f} MiB {:6.2f} times the program, {:6.2f} anonymous{}{}\n", name,
               run.seconds, run.megabytes, run.megabytes / size, run.anonymousMegabytes / size,
               limit > 0 ? fmt::format(", limit {:.0f} MiB{}", limit, exceeds ? " EXCEEDED" : "") : "",
               good ? "" : fmt::format(", status {}", run.status));
    (void)std::fflush(stdout);
    return good && !exceeds;
}

/// Planned memory of a program's methods in MiB, as printed by `info`.
double plannedMegabytes(const std::string& program, const fs::path& folder) {
    const fs::path log = folder / "log.txt";
    measure({"info", program}, log);
    constexpr std::string_view key = "planned bytes:";
    double bytes = 0;
    std::ifstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        if (const std::size_t at = line.find(key); at != std::string::npos) {
            bytes += std::strtod(line.c_str() + at + key.size(), nullptr);
        }
    }
    return bytes / (1 << 20);
}

/// Name of a command without files: "lower record".
std::string nameOf(const Command& command, const std::string& record) {
    Words words;
    for (const std::string& word : command.words) {
        if (command.words[0] != "session" && word.ends_with(".etsession")) {
            words.emplace_back("session");
        } else if (!word.starts_with('/') && word != "-o" && word != "--etrecord") {
            words.push_back(word);
        }
    }
    const bool readsRecord = command.words[0] == "lower" && command.words[1] == record;
    return fmt::format("{}{}", fmt::join(words, " "), readsRecord ? " record" : "");
}

bool measureAll(const fs::path& folder, const ModelFiles& model) {
    const auto out = [&](std::string_view name) { return (folder / name).string(); };
    const std::string& program = model.program;
    const std::string& record = model.record;
    const std::vector<Command> commands{
        {{"info", program}},
        {{"size", program}},
        {{"size", program, "--by", "module", "--etrecord", record}},
        {{"delegates", program, "--etrecord", record}},
        {{"findings", program, record}},
        {{"fit", program}},
        {{"replan", program, "-o", out("replanned.pte")}},
        {{"replan", program, "--externalize", out("weights.ptd"), "-o", out("externalized.pte")}},
        {{"lower", record, "--dry-run"}, 2},
        {{"lower", record, "-o", out("lowered.pte")}, 2},
        {{"lower", program, "-o", out("lowered2.pte")}, 2},
        {{"bundle", program, "--from-run", "--input", "ones", "-o", out("bundled.bpte")}, 1.2},
        {{"verify", out("bundled.bpte")}},
        {{"session", "save", program, record, "-o", out("saved.etsession"), "--force"}, 1.2},
        {{"info", out("saved.etsession")}},
        {{"findings", out("saved.etsession")}},
        {{"size", out("saved.etsession")}},
        {{"run", program}},
        {{"gap", program, record, "--input", "random"}, 1.5, 2},
        {{"gap", program, record, "--input", "random", "--bisect"}, 1.5, 2},
    };
    const double size = static_cast<double>(fs::file_size(program)) / (1 << 20);
    const double planned = plannedMegabytes(program, folder);
    fmt::print("{}: {:.0f} MiB, {:.0f} MiB planned, {}: {:.0f} MiB\n", program, size, planned, record,
               static_cast<double>(fs::file_size(record)) / (1 << 20));
    bool good = true;
    for (const Command& command : commands) {
        const double limit = (command.programs * size) + (command.arenas * planned) + fixedMegabytes;
        good = printRow(nameOf(command, record), command.words, size, folder,
                        command.programs > 0 ? limit : 0) &&
               good;
    }
    return good;
}

/// Prints the times of generating a short text; false on failure.
bool measureText(const fs::path& folder, const ModelFiles& model) {
    const Words command{"generate", model.program, "--tokenizer",  (folder / "llama_tokenizer.bin").string(),
                        "--prompt", "the model",   "--max-tokens", "16"};
    const double size = static_cast<double>(fs::file_size(model.program)) / (1 << 20);
    const bool good = printRow("generate", command, size, folder);
    std::ifstream log(folder / "log.txt");
    for (std::string line; std::getline(log, line);) {
        if (line.starts_with("load ") || line.starts_with("prefill:") || line.starts_with("decode:")) {
            fmt::print("    {}\n", line);
        }
    }
    return good;
}

/// A size of a Llama with 80 million parameters in 8 layers.
et::samples::LlamaShape llamaShape(std::int64_t layers) {
    return {.dim = 768, .heads = 12, .hidden = 2048, .layers = layers, .context = 2048, .vocabulary = 16'000};
}

bool measureModels(const fs::path& folder, std::int64_t layers) {
    const auto files = [&](std::string_view name) {
        return ModelFiles{.program = (folder / fmt::format("{}.pte", name)).string(),
                          .record = (folder / fmt::format("{}.etrecord", name)).string()};
    };
    const ModelFiles llama = files("llama");
    const ModelFiles quantized = files("llama_8da4w");
    const ModelFiles vision = files("vit");
    if (!writeModel(folder, [&] { return et::samples::makeLlama(llamaShape(layers)); }) ||
        !writeModel(folder, visionTransformer)) {
        return false;
    }
    const bool isQuantized = printRow("quantize",
                                      {"quantize", llama.record, "--scheme", "w4a8-dynamic:32", "-o",
                                       quantized.program, "--etrecord-out", quantized.record},
                                      static_cast<double>(fs::file_size(llama.program)) / (1 << 20), folder);
    bool good = measureAll(folder, llama) && isQuantized;
    good = measureText(folder, llama) && good;
    good = isQuantized && measureAll(folder, quantized) && good;
    good = isQuantized && measureText(folder, quantized) && good;
    return measureAll(folder, vision) && good;
}

/// Time should grow by little more than the number of instructions.
bool measureSeries(const fs::path& folder) {
    bool good = true;
    for (std::int64_t layers = 6; layers <= 192; layers *= 2) {
        const auto make = [&] {
            return et::samples::makeLlama({.dim = 32, .heads = 2, .hidden = 64, .layers = layers});
        };
        if (!writeModel(folder, make)) {
            return false;
        }
        const std::string program = (folder / "llama.pte").string();
        const Words replan{"replan", program, "-o", (folder / "replanned.pte").string()};
        const Words lower{"lower", (folder / "llama.etrecord").string(), "-o",
                          (folder / "lowered.pte").string()};
        const double size = static_cast<double>(fs::file_size(program)) / (1 << 20);
        good = printRow(fmt::format("replan, {} layers", layers), replan, size, folder) && good;
        good = printRow(fmt::format("lower, {} layers", layers), lower, size, folder) && good;
    }
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || std::string_view(argv[1]) == "--help") {
        fmt::print("{}", help);
        return argc < 2 ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    const fs::path folder = fs::absolute(argv[1]);
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    const std::string_view what = argc > 2 ? argv[2] : "8";
    if (argc > 3) {
        const ModelFiles given{.program = fs::absolute(argv[2]).string(),
                               .record = fs::absolute(argv[3]).string()};
        return measureAll(folder, given) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (what == "--series") {
        return measureSeries(folder) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    std::int64_t layers = 0;
    std::from_chars(what.data(), what.data() + what.size(), layers);
    return measureModels(folder, std::max<std::int64_t>(layers, 1)) ? EXIT_SUCCESS : EXIT_FAILURE;
}
