// Compares programs made by `et-inspect lower` with the exporter's own programs of the same records. Times
// are measured in alternation on this machine.
//
//     lower_time [MODEL VARIANT]...
#include "app/tasks/lab/candidate_times.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/work_folder.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace et {
namespace {

namespace fs = std::filesystem;

struct Pair {
    std::string model;
    std::string variant;
};

core::Result<> compare(const Pair& pair) {
    const fs::path at = fs::path(ET_QUANT_TRUTH) / pair.model;
    ET_ASSIGN(const tasks::WorkFolder folder, tasks::WorkFolder::make());
    const std::array programs{at / fmt::format("{}.pte", pair.variant), folder.file("lowered.pte")};
    ET_ASSIGN(const auto lowered,
              tasks::lower({.record = at / fmt::format("{}.etrecord", pair.variant), .output = programs[1]}));
    tasks::OptimizeSettings settings;
    settings.progress.mode = tasks::ProgressMode::None;
    const tasks::CalibrationCase random{
        backends::reference::ReferenceValue()};  // no tensor: inputs are random
    ET_ASSIGN(
        const auto times,
        tasks::candidateTimes(
            programs, {.method = lowered.lowered.methods.front().name, .given = &random, .folder = &folder},
            settings));
    fmt::print("{:<10} {:<6} exported {:8.1f} us  lowered {:8.1f} us  time {:.3f}\n", pair.model,
               pair.variant, times.at(0) / 1e3, times.at(1) / 1e3, times.at(1) / times.at(0));
    return {};
}

std::vector<Pair> pairsOf(int count, char** arguments) {
    std::vector<Pair> pairs;
    for (int i = 1; i + 1 < count; i += 2) {
        pairs.push_back({.model = arguments[i], .variant = arguments[i + 1]});
    }
    return pairs.empty() ? std::vector<Pair>{{.model = "resnet8", .variant = "float"},
                                             {.model = "mbv2_025", .variant = "float"},
                                             {.model = "encoder2", .variant = "float"},
                                             {.model = "resnet8", .variant = "q8"},
                                             {.model = "mbv2_025", .variant = "q8"},
                                             {.model = "encoder2", .variant = "q8"},
                                             {.model = "encoder2", .variant = "qd8"}}
                         : pairs;
}

}  // namespace
}  // namespace et

int main(int count, char** arguments) {
    for (const et::Pair& pair : et::pairsOf(count, arguments)) {
        if (const auto done = et::compare(pair); !done) {
            fmt::print(stderr, "{} {}: {}\n", pair.model, pair.variant, done.error().toString());
            return 1;
        }
    }
    return 0;
}
