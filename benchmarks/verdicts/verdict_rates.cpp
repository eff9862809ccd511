// Error rates of `et-inspect compare`: false alarms on a program compared with itself, and detection of
// changes of a known size; the rates of docs/explanation/verdicts.md. See --help.

#include "benchmarks/verdicts/background_load.h"
#include "benchmarks/verdicts/compared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace et::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* usage = R"(verdict_rates [OPTION…] [PROGRAM…]
Compares programs with themselves, one after the other and again, and counts verdicts.
  --comparisons N   how many (default: 200)
  --busy            beside processes that work and sleep in turns, one for each processor
  --slow PERCENT    B takes that much longer: a kernel of it (aten::mean.out) spins
  --threshold P     for et-inspect (default: 2)
  --seed N          of the busy neighbour (default: 1)
  --program FILE    et-inspect (default: of the same build)
  --plugin FILE     the one that spins (default: of the same build)
Without programs: real ones of ../shared/data.
)";

struct Settings {
    std::size_t comparisons = 200;
    bool busy = false;
    double slowPercent = 0;
    std::string threshold = "2";
    std::uint64_t seed = 1;
    fs::path program = ET_INSPECT_PROGRAM;
    fs::path plugin = ET_SPIN_PLUGIN;
    std::vector<fs::path> programs;

    [[nodiscard]] std::vector<std::string> withPlugin() const { return {"--plugin", plugin.string()}; }
};

std::vector<fs::path> usualPrograms(bool withMean) {
    std::vector<std::string> names{"quant/mbv2_025/q8.bpte",
                                   "quant/mbv2_025/float.bpte",
                                   "quant/encoder2/float.bpte",
                                   "quant/encoder2/q8.bpte",
                                   "programs2/dynbatch_cnn/portable.bpte",
                                   "programs/mobilenet_v2_small/portable.bpte",
                                   "programs/llama_demo/kv_portable.bpte",
                                   "programs/llama_demo/kv_xnnpack.bpte"};
    if (!withMean) {
        names.insert(names.end(), {"quant/resnet8/float.bpte", "programs2/ds_cnn/xnnpack_q8.bpte",
                                   "programs2/lstm2/portable.bpte", "programs/bert_tiny/xnnpack.bpte",
                                   "programs/mobilenet_v2/xnnpack_q8.bpte"});
    }
    std::vector<fs::path> found;
    for (const std::string& each : names) {
        const fs::path path = fs::path(ET_REAL_PROGRAMS) / each;
        std::error_code unknown;
        if (fs::exists(path, unknown)) {
            found.push_back(path);
        }
    }
    return found;
}

std::optional<Settings> settingsOf(std::span<char*> arguments) {
    Settings settings;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string_view each = arguments[i];
        const auto value = [&] { return i + 1 < arguments.size() ? arguments[++i] : ""; };
        if (each == "--comparisons") {
            settings.comparisons = std::strtoull(value(), nullptr, 10);
        } else if (each == "--busy") {
            settings.busy = true;
        } else if (each == "--slow") {
            settings.slowPercent = std::strtod(value(), nullptr);
        } else if (each == "--threshold") {
            settings.threshold = value();
        } else if (each == "--seed") {
            settings.seed = std::strtoull(value(), nullptr, 10);
        } else if (each == "--program") {
            settings.program = value();
        } else if (each == "--plugin") {
            settings.plugin = value();
        } else if (each.starts_with("-")) {
            return std::nullopt;
        } else {
            settings.programs.emplace_back(each);
        }
    }
    if (settings.programs.empty()) {
        settings.programs = usualPrograms(settings.slowPercent > 0);
    }
    return settings;
}

/// A program and the one it is compared with.
struct Subject {
    fs::path a;
    fs::path b;
    std::string loops = "0";  ///< of the plugin
};

/// A temporary folder, deleted with this object.
class Folder {
  public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "verdict_rates.XXXXXX").string();
        path = ::mkdtemp(name.data()) == nullptr ? fs::path() : fs::path(name);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    fs::path path;
};

/// Refines the loop count by a measurement near the target change.
Subject refined(const Settings& settings, Subject subject, double loops) {
    constexpr double larger = 5;  // measured more precisely than the change itself
    ::setenv("ET_SPIN_LOOPS", fmt::format("{:.0f}", larger * loops).c_str(), 1);
    const auto result = compare(settings.program, subject.a, subject.b, settings.withPlugin());
    if (result && result->ratio > 1) {
        loops *= larger * settings.slowPercent / 100 / (result->ratio - 1);
    }
    subject.loops = fmt::format("{:.0f}", loops);
    return subject;
}

/// Finds the number of loops that slows B by the target factor. Returns nothing if the program does not run
/// or does not use the kernel.
std::optional<Subject> slowed(const Settings& settings, const fs::path& program, const fs::path& folder) {
    constexpr double enough = 1.3;
    constexpr std::uint64_t mostLoops = std::uint64_t{1} << 32U;
    std::string name = program.parent_path().filename().string() + "_" + program.stem().string();
    Subject subject{.a = program, .b = folder / (name + ".slow.bpte")};
    std::error_code failed;
    fs::copy_file(program, subject.b, fs::copy_options::overwrite_existing, failed);
    for (std::uint64_t loops = 4096; !failed && loops < mostLoops; loops *= 4) {
        ::setenv("ET_SPIN_LOOPS", std::to_string(loops).c_str(), 1);
        const auto result = compare(settings.program, subject.a, subject.b, settings.withPlugin());
        if (!result) {
            return std::nullopt;
        }
        if (result->ratio > enough) {
            return refined(settings, std::move(subject),
                           settings.slowPercent / 100 / (result->ratio - 1) * static_cast<double>(loops));
        }
    }
    return std::nullopt;
}

struct Counts {
    std::size_t made = 0;
    std::size_t slower = 0;
    std::size_t faster = 0;
    std::size_t undecided = 0;
    std::size_t withOperators = 0;
    double seconds = 0;
    double longest = 0;

    void add(const Compared& compared) {
        ++made;
        slower += compared.verdict == "slower" ? 1 : 0;
        faster += compared.verdict == "faster" ? 1 : 0;
        undecided += compared.verdict == "undecided" ? 1 : 0;
        withOperators += compared.operators.empty() ? 0 : 1;
        seconds += compared.seconds;
        longest = std::max(longest, compared.seconds);
    }
};

void show(const Settings& settings, const Counts& counts) {
    fmt::print("| {} | {} | {} % | {} | {} | {} | {} | {} | {:.1f} s | {:.1f} s |\n",
               settings.slowPercent > 0 ? fmt::format("{:g} % slower", settings.slowPercent) : "equal",
               settings.busy ? "busy" : "quiet", settings.threshold, counts.made, counts.slower,
               counts.faster, counts.undecided, counts.withOperators,
               counts.seconds / static_cast<double>(std::max<std::size_t>(counts.made, 1)), counts.longest);
}

void run(const Settings& settings) {
    const Folder folder;
    std::vector<Subject> subjects;
    for (const fs::path& each : settings.programs) {
        if (settings.slowPercent > 0) {
            if (auto subject = slowed(settings, each, folder.path)) {
                fmt::print("# {}: {} loops\n", each.string(), subject->loops);
                subjects.push_back(*std::move(subject));
            }
        } else {
            subjects.push_back({.a = each, .b = each});
        }
    }
    std::optional<BackgroundLoad> neighbour;
    if (settings.busy) {
        neighbour.emplace(std::thread::hardware_concurrency(), settings.seed);
    }
    std::vector<std::string> options{"--threshold", settings.threshold};
    if (settings.slowPercent > 0) {
        const std::vector<std::string> plugin = settings.withPlugin();
        options.insert(options.end(), plugin.begin(), plugin.end());
    }
    Counts counts;
    for (std::size_t i = 0; i < settings.comparisons && !subjects.empty(); ++i) {
        const Subject& subject = subjects[i % subjects.size()];
        ::setenv("ET_SPIN_LOOPS", subject.loops.c_str(), 1);
        if (const auto result = compare(settings.program, subject.a, subject.b, options)) {
            counts.add(*result);
            fmt::print("# {} {}: {} x {:.4f}, {} operators called{}{}, {:.1f} s\n", i, subject.a.string(),
                       result->verdict, result->ratio, result->operators.size(),
                       result->operators.empty() ? "" : ": ",
                       result->operators.empty() ? "" : result->operators.front(), result->seconds);
            std::fflush(stdout);
        }
    }
    fmt::print(
        "| B is | machine | threshold | comparisons | slower | faster | undecided | with an operator "
        "called | mean time | longest |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    show(settings, counts);
}

}  // namespace
}  // namespace et::bench

int main(int count, char** arguments) {
    const auto settings = et::bench::settingsOf(std::span(arguments, static_cast<std::size_t>(count)));
    if (!settings) {
        std::fputs(et::bench::usage, stderr);
        return 2;
    }
    et::bench::run(*settings);
    return 0;
}
