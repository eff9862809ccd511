#include "app/tasks/reduce/reduce_run.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/model/recorded_inputs.h"
#include "app/tasks/reduce/candidate_process.h"
#include "app/tasks/reduce/part_items.h"
#include "app/tasks/reduce/reduction_page.h"
#include "app/tasks/reduce/reduction_state.h"
#include "app/tasks/reduce/slowness.h"
#include "app/tasks/reduce/smallest_list.h"
#include "app/tasks/reduce/smallest_sizes.h"
#include "app/tasks/rewrite/number_list.h"
#include "app/tasks/rewrite/part_record.h"
#include "backends/delegate_part.h"
#include "bundled_program/bundle.h"
#include "etrecord/record.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/names/python_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <system_error>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

void addNode(ReducedOperator& made, const etrecord::Node& node) {
    made.edgeNodes.push_back(node.name);
    const auto frame = inspector::ownFrame(inspector::parseFrames(node.stackTrace));
    if (made.source.empty() && frame) {
        made.source = fmt::format("{}:{} in {}", frame->path, frame->line, frame->function);
    }
}

std::string nameOf(const program::Method& method, const program::Instruction& what) {
    if (const auto* const kernel = std::get_if<program::KernelCall>(&what)) {
        return method.op(kernel->op).fullName();
    }
    if (const auto* const call = std::get_if<program::DelegateCall>(&what)) {
        return std::string(method.delegate(call->delegate).backend);
    }
    return std::string(program::instructionName(what));
}

/// Adds the remaining operators of the delegate that an instruction calls.
Result<> addOperatorsInside(const program::Method& method, std::size_t instruction,
                            std::span<const std::size_t> chosen, const etrecord::Record* record,
                            std::vector<ReducedOperator>& operators) {
    const auto& call = std::get<program::DelegateCall>(method.chains.front().instructions[instruction]);
    ET_ASSIGN(const auto nodes, backends::nodesIn(method.delegate(call.delegate)));
    const etrecord::ExportedGraph* const graph = record == nullptr ? nullptr : record->edgeGraph(method.name);
    for (const std::size_t node : chosen) {
        ReducedOperator made{.instruction = instruction,
                             .node = node,
                             .name = nodes[node].kind,
                             .edgeNodes = {},
                             .source = {}};
        if (graph != nullptr && nodes[node].debugHandle) {
            for (const etrecord::NodeIndex each :
                 graph->nodesOf(core::DebugHandle(*nodes[node].debugHandle))) {
                addNode(made, graph->nodes[each]);
            }
        }
        operators.push_back(std::move(made));
    }
    return {};
}

PartSizes withChanged(PartSizes sizes, std::int64_t from, std::int64_t to) {
    for (auto& each : sizes) {
        if (each) {
            std::ranges::replace(*each, from, to);
        }
    }
    return sizes;
}

class Reducer {
  public:
    Reducer(const ReduceSettings& what, ProgressReporter& shown) : settings(what), watch(shown) {}

    Result<Reduction> run() {
        ET_TRY(open());
        ET_TRY(settings.resume ? goOn() : checkWhole());
        // However the search ends, the smallest candidate so far is the result.
        if (auto searched = search(); !searched && searched.error().code != ErrorCode::Cancelled) {
            return std::unexpected(std::move(searched).error());
        }
        return finish();
    }

  private:
    Result<> open() {
        ET_ASSIGN(out.kind, parseFailure(settings.failure));
        if (out.kind == FailureKind::Slower) {
            ET_ASSIGN(const OtherSide side, parseOtherSide(settings.than, !settings.options.plugins.empty()));
            isTimedByTrace = !side.trace.empty();
        } else if (!settings.than.empty()) {
            return fail(ErrorCode::InvalidArgument, "--against requires --fails slower");
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
                        "the folder already contains a result; --resume continues from it",
                        {.file = settings.folder.string()});
        }
        // A command gets a file of the same kind as the whole; the other kinds need the cases.
        const bool isBare = out.kind == FailureKind::Command && file.bundle == nullptr;
        out.file = isBare ? "part.pte" : bundleName;
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
                             .constants = constants,
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

    /// Resumes an interrupted reduction.
    Result<> goOn() {
        ET_ASSIGN(const ReductionState state, loadState(stateFile()));
        if (state.failure != settings.failure) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected --fails \"{}\", which the reduction was started with",
                                    core::printable(state.failure)),
                        {.file = stateFile().string()});
        }
        signature = wholeSignature = state.signature;
        inputs = state.inputs;
        ET_ASSIGN(CandidateReport report, ask(state.part));
        if (!report.fails || report.signature != signature) {
            return fail(ErrorCode::Mismatch,
                        fmt::format("the smallest part found no longer fails: {}", report.message),
                        {.file = stateFile().string()});
        }
        return take(state.part, std::move(report));
    }

    /// Stores the new smallest candidate.
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
        // Written now, so that an interruption keeps the smallest candidate.
        const bool isSmaller = sizes && (*sizes != wholeSizes || !constants.empty());
        out.sizes = isSmaller ? *sizes : PartSizes();
        out.sizesBefore = isSmaller ? wholeSizes : PartSizes();
        out.constants = constants;
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
        const PartItems& of = items ? *items : PartItems(*method, {});
        const std::size_t before = of.count(out.part);
        ET_TRY(take(part, std::move(report)));
        for (std::size_t left = of.count(part); left < before; ++left) {
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
        // Finished: nothing to resume.
        std::error_code ignored;
        fs::remove(stateFile(), ignored);
        return {};
    }

    /// Shrinks tensors, then simplifies values. If the record's graph is the reference, the part is checked
    /// alone from here on, where its failure has a different signature.
    Result<> simplify() {
        const std::string whole = signature;
        wholeSizes = out.report.sizes;
        if (wholeSizes.empty()) {
            return {};
        }
        sizes = PartSizes(wholeSizes.size());
        ET_ASSIGN(const CandidateReport alone, ask(out.part));
        if (alone.fails) {
            signature = alone.signature;
            ET_TRY(shrinkInputs());
            ET_TRY(shrinkConstants(alone.constants));
            ET_TRY(simplifyValues());
        }
        sizes.reset();
        constants.clear();
        signature = whole;
        return {};
    }

    Result<> shrinkInputs() {
        watch.begin("sizes", 1);
        ET_ASSIGN(const PartSizes smallest, smallestSizes(wholeSizes, [&](const PartSizes& tried) {
                      sizes = tried;
                      return fails(out.part);
                  }));
        sizes = smallest;
        return {};
    }

    /// Shrinks channels: sizes of constants, and of inputs that still have the same size.
    Result<> shrinkConstants(const std::string& all) {
        for (const std::int64_t size : sizesOf(all).value_or(std::vector<std::int64_t>())) {
            const PartSizes base = *sizes;
            ET_ASSIGN(const bool isSmallest, failsWithConstant(base, size, 1));
            bool isSmaller = !isSmallest;
            for (std::int64_t half = size / 2; half > 1 && isSmaller; half /= 2) {
                ET_ASSIGN(isSmaller, failsWithConstant(base, size, half));
            }
        }
        return {};
    }

    /// Keeps the change if it still fails, otherwise restores the previous state.
    Result<bool> failsWithConstant(const PartSizes& base, std::int64_t size, std::int64_t smaller) {
        const PartSizes sizesBefore = *sizes;
        const SizeChanges constantsBefore = constants;
        constants[size] = smaller;
        sizes = withChanged(base, size, smaller);
        ET_ASSIGN(const bool isSmaller, fails(out.part));
        if (!isSmaller) {
            sizes = sizesBefore;
            constants = constantsBefore;
        }
        return isSmaller;
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

    /// Searches among the operators of all called delegates, together with the instructions between them.
    Result<> searchInside() {
        items.emplace(*method, out.part);
        if (!items->hasOperators() || items->size() < 2 || isTimedByTrace) {
            return {};
        }
        watch.begin("operators", items->size());
        if (out.report.place && out.report.place->node) {
            const FailureLocation place = *out.report.place;
            ET_ASSIGN(const bool alone, fails({.instructions = {place.instruction},
                                               .nodes = {{place.instruction, {*place.node}}}}));
            if (alone) {
                return {};
            }
        }
        ET_ASSIGN(const std::vector<std::size_t> smallest,
                  smallestFailing(numbersBelow(items->size()), [&](std::span<const std::size_t> kept) {
                      return fails(items->choice(kept));
                  }));
        static_cast<void>(smallest);
        return {};
    }

    Result<Reduction> finish() {
        std::error_code ignored;
        fs::remove(candidateFile(), ignored);
        out.nodesBefore = operatorsInOpened(*method, out.part);
        ET_ASSIGN(out.operators, operatorsOf(*method, out.part, settings.options.record));
        if (!settings.options.record.empty()) {
            ET_ASSIGN(const auto record, openRecord(settings.options.record));
            const etrecord::ExportedGraph* const graph = record->edgeGraph(out.method);
            out.torchVersion = graph == nullptr ? std::string() : graph->torchVersion;
            out.hasRecord = writeRecord(*record).has_value();
        }
        out.bytes = fs::file_size(settings.folder / out.file, ignored);
        out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        ET_TRY(writeFile(settings.folder / pageName, producerOf(reductionPage(out, settings))));
        return std::move(out);
    }

    /// Rebuilds the part here to find what it was made from. Runs nothing except, for smaller inputs, the
    /// graph.
    [[nodiscard]] Result<> writeRecord(const etrecord::Record& record) const {
        ModelOptions plain;
        plain.method = out.method;
        plain.tensorData = settings.options.tensorData;
        ET_ASSIGN(const auto maker, PartMaker::open(settings.model, plain, 1));
        ET_TRY(maker->cut(out.part));
        std::shared_ptr<const bundled_program::Bundle> part;
        if ((!out.sizes.empty() || !out.constants.empty()) && out.file == bundleName) {
            ET_ASSIGN(part, bundled_program::Bundle::open(settings.folder / out.file));
            maker->cases() = part->suites.at(0);
            ET_TRY(maker->shrink({.inputs = out.sizes, .constants = out.constants},
                                 PartMaker::SizesFrom::Inputs));
        }
        return writePartRecord(*maker, out.part, record, settings.folder / out.file, {});
    }

    static constexpr const char* pageName = "README.md";
    static constexpr const char* bundleName = "part.bpte";

    const ReduceSettings& settings;
    ProgressReporter& watch;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ProgramFile file;
    const program::Method* method = nullptr;
    ModelOptions options;  ///< of candidates
    bool addsRandom = false;
    std::optional<std::size_t> inputs;  ///< input sets on which the whole fails
    std::optional<Fill> fill;           ///< of candidates
    std::optional<PartSizes> sizes;     ///< likewise
    PartSizes wholeSizes;               ///< input sizes of the part before shrinking
    std::optional<PartItems> items;     ///< items of the search inside delegates
    bool isTimedByTrace = false;        ///< traces have no times for operators of delegates
    SizeChanges constants;              ///< likewise
    std::string wholeSignature;
    std::string signature;  ///< signature that a candidate must have
    Reduction out;
};

}  // namespace

Result<std::vector<ReducedOperator>> operatorsOf(const program::Method& method, const PartChoice& part,
                                                 const std::filesystem::path& path) {
    ET_ASSIGN(const auto record, openRecord(path));
    const auto& chain = method.chains.front().instructions;
    const inspector::InstructionNodes instructionNodes(record.get(), method.name);
    std::vector<ReducedOperator> operators;
    for (const std::size_t instruction : part.instructions) {
        if (const auto chosen = part.nodes.find(instruction); chosen != part.nodes.end()) {
            ET_TRY(addOperatorsInside(method, instruction, chosen->second, record.get(), operators));
            continue;
        }
        ReducedOperator made{.instruction = instruction,
                             .node = {},
                             .name = nameOf(method, chain[instruction]),
                             .edgeNodes = {},
                             .source = {}};
        for (const etrecord::Node* const node :
             instructionNodes.nodesOf(core::InstructionId(static_cast<std::int32_t>(instruction)))) {
            addNode(made, *node);
        }
        operators.push_back(std::move(made));
    }
    return operators;
}

Result<Reduction> reduceProgram(const ReduceSettings& settings, ProgressReporter& watch) {
    return Reducer(settings, watch).run();
}

}  // namespace et::tasks
