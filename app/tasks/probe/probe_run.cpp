#include "app/tasks/probe/probe_run.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/probe/probe_judge.h"
#include "app/tasks/probe/probe_plan.h"
#include "app/tasks/probe/probe_writer.h"
#include "app/tasks/probe/reexport_script.h"
#include "app/tasks/verify/verify_files.h"
#include "app/tasks/verify/verify_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <ranges>
#include <span>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using bundled_program::FileReport;
using core::ErrorCode;
using core::fail;
using core::Result;

/// Sizes for each end of a band: more of them need fewer rounds, but more probes.
constexpr std::size_t perEdgeOfRuns = 1;
constexpr std::size_t perEdgeByHand = 3;

bool hasSet(const fs::path& folder) {
    std::error_code unknown;
    return fs::is_regular_file(probeSetFile(folder), unknown);
}

/// The folder of the probe set that results belong to.
Result<fs::path> folderOf(const ProbeSettings& settings) {
    const fs::path results =
        settings.results.has_filename() ? settings.results : settings.results.parent_path();
    const std::array places{settings.folder, results, fs::absolute(results).parent_path()};
    const auto* const found =
        std::ranges::find_if(places, [](const fs::path& place) { return !place.empty() && hasSet(place); });
    if (found == places.end()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: expected --output with the folder of the probe set",
                                core::printable(settings.results.string())));
    }
    return *found;
}

Result<> checkNew(const ProbeSettings& settings) {
    if (settings.model.empty() || settings.record.empty() || settings.folder.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "expected MODEL, ETRECORD and --output, or --judge with the outputs of a device");
    }
    return hasSet(settings.folder)
               ? fail(ErrorCode::InvalidArgument,
                      fmt::format("{} has a probe set already: use --judge or another folder",
                                  core::printable(settings.folder.string())))
               : Result<>();
}

class ProbeRun {
  public:
    explicit ProbeRun(const ProbeSettings& asked) : settings(asked), watch(asked.progress, {}, 0) {}

    Result<ProbeResult> create() {
        ET_ASSIGN(result.folder, probeFolder(settings));
        ET_ASSIGN(tolerances, parseTolerances(settings.tolerances));
        result.set = {.model = fs::absolute(settings.model).string(),
                      .record = fs::absolute(settings.record).string(),
                      .method = settings.options.method,
                      .device = {},
                      .limit = settings.limit,
                      .seed = settings.options.seed,
                      .inputs = settings.options.inputs,
                      .only = settings.only,
                      .delegate = settings.delegate};
        ProbeWriter writer(result.set, settings.folder);
        ET_TRY(writer.describe(settings.options));
        result.set.backend = settings.backend.value_or(writer.backend());
        result.warnings = writer.omitted();
        ET_TRY(makeFolder(settings.folder));
        if (result.set.backend == LowerBackend::None) {
            ET_TRY(writeFile(settings.folder / reexportName, producerOf(std::string(reexportScript()))));
        }
        const std::size_t perEdge = settings.run ? perEdgeOfRuns : perEdgeByHand;
        ET_ASSIGN(result.written, writer.writeRound(perEdge, settings.options));
        ET_TRY(saveProbeSet(result.set, result.folder));
        while (settings.run && result.written > 0) {
            ET_TRY(runRound());
            ET_ASSIGN(result.written, writer.writeRound(perEdge, settings.options));
            ET_TRY(saveProbeSet(result.set, result.folder));
        }
        watch.finish();
        return std::move(result);
    }

    Result<ProbeResult> judge() {
        ET_ASSIGN(tolerances, parseTolerances(settings.tolerances));
        ET_ASSIGN(result.folder, probeFolder(settings));
        ET_ASSIGN(result.set, loadProbeSet(result.folder));
        ET_ASSIGN(const std::size_t found,
                  judgeProbes(result.set, result.folder, settings.results, tolerances));
        if (found == 0) {
            return fail(ErrorCode::NotFound,
                        "no outputs of the probes, such as NAME/output_0.npy, NAME_0.npy or NAME.npz",
                        {.file = settings.results.string(), .field = {}, .offset = {}});
        }
        ET_TRY(saveProbeSet(result.set, result.folder));
        if (const std::size_t pending = result.set.count(ProbeVerdict::Pending); pending > 0) {
            result.warnings.push_back(fmt::format("{} probes have no outputs", pending));
        }
        ProbeWriter writer(result.set, result.folder);
        auto written = writer.writeRound(perEdgeByHand, settings.options);
        if (!written && written.error().code == ErrorCode::Cancelled) {
            return std::unexpected(std::move(written).error());
        }
        if (written) {
            result.written = *written;
            ET_TRY(saveProbeSet(result.set, result.folder));
        } else {
            result.warnings.push_back("no further probes: " + written.error().toString());
        }
        return std::move(result);
    }

  private:
    /// Runs the probes without a verdict, and compares their outputs.
    Result<> runRound() {
        std::vector<fs::path> files;
        for (const Probe& probe : result.set.probes) {
            if (probe.verdict == ProbeVerdict::Pending) {
                files.push_back(result.folder / (probe.name + ".bpte"));
            }
        }
        VerifySettings verified{.model = settings.options};
        verified.model.method.clear();
        verified.model.inputs.clear();
        verified.failures = result.folder / "results";
        verified.saveAll = true;
        const auto same = [&](const fs::path&) { return Result<VerifySettings>(verified); };
        const std::size_t jobs =
            settings.options.on.isRemote() ? 1 : std::max(1U, std::thread::hardware_concurrency());
        watch.begin("run", files.size());
        const std::vector<FileReport> reports = verifyApart(files, same, jobs, watch);
        watch.finish();
        ET_TRY(InterruptionGuard::check());
        ET_TRY(checkReports(reports));
        ET_ASSIGN([[maybe_unused]] const std::size_t judged,
                  judgeProbes(result.set, result.folder, verified.failures, tolerances));
        for (Probe& probe : result.set.probes) {
            const auto report = std::ranges::find_if(
                reports, [&](const FileReport& each) { return fs::path(each.file).stem() == probe.name; });
            if (probe.verdict == ProbeVerdict::Pending && report != reports.end()) {
                probe.verdict = ProbeVerdict::Wrong;
                probe.note = report->message;
            }
        }
        return saveProbeSet(result.set, result.folder);
    }

    /// Errors: Unsupported (no probe ran; with the message of the first).
    [[nodiscard]] static Result<> checkReports(std::span<const FileReport> reports) {
        const bool hasRun = std::ranges::any_of(reports, [](const FileReport& report) {
            return report.verdict != bundled_program::Verdict::Error;
        });
        return hasRun || reports.empty()
                   ? Result<>()
                   : fail(ErrorCode::Unsupported, fmt::format("no probe ran: {}", reports.front().message));
    }

    const ProbeSettings& settings;
    ProgressReporter watch;
    bundled_program::Tolerances tolerances;
    ProbeResult result;
};

}  // namespace

void addProbeOptions(OptionList& options, ProbeSettings& settings) {
    static constexpr std::array backends{Choice{"xnnpack", LowerBackend::Xnnpack},
                                         Choice{"none", LowerBackend::None}};
    options.file("MODEL", settings.model, "Program (.pte, .bpte) whose delegates are probed")
        .takesFiles({SessionFile::Program, SessionFile::Bundle});
    options.file("ETRECORD", settings.record, "Its ETRecord, with weights").takesFiles({SessionFile::Record});
    options.path(
        "-o,--output DIR", settings.folder,
        "Folder for the probes; with --judge: folder of the probe set (default: that of the results)");
    options.path("--judge DIR", settings.results,
                 "Compare the outputs of a device in this folder, and write the next probes");
    options
        .flag("--run", settings.run,
              "Run the probes and compare their outputs until nothing is left to narrow")
        .notWith("--judge");
    options.group("Probes");
    options.text("--only NAME,...", settings.only, "Probe only these nodes, operators or modules");
    options.integer("--delegate", settings.delegate, "Probe only the delegate with this index");
    options.choice("--backend", settings.backend, backends,
                   "Backend of the probes (default: xnnpack for XNNPACK delegates, else none)");
    options.integer("--max-probes", settings.limit, "Maximum number of probes (default: 200)", 1)
        .atMost(10'000);
    options.text("--method NAME", settings.options.method,
                 "Method to probe (default: the only one, or forward)");
    addToleranceOptions(options, settings.tolerances);
    addInputOptions(options, settings.options);
    options.group("Model");
    addLibraryOptions(options, settings.options);
    addSandbox(options, settings.options);
    addTarget(options, settings.options);
}

Result<fs::path> probeFolder(const ProbeSettings& settings) {
    if (!settings.results.empty()) {
        return folderOf(settings);
    }
    return checkNew(settings).transform([&] { return settings.folder; });
}

Result<ProbeResult> runProbes(const ProbeSettings& settings) {
    if (!settings.run && (!settings.options.plugins.empty() || settings.options.on.isRemote())) {
        return fail(ErrorCode::InvalidArgument, "--plugin and --on need --run");
    }
    ProbeRun run(settings);
    return settings.results.empty() ? run.create() : run.judge();
}

}  // namespace et::tasks
