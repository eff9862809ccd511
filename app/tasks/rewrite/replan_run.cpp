#include "app/tasks/rewrite/replan_run.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
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

using DataFiles = std::vector<std::shared_ptr<const program::TensorData>>;

template <class T>
Result<std::shared_ptr<const T>> parsed(const ByteVector& bytes, const fs::path& name) {
    return T::parse(core::MappedFile::fromMemory(bytes, name.string()));
}

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
        inspector::ReplanOptions plan = settings.plan;
        if (settings.seconds) {
            const std::chrono::duration<double> time(*settings.seconds);
            plan.effort.time = std::chrono::round<std::chrono::milliseconds>(time);
            plan.effort.rounds = std::numeric_limits<std::size_t>::max();
        }
        plan.effort.cancel = &InterruptionGuard::requested();
        ET_ASSIGN(out.plans, inspector::replan(draft.content().methods, plan));
        ET_TRY(InterruptionGuard::check());
        ET_ASSIGN(changed, draft.write());
        ET_ASSIGN(rewritten, parsed<program::Program>(changed, settings.output));
        out.fileAfter = changed.size();
        if (settings.check) {
            ET_TRY(check());
        }
        ET_TRY(InterruptionGuard::check());
        ET_TRY(write());
        return std::move(out);
    }

  private:
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
        ET_ASSIGN(weights, builder::writeTensorData(entries));
        ET_ASSIGN(auto data, parsed<program::TensorData>(weights, settings.weights));
        ownData.push_back(std::move(data));
        out.weightsAfter = weights.size();
        return {};
    }

    Result<> check() {
        DataFiles all = ownData;
        all.insert(all.end(), tensorData.begin(), tensorData.end());
        ET_ASSIGN(out.runs, runTwins({.program = file.program, .tensorData = tensorData},
                                     {.program = rewritten, .tensorData = all}, file.bundle.get()));
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
    [[nodiscard]] std::vector<bundled_program::TestSuite> keptSuites() const {
        std::vector<bundled_program::TestSuite> suites = file.bundle->suites;
        std::erase_if(suites, [&](const bundled_program::TestSuite& suite) {
            return rewritten->findMethod(suite.method) == nullptr;
        });
        return suites;
    }

    /// Writes the weights first: a program without them is unusable.
    Result<> write() {
        if (!weights.empty()) {
            ET_TRY(writeFile(settings.weights, producerOf(textOf(weights))));
        }
        if (settings.output.empty()) {
            return {};
        }
        if (file.bundle != nullptr) {
            ET_ASSIGN(const ByteVector bundle, bundled_program::writeBundle(changed, keptSuites()));
            return writeFile(settings.output, producerOf(textOf(bundle)));
        }
        return writeFile(settings.output, producerOf(textOf(changed)));
    }

    const ReplanSettings& settings;
    ProgramFile file;
    DataFiles tensorData;  ///< tensor data files of the original
    DataFiles ownData;     ///< data moved out of the program
    ByteVector changed;
    ByteVector weights;
    std::shared_ptr<const program::Program> rewritten;
    ReplanResult out;
};

}  // namespace

Result<ReplanResult> replanProgram(const ReplanSettings& settings) {
    return Surgery(settings).run();
}

}  // namespace et::tasks
