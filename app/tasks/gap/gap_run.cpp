#include "app/tasks/gap/gap_run.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/gap/taken_branches.h"
#include "app/tasks/gap/twin_record.h"
#include "app/tasks/sanitize/sanitizer.h"
#include "inspector/join/event_blocks.h"
#include "inspector/numeric_gap/gap_calculation.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "inspector/session/record_check.h"
#include "inspector/session/session.h"
#include "runtime/core/file_kind.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::NumericGap;

/// Default without --inputs: an error that one set of inputs does not trigger may show with another.
constexpr std::string_view inputsOfBisect = "random:2";

/// Shows the ranking of a delegate's nodes as a phase of its own.
std::function<void(std::size_t, std::size_t)> rankingProgress(ProgressReporter& watch) {
    return [&watch](std::size_t done, std::size_t total) {
        if (done == 1) {
            watch.begin("sensitivity", total);
        }
        watch.step();
    };
}

/// Runs a program in this process, and compares everything that it computes.
class ProgramGaps {
  public:
    ProgramGaps(const GapSettings& given, std::shared_ptr<const etrecord::Record> from)
        : settings(given), record(std::move(from)) {}

    Result<GapResult> run(ProgressReporter& watch);

  private:
    [[nodiscard]] Result<std::vector<GapInputSet>> plan() const;
    Result<std::shared_ptr<const NumericGap>> runOne(const GapInputSet& inputSet, ProgressReporter& watch);
    [[nodiscard]] Result<> trace(const GapInputSet& inputSet, inspector::ValueTracer& tracer);

    const GapSettings& settings;
    std::shared_ptr<const etrecord::Record> record;
    std::unique_ptr<Model> model;
    const program::Method* described = nullptr;
    std::optional<kernels::KvCaches> cachesBefore, cachesAfter;  ///< of the last run
};

Result<std::vector<GapInputSet>> ProgramGaps::plan() const {
    const GapInputSources sources{.record = *record,
                                  .method = described->name,
                                  .model = model.get(),
                                  .options = settings.model,
                                  .cutsExamples = true};
    if (!settings.inputs.empty()) {
        return gapInputSets(sources, settings.inputs);
    }
    ET_ASSIGN(GapInputSet usual, usualGapInputSet(sources));
    std::vector<GapInputSet> all;
    all.push_back(std::move(usual));
    if (settings.bisect) {
        ET_ASSIGN(std::vector<GapInputSet> more, gapInputSets(sources, inputsOfBisect));
        std::ranges::move(more, std::back_inserter(all));
    }
    return all;
}

/// Runs the program. A new module for each set resets the program's state, and takes its memory and packed
/// weights only until its values are known. They share a limit with the values.
Result<> ProgramGaps::trace(const GapInputSet& inputSet, inspector::ValueTracer& tracer) {
    executor::Module module = model->newModule(&tracer);
    ET_ASSIGN(executor::Method * method, module.load(described->name));
    const executor::MemoryReport used = method->memory();
    const std::uint64_t taken = std::accumulate(used.arenas.begin(), used.arenas.end(), used.packedWeights);
    const std::uint64_t limit = model->limits.memoryBytes;
    tracer.setLimit(limit - std::min(limit, taken));
    cachesBefore = module.caches();
    ET_TRY(give(inputSet, *method));
    auto done = method->execute();
    cachesAfter = module.caches();
    model->program->file->release(0, model->program->file->bytes().size());
    return done;
}

Result<std::shared_ptr<const NumericGap>> ProgramGaps::runOne(const GapInputSet& inputSet,
                                                              ProgressReporter& watch) {
    // Only maps of packages have handles for instructions in branches.
    ET_ASSIGN(const auto used, settings.reference == inspector::GapGraph::Edge
                                   ? withTakenBranches(record, described->name, inputSet.values,
                                                       {.kernels = model->kernels,
                                                        .threads = model->threads,
                                                        .memoryBytes = model->limits.memoryBytes,
                                                        .cancel = settings.cancel})
                                   : Result<std::shared_ptr<const etrecord::Record>>(record));
    const etrecord::ExportedGraph* const graph = used->edgeGraph(described->name);
    const bool isStored = graph != nullptr && !inspector::mayWriteArguments(*graph);
    const auto store = settings.store != nullptr ? settings.store : std::make_shared<inspector::ValueStore>();
    inspector::ValueTracer tracer(model->limits.memoryBytes, isStored ? store.get() : nullptr);
    ET_TRY(trace(inputSet, tracer));
    const std::uint64_t left = model->limits.memoryBytes - tracer.bytesKept();
    const inspector::RuntimeValues values = tracer.take();
    return inspector::calculateGap({.record = *used,
                                    .method = described->name,
                                    .runtime = values,
                                    .program = described,
                                    .inputs = inputSet.values,
                                    .cachesBefore = &*cachesBefore,
                                    .cachesAfter = &*cachesAfter,
                                    .inputsName = inputSet.name,
                                    .kernels = model->kernels,
                                    .threads = model->threads,
                                    .memoryBytes = left,
                                    .cancel = settings.cancel,
                                    .store = isStored ? store.get() : nullptr,
                                    .ranked = rankingProgress(watch)},
                                   gapOptions(settings));
}

Result<GapResult> ProgramGaps::run(ProgressReporter& watch) {
    ET_ASSIGN(model, Model::open(settings.program, settings.model, nullptr));
    described = model->program->findMethod(model->method->description().name);
    ET_ASSIGN(const std::vector<GapInputSet> all, plan());
    model->method = nullptr;  // runs use new modules
    model->module.reset();
    watch.begin("gap", all.size());
    GapResult result{
        .gaps = {}, .emulated = model->emulation.names(), .emulationNote = model->emulation.note()};
    if (const auto cut = std::ranges::find_if(all, [](const GapInputSet& each) { return !each.cut.empty(); });
        cut != all.end()) {
        result.warnings.push_back(fmt::format(
            "the example inputs of the export are cut from {}; pass others with --input, or all of them with "
            "--inputs example",
            cut->cut));
    }
    for (const GapInputSet& each : all) {
        auto gap = runOne(each, watch);
        if (!gap) {
            return std::unexpected(std::move(gap).error().in(settings.program.string()));
        }
        result.gaps.push_back(*std::move(gap));
        watch.step();
    }
    if (model->sanitizer != nullptr) {
        const auto findings = model->sanitizer->findings();
        result.memoryErrors.emplace(findings.begin(), findings.end());
    }
    return result;
}

/// Returns the method that computed the trace's values: that of its last block with a method.
std::string methodOf(const inspector::EventBlocks& blocks, const std::string& asked) {
    std::string method = asked.empty() ? "forward" : asked;
    for (const inspector::Block& block : blocks.blocks()) {
        if (asked.empty() && !block.method.empty()) {
            method = block.method;
        }
    }
    return method;
}

Result<GapResult> gapsOfTrace(const GapSettings& settings, const inspector::Session& session,
                              ProgressReporter& watch) {
    const kernels::KernelRegistry& registry = kernels::builtin();
    const kernels::ThreadPool threads(settings.model.threads);
    const std::uint64_t bytes = settings.model.memoryBytes.value_or(executor::Limits{}.memoryBytes);
    ET_ASSIGN(const inspector::RuntimeValues values, inspector::valuesOf(*session.blocks, bytes));
    const std::string method = methodOf(*session.blocks, settings.model.method);
    const GapInputSources sources{
        .record = *session.record, .method = method, .model = nullptr, .options = settings.model};
    ET_ASSIGN(const GapInputSet inputSet, usualGapInputSet(sources));
    watch.begin("gap", 1);
    ET_ASSIGN(auto gap, inspector::calculateGap({.record = *session.record,
                                                 .method = method,
                                                 .runtime = values,
                                                 .program = nullptr,
                                                 .inputs = inputSet.values,
                                                 .inputsName = inputSet.name,
                                                 .kernels = registry,
                                                 .threads = threads,
                                                 .memoryBytes = bytes,
                                                 .cancel = settings.cancel,
                                                 .ranked = rankingProgress(watch)},
                                                gapOptions(settings)));
    GapResult result;
    result.gaps.push_back(std::move(gap));
    return result;
}

/// Adds a contradiction between the files to the result, or reports it instead of the error that it caused.
Result<GapResult> withContradiction(Result<GapResult> result, std::optional<std::string> wrong,
                                    const GapSettings& settings) {
    if (!wrong || (!result && result.error().code == ErrorCode::Cancelled)) {
        return result;
    }
    if (!result) {
        return fail(ErrorCode::InvalidArgument, *std::move(wrong),
                    {.file = settings.model.record.string(), .field = {}, .offset = {}});
    }
    result->warnings.push_back(*std::move(wrong));
    return result;
}

/// The record for a program and a package, or for the program of a package alone.
Result<std::shared_ptr<const etrecord::Record>> packageRecord(const GapSettings& settings,
                                                              const ProgramFile& file) {
    std::error_code unknown;
    const bool isItself = settings.model.record.empty() ||
                          std::filesystem::equivalent(settings.model.record, settings.program, unknown);
    if (file.record != nullptr && isItself) {
        return file.record;
    }
    ET_ASSIGN(const auto record, openRecord(settings.model.record));
    return file.record != nullptr ? twinRecord(*record, file) : twinRecord(*record, *file.program);
}

bool isPackage(const std::filesystem::path& path) {
    const auto file = core::MappedFile::open(path);
    return file && core::detectFileKind((*file)->bytes()) == core::FileKind::Package;
}

}  // namespace

inspector::GapOptions gapOptions(const GapSettings& settings) {
    return {.ownErrors = settings.bisect,
            .tolerance = settings.tolerance,
            .precision = settings.precision,
            .reference = settings.reference,
            .keepsTensors = settings.keepsTensors};
}

Result<GapResult> runGaps(const GapSettings& settings, ProgressReporter& watch) {
    if (!settings.program.empty()) {
        ET_ASSIGN(const ProgramFile file, ProgramFile::open(settings.program));
        if (file.record != nullptr || isPackage(settings.model.record)) {
            ET_ASSIGN(const auto linked, packageRecord(settings, file));
            GapSettings used = settings;
            used.reference = inspector::GapGraph::Edge;
            return ProgramGaps(used, linked).run(watch);
        }
        ET_ASSIGN(const auto record, openRecord(settings.model.record));
        return withContradiction(ProgramGaps(settings, record).run(watch),
                                 inspector::contradiction(*record, *file.program), settings);
    }
    ET_ASSIGN(const auto session, inspector::Session::open({.trace = settings.trace,
                                                            .record = settings.model.record,
                                                            .debugBuffer = settings.debugBuffer},
                                                           {.method = settings.model.method}));
    return withContradiction(gapsOfTrace(settings, *session, watch), session->blocks->recordContradiction(),
                             settings);
}

}  // namespace et::tasks
