#include "app/tasks/rewrite/replan_run.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/neighbour_data.h"
#include "app/tasks/rewrite/program_bytes.h"
#include "bundled_program/writer.h"
#include "inspector/memory/memory_timeline.h"
#include "runtime/builder/tensor_data_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using builder::DraftChange;
using builder::ProgramDraft;
using core::ErrorCode;
using core::Result;

using File = std::shared_ptr<const core::MappedFile>;
using DataFiles = std::vector<std::shared_ptr<const program::TensorData>>;

/// Whether the method's plan reuses the memory of a moved value too early, which a new plan repairs.
bool overwritesMoved(const program::Program& program, std::string_view name) {
    const program::Method* const method = program.findMethod(name);
    if (method == nullptr) {
        return false;
    }
    const auto timeline = inspector::MemoryTimeline::build(*method);
    return timeline && std::ranges::any_of(timeline->overlaps, [](const inspector::PlanOverlap& each) {
               return each.movedTo.has_value();
           });
}

/// Rewrites one program.
class Surgery {
  public:
    explicit Surgery(const ReplanSettings& what) : settings(what) {}

    Result<ReplanResult> run() {
        ET_TRY(refuseOutputs());
        ET_ASSIGN(file, ProgramFile::open(settings.model));
        ET_TRY(openData());
        out.program = file.program;
        out.fileBefore = file.program->bytes.size();
        ProgramDraft draft(file.program);
        out.duplicates = draft.duplicates();
        ET_TRY(change(draft));
        begin("plan");
        inspector::ReplanOptions plan = settings.plan;
        if (settings.seconds) {
            const std::chrono::duration<double> time(*settings.seconds);
            plan.effort.time = std::chrono::round<std::chrono::milliseconds>(time);
            plan.effort.rounds = std::numeric_limits<std::size_t>::max();
        }
        plan.effort.cancel = &InterruptionGuard::requested();
        ET_ASSIGN(out.plans, inspector::replan(draft.content().methods, plan));
        ET_TRY(InterruptionGuard::check());
        begin("write");
        ET_TRY(write(draft));
        return std::move(out);
    }

  private:
    void begin(const char* phase) const {
        if (settings.progress != nullptr) {
            settings.progress->begin(phase, 1);
        }
    }

    Result<> refuseOutputs() const {
        if (!settings.weights.empty()) {
            ET_TRY(refuseToReplace(settings.weights, {settings.model, settings.output}));
            ET_TRY(refuseToReplace(settings.weights, settings.data));
        }
        return settings.output.empty() ? Result<>() : refuseToReplace(settings.output, settings.data);
    }

    Result<> openData() {
        ET_ASSIGN(tensorData, openTensorData(settings.data));
        if (settings.data.empty()) {
            ET_ASSIGN(const auto beside, findTensorData(*file.program, settings.model));
            for (const NeighbourData& each : beside) {
                tensorData.push_back(each.data);
            }
        }
        return {};
    }

    void note(std::string_view action, std::string_view what, const DraftChange& change) {
        if (change.count > 0) {
            out.changes.push_back({.action = action, .what = what, .change = change});
        }
    }

    Result<> change(ProgramDraft& draft) {
        if (!settings.methods.empty()) {
            ET_ASSIGN(const DraftChange methods, draft.keepMethods(settings.methods));
            note("methods", "methods dropped", methods);
        }
        if (!settings.methods.empty() || settings.strip) {
            if (const auto used = namedDataInUse(draft.content())) {
                note(settings.strip ? "strip" : "methods", "unused named data dropped",
                     draft.dropNamedData([&](std::string_view key) { return used->contains(key); }));
            }
        }
        if (settings.strip) {
            note("strip", "unused values emptied", draft.dropUnused());
            note("strip", "tensor names dropped", draft.dropNames());
        }
        if (settings.takeIn) {
            ET_ASSIGN(const DraftChange taken, draft.takeIn(tensorData));
            note("inline", "tensors and blobs inlined", taken);
        }
        return settings.weights.empty() ? Result<>() : moveOut(draft);
    }

    Result<> moveOut(ProgramDraft& draft) {
        const auto entries = draft.externalize();
        DraftChange moved{.count = entries.size()};
        for (const program::TensorDataEntry& entry : entries) {
            moved.bytes += entry.data.size();
        }
        note("externalize", "tensors and blobs moved out", moved);
        if (entries.empty()) {
            return {};  // ExecuTorch does not open an empty weights file
        }
        ET_ASSIGN(weights, builder::tensorDataFile(entries));
        out.weightsAfter = weights.size();
        return {};
    }

    Result<> check() {
        DataFiles all = ownData;
        all.insert(all.end(), tensorData.begin(), tensorData.end());
        ET_ASSIGN(out.runs,
                  runTwins({.program = file.program, .tensorData = tensorData},
                           {.program = rewritten, .tensorData = all}, file.bundle.get(), settings.progress));
        for (ShadowRunResult& run : out.runs) {
            if (!run.difference.empty() && overwritesMoved(*file.program, run.method)) {
                run.notRun = "its plan overwrites moved values, so that the new plan changes its outputs";
                run.difference.clear();
            }
            if (!run.difference.empty()) {
                return core::fail(
                    ErrorCode::Mismatch,
                    fmt::format(
                        "nothing was written: the changed program's outputs differ from the original's: {}",
                        run.difference),
                    {.file = settings.model.string(), .field = run.method});
            }
            if (!run.notRun.empty()) {
                out.warnings.push_back(fmt::format("method \"{}\" was not checked by running it: {}",
                                                   core::printable(run.method), run.notRun));
            }
        }
        return {};
    }

    /// Drops the cases of removed methods, which could only fail.
    [[nodiscard]] std::vector<bundled_program::TestSuite> keptSuites(const ProgramDraft& draft) const {
        const auto& methods = draft.content().methods;
        std::vector<bundled_program::TestSuite> suites = file.bundle->suites;
        std::erase_if(suites, [&](const bundled_program::TestSuite& suite) {
            return !std::ranges::contains(methods, suite.method, &program::Method::name);
        });
        return suites;
    }

    /// Writes the program, or the bundle with it, after the weights: without them it is unusable.
    Result<> write(const ProgramDraft& draft) {
        ET_ASSIGN(core::FileContent content, draft.file());
        out.fileAfter = content.size();
        if (file.bundle != nullptr && !settings.output.empty()) {
            ET_ASSIGN(content, bundled_program::bundleFile(content, keptSuites(draft)));
        }
        return writeChecked(settings.output, content, [&](File written) -> Result<> {
            ET_ASSIGN(const ProgramFile read, ProgramFile::parse(std::move(written)));
            rewritten = read.program;
            ET_TRY(weights.size() == 0 ? checkBeforeWriting() : writeWeights());
            return {};
        });
    }

    Result<> writeWeights() {
        return writeChecked(settings.weights, weights, [&](File written) -> Result<> {
            ET_ASSIGN(auto data, program::TensorData::parse(std::move(written)));
            ownData.push_back(std::move(data));
            return checkBeforeWriting();
        });
    }

    Result<> checkBeforeWriting() {
        if (settings.check) {
            ET_TRY(check());
        }
        return InterruptionGuard::check();
    }

    const ReplanSettings& settings;
    ProgramFile file;
    DataFiles tensorData;  ///< tensor data files of the original
    DataFiles ownData;     ///< data moved out of the program
    core::FileContent weights;
    std::shared_ptr<const program::Program> rewritten;
    ReplanResult out;
};

}  // namespace

Result<ReplanResult> replanProgram(const ReplanSettings& settings) {
    return Surgery(settings).run();
}

}  // namespace et::tasks
