// Compares programs chosen by `et-inspect optimize` with those of the greedy path measured with real
// conversions: for each model and SQNR, the path's first program that reaches it and the search's smallest.
// Times are measured in alternation on this machine.
//
//     optimize_time [MODEL DECIBELS]...
#include "app/tasks/lab/candidate_times.h"
#include "app/tasks/lab/optimize_run.h"
#include "app/tasks/lab/work_folder.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace et {
namespace {

namespace fs = std::filesystem;

struct Target {
    std::string model;
    double decibels = 0;
};

/// Float sites of the path's first point that reaches the given decibels.
std::vector<std::string> pathSites(const fs::path& truth, double decibels) {
    simdjson::dom::parser parser;
    const auto document = parser.load((truth / "search.json").string()).value();
    for (const simdjson::dom::element step : document["greedy"].get_array()) {
        if (step["sqnr_db"].get_double().value() >= decibels) {
            std::vector<std::string> sites;
            for (const simdjson::dom::element site : step["float_sites"].get_array()) {
                sites.emplace_back(site.get_string().value());
            }
            return sites;
        }
    }
    return {};
}

core::Result<> compareAt(const Target& target) {
    const fs::path truth = fs::path(ET_QUANT_TRUTH) / target.model;
    ET_ASSIGN(const tasks::WorkFolder folder, tasks::WorkFolder::make());
    tasks::OptimizeSettings settings;
    settings.what = {.record = truth / "float.etrecord",
                     .calibration = truth / "calibration.npz",
                     .evaluation = truth / "evaluation.npz",
                     .threads = 0};
    settings.budget = {.kind = tasks::OptimizeBudget::Kind::Sqnr, .limit = target.decibels};
    settings.seconds = 600;
    settings.delegatesByTime = false;
    settings.progress.mode = tasks::ProgressMode::None;
    settings.output = folder.file("chosen.pte");
    ET_ASSIGN(const tasks::OptimizeResult found, tasks::optimizeSites(settings));
    const auto inFloat = pathSites(truth, target.decibels);
    tasks::QuantizeSettings path{.record = settings.what.record,
                                 .calibration = settings.what.calibration,
                                 .output = folder.file("path.pte")};
    for (const tasks::SiteReport& site : found.sites) {
        path.sites.chosen.push_back(std::ranges::contains(inFloat, site.name)
                                        ? tasks::SiteScheme()
                                        : tasks::SiteScheme(backends::xnnpack::QuantizationScheme()));
    }
    ET_ASSIGN(const tasks::QuantizeResult made, tasks::quantize(path));
    if (!found.choice) {
        return core::fail(core::ErrorCode::NotFound, found.unmet);
    }
    const tasks::CalibrationCase random{
        backends::reference::ReferenceValue()};  // no tensor: inputs are random
    const std::array programs{path.output, settings.output};
    ET_ASSIGN(const auto times,
              tasks::candidateTimes(programs, {.method = found.method, .given = &random, .folder = &folder},
                                    settings));
    fmt::print("{:<10} {:5.1f} dB  path {:9.1f} us {:8} bytes  chosen {:9.1f} us {:8} bytes  time {:.3f}\n",
               target.model, target.decibels, times.at(0) / 1e3, made.lowered.lowered.file.size(),
               times.at(1) / 1e3, found.choice->bytes, times.at(1) / times.at(0));
    return {};
}

std::vector<Target> targetsOf(int count, char** arguments) {
    std::vector<Target> targets;
    for (int i = 1; i + 1 < count; i += 2) {
        targets.push_back({.model = arguments[i], .decibels = std::strtod(arguments[i + 1], nullptr)});
    }
    return targets.empty() ? std::vector<Target>{{.model = "resnet8", .decibels = 39},
                                                 {.model = "encoder2", .decibels = 43},
                                                 {.model = "mbv2_025", .decibels = 35}}
                           : targets;
}

}  // namespace
}  // namespace et

int main(int count, char** arguments) {
    for (const et::Target& target : et::targetsOf(count, arguments)) {
        if (const auto done = et::compareAt(target); !done) {
            fmt::print(stderr, "{}: {}\n", target.model, done.error().toString());
            return 1;
        }
    }
    return 0;
}
