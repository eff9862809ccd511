#include "app/tasks/reduce/reduce_run.h"

#include "app/tasks/output_file.h"
#include "app/tasks/program_file.h"
#include "app/tasks/reduce/candidate_process.h"
#include "app/tasks/reduce/reduction_page.h"
#include "app/tasks/reduce/reduction_state.h"
#include "app/tasks/reduce/slowness.h"
#include "app/tasks/reduce/smallest_list.h"
#include "app/tasks/reduce/smallest_sizes.h"
#include "app/tasks/run/recorded_inputs.h"
#include "app/tasks/surgery/number_list.h"
#include "app/tasks/surgery/part_record.h"
#include "backends/delegate_part.h"
#include "etrecord/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <system_error>
#include <utility>
#include <variant>

namespace et::app {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

class Reducer {
  public:
    Reducer(const ReduceSettings& what, Watch& shown) : settings(what), watch(shown) {}

    Result<Reduction> run() {
        ET_TRY(open());
        ET_TRY(settings.resume ? goOn() : checkWhole());
        // What is smallest so far is the result, whatever ends the search.
        if (auto searched = search(); !searched && searched.error().code != ErrorCode::Cancelled) {
            return std::unexpected(std::move(searched).error());
        }
        return finish();
    }

  private:
    Result<> open() {
        ET_ASSIGN(out.kind, parseFailure(settings.failure));
        if (out.kind == FailureKind::Slower) {
            ET_TRY(parseOtherSide(settings.than, !settings.options.plugins.empty()));
        } else if (!settings.than.empty()) {
            return fail(ErrorCode::InvalidArgument, "--than goes with --fails slower only");
        }
        ET_ASSIGN(file, ProgramFile::open(settings.model));
        ET_ASSIGN(method, chooseMethod(*file.program, settings.options.method));
        if (method->chains.size() != 1 || method->chains.front().instructions.empty()) {
            return fail(ErrorCode::Unsupported, "expected a method of one chain with instructions",
                        {.file = settings.model.string(), .field = std::string(method->name)});
        }
        out.method = method->name;
        out.instructionsBefore = method->chains.front().instructions.size();
        out.bytesBefore = file.program->bytes.size();
        ET_TRY(makeFolder(settings.folder));
        std::error_code unknown;
        if (!settings.resume && fs::exists(settings.folder / pageName, unknown)) {
            return fail(ErrorCode::InvalidArgument,
                        "the folder holds a result already; --resume goes on with it",
                        {.file = settings.folder.string()});
        }
        // A command gets what it would get of the whole; all else needs the cases.
        const bool isBare = out.kind == FailureKind::Command && file.bundle == nullptr;
        out.file = isBare ? "part.pte" : "part.bpte";
        options = settings.options;
        addsRandom = out.kind == FailureKind::Gap && options.inputs.empty() && !options.testCase;
        if (file.bundle == nullptr && options.inputs.empty() && !options.record.empty()) {
            options.inputs = {std::string(recordedInputsWord)};
        }
        return {};
    }

    [[nodiscard]] fs::path stateFile() const { return settings.folder / "progress.json"; }
    [[nodiscard]] fs::path candidateFile() const { return settings.folder / ("candidate-" + out.file); }

    Result<CandidateReport> ask(const PartChoice& part) {
        ++out.candidates;
        return runCandidate({.model = settings.model,
                             .options = options,
                             .kind = out.kind,
                             .than = settings.than,
                             .part = part,
                             .addsRandom = addsRandom,
                             .inputs = inputs,
                             .sizes = sizes,
                             .fill = fill,
                             .output = candidateFile()},
                            settings.failure, settings.candidateSeconds);
    }

    Result<> checkWhole() {
        watch.begin("whole", 1);
        const PartChoice all{.instructions = numbersBelow(out.instructionsBefore)};
        ET_ASSIGN(CandidateReport report, ask(all));
        if (!report.fails) {
            return fail(report.isBuilt ? ErrorCode::Mismatch : ErrorCode::Unsupported,
                        fmt::format("the whole program does not fail in this way: {}", report.message),
                        {.file = settings.model.string()});
        }
        signature = wholeSignature = report.signature;
        inputs = report.inputs;
        return take(all, std::move(report));
    }

    /// From where an earlier one was ended.
    Result<> goOn() {
        ET_ASSIGN(const ReductionState state, loadState(stateFile()));
        if (state.failure != settings.failure) {
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("expected --fails \"{}\", as it was begun with", core::printable(state.failure)),
                {.file = stateFile().string()});
        }
        signature = wholeSignature = state.signature;
        inputs = state.inputs;
        ET_ASSIGN(CandidateReport report, ask(state.part));
        if (!report.fails || report.signature != signature) {
            return fail(ErrorCode::Mismatch,
                        fmt::format("what was smallest does not fail any more: {}", report.message),
                        {.file = stateFile().string()});
        }
        return take(state.part, std::move(report));
    }

    /// What is smallest now.
    Result<> take(const PartChoice& part, CandidateReport report) {
        out.part = part;
        out.report = std::move(report);
        std::error_code failed;
        fs::rename(candidateFile(), settings.folder / out.file, failed);
        if (failed) {
            return fail(ErrorCode::Io, fmt::format("cannot rename the candidate: {}", failed.message()),
                        {.file = candidateFile().string()});
        }
        out.fill = fill;
        return saveState({.failure = settings.failure,
                          .signature = wholeSignature,
                          .inputs = inputs.value_or(0),
                          .part = part},
                         stateFile());
    }

    Result<bool> fails(const PartChoice& part) {
        ET_ASSIGN(CandidateReport report, ask(part));
        if (!report.fails || report.signature != signature) {
            return false;
        }
        const std::size_t before = out.part.instructions.size() + out.part.nodes.size();
        ET_TRY(take(part, std::move(report)));
        for (std::size_t left = part.instructions.size() + part.nodes.size(); left < before; ++left) {
            watch.step();
        }
        return true;
    }

    Result<> search() {
        watch.begin("instructions", out.instructionsBefore);
        if (out.report.place && out.part.instructions.size() > 1) {
            ET_TRY(fails({.instructions = {out.report.place->instruction}}));
        }
        if (out.part.instructions.size() > 1) {
            ET_TRY(smallestFailing(out.part.instructions, [&](std::span<const std::size_t> kept) {
                return fails({.instructions = {kept.begin(), kept.end()}});
            }));
        }
        ET_TRY(searchInside());
        ET_TRY(simplify());
        // Done: there is nothing to go on with.
        std::error_code ignored;
        fs::remove(stateFile(), ignored);
        return {};
    }

    /// Smaller tensors, then simpler numbers. Where the record's graph has to say what the part gives, it is
    /// judged by itself from here on, where its place has another name.
    Result<> simplify() {
        const std::string whole = signature;
        const PartSizes now = out.report.sizes;
        if (now.empty()) {
            return {};
        }
        sizes = PartSizes(now.size());
        ET_ASSIGN(const CandidateReport alone, ask(out.part));
        if (alone.fails) {
            signature = alone.signature;
            ET_TRY(shrinkInputs(now));
            ET_TRY(simplifyValues());
        }
        sizes.reset();
        signature = whole;
        return {};
    }

    Result<> shrinkInputs(const PartSizes& now) {
        watch.begin("sizes", 1);
        ET_ASSIGN(const PartSizes smallest, smallestSizes(now, [&](const PartSizes& tried) {
                      sizes = tried;
                      return fails(out.part);
                  }));
        sizes = smallest;
        if (smallest != now) {
            out.sizesBefore = now;
            out.sizes = smallest;
        }
        return {};
    }

    Result<> simplifyValues() {
        for (const Fill each : {Fill::Zeros, Fill::Ones}) {
            fill = each;
            ET_ASSIGN(const bool simple, fails(out.part));
            if (simple) {
                break;
            }
        }
        fill = out.fill;
        return {};
    }

    /// Among the operators of the delegate that the only instruction calls.
    Result<> searchInside() {
        const std::size_t only = out.part.instructions.front();
        const auto* const call =
            std::get_if<program::DelegateCall>(&method->chains.front().instructions[only]);
        if (out.part.instructions.size() != 1 || call == nullptr) {
            return {};
        }
        const auto nodes = backends::nodesIn(method->delegate(call->delegate));
        if (!nodes || nodes->size() < 2) {
            return {};  // of a backend that cannot be looked into
        }
        out.nodesBefore = nodes->size();
        watch.begin("operators", nodes->size());
        const auto failsWith = [&](std::vector<std::size_t> kept) {
            return fails({.instructions = {only}, .nodes = std::move(kept)});
        };
        std::vector<std::size_t> start =
            out.part.nodes.empty() ? numbersBelow(nodes->size()) : out.part.nodes;
        if (out.report.place && out.report.place->node) {
            ET_ASSIGN(const bool alone, failsWith({*out.report.place->node}));
            if (alone) {
                return {};
            }
        }
        ET_ASSIGN(const std::vector<std::size_t> smallest,
                  smallestFailing(std::move(start), [&](std::span<const std::size_t> kept) {
                      return failsWith({kept.begin(), kept.end()});
                  }));
        static_cast<void>(smallest);
        return {};
    }

    Result<Reduction> finish() {
        std::error_code ignored;
        fs::remove(candidateFile(), ignored);
        ET_ASSIGN(out.operators, operatorsOf(*method, out.part, settings.options.record));
        out.hasRecord = !settings.options.record.empty() && writeRecord().has_value();
        out.bytes = fs::file_size(settings.folder / out.file, ignored);
        out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        ET_TRY(writeFile(settings.folder / pageName, producerOf(reductionPage(out, settings))));
        return std::move(out);
    }

    /// The part is made anew here for what it is of, and nothing of it runs.
    [[nodiscard]] Result<> writeRecord() const {
        ModelOptions plain;
        plain.method = out.method;
        plain.tensorData = settings.options.tensorData;
        ET_ASSIGN(const auto maker, PartMaker::open(settings.model, plain, 1));
        ET_TRY(maker->cut(out.part));
        ET_ASSIGN(const auto record, etrecord::Record::open(settings.options.record));
        return writePartRecord(*maker, out.part, *record, settings.folder / out.file, {});
    }

    static constexpr const char* pageName = "README.md";

    const ReduceSettings& settings;
    Watch& watch;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ProgramFile file;
    const program::Method* method = nullptr;
    ModelOptions options;  ///< of candidates
    bool addsRandom = false;
    std::optional<std::size_t> inputs;  ///< those on which the whole fails
    std::optional<Fill> fill;           ///< of candidates
    std::optional<PartSizes> sizes;     ///< likewise
    std::string wholeSignature;
    std::string signature;  ///< that a candidate has to have
    Reduction out;
};

}  // namespace

Result<Reduction> reduceProgram(const ReduceSettings& settings, Watch& watch) {
    return Reducer(settings, watch).run();
}

}  // namespace et::app
