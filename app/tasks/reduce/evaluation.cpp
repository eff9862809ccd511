#include "app/tasks/reduce/evaluation.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/gap/gap_input_sets.h"
#include "app/tasks/model/recorded_inputs.h"
#include "app/tasks/reduce/nan_origin.h"
#include "app/tasks/reduce/slowness.h"
#include "app/tasks/rewrite/number_list.h"
#include "app/tasks/rewrite/part_record.h"
#include "app/tasks/rewrite/part_value_sources.h"
#include "app/tasks/verify/verify_file.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/part_reference.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::PartReference;
using inspector::RuntimeValues;

/// A whole program may have thousands of cases.
constexpr std::size_t mostCases = 8;

/// Builds and checks one candidate.
class Candidate {
  public:
    Candidate(const CandidateSettings& what, const CandidateBuilt& whenBuilt, CandidateReport& into)
        : settings(what), built(whenBuilt), report(into), part(what.part) {}

    Result<> run() {
        ET_TRY(prepare());
        ET_TRY(maker->cut(part));
        ET_TRY(maker->makeInputs());
        if (settings.fill) {
            fillInputs(*settings.fill);
        }
        if (settings.sizes) {
            report.constants = sizesWord(collectConstantSizes(maker->part().method));
            ET_TRY(maker->shrink({.inputs = *settings.sizes, .constants = settings.constants},
                                 settings.kind == FailureKind::Crash ? PartMaker::SizesFrom::Inputs
                                                                     : PartMaker::SizesFrom::Run));
        }
        report.sizes = inputSizes(maker->part());
        if (record != nullptr && usesGraphReference(settings.kind) && (settings.sizes || settings.fill)) {
            ET_TRY(takePartAsWhole());
        }
        switch (settings.kind) {
            case FailureKind::Gap:
                return judgeGap();
            case FailureKind::Verify:
                return judgeOutputs();
            case FailureKind::Crash:
                ET_TRY(deliver());
                return runOnce();
            case FailureKind::Nan:
                return judgeNan();
            case FailureKind::Slower:
                ET_TRY(runExpected());
                ET_TRY(deliver());
                return evaluateSlowness(*maker, settings, part, report);
            case FailureKind::Command:
                ET_TRY(makeExpected());
                return deliver();
        }
        return {};
    }

    /// Integer inputs are kept, since they may be indices.
    void fillInputs(Fill fill) {
        for (bundled_program::TestCase& each : maker->cases().cases) {
            for (BundledValue& value : each.inputs) {
                auto* const tensor = std::get_if<BundledTensor>(&value);
                const auto type = tensor == nullptr ? core::ScalarType::Long
                                                    : static_cast<core::ScalarType>(tensor->scalarType);
                const ElementFill* const how = core::isFloating(type) ? elementFill(type) : nullptr;
                if (how != nullptr) {
                    inspector::HostTensor host{.dtype = type,
                                               .sizes = tensor->sizes,
                                               .dimOrder = tensor->dimOrder,
                                               .data = {tensor->data.begin(), tensor->data.end()}};
                    how->fill(host, fill, 0);
                    tensor->data = kept.emplace_back(std::move(host.data));
                }
            }
        }
    }

  private:
    [[nodiscard]] bool hasRecord() const { return !settings.options.record.empty(); }
    /// Whether the reference is a run without the plugins, which may be faulty.
    [[nodiscard]] bool comparesPlugins() const {
        return settings.kind == FailureKind::Verify && !hasRecord() && !settings.options.plugins.empty();
    }

    Result<> prepare() {
        ModelOptions options = settings.options;
        if (comparesPlugins()) {
            options.plugins.clear();
        }
        ET_ASSIGN(maker, PartMaker::open(settings.model, options, mostCases));
        if (settings.addsRandom) {
            ET_TRY(addRandomInputs());
        }
        if (settings.inputs) {
            ET_TRY(keepInputs(*settings.inputs));
        }
        if (part.instructions.empty()) {
            part.instructions = numbersBelow(maker->whole().chains.front().instructions.size());
        }
        if (hasRecord() && settings.kind != FailureKind::Crash) {
            ET_ASSIGN(record, openRecord(settings.options.record));
        }
        return {};
    }

    /// Discards all input sets except one.
    Result<> keepInputs(std::size_t index) {
        std::deque<InputSet>& sets = maker->inputs();
        if (index >= sets.size()) {
            return fail(ErrorCode::NotFound,
                        fmt::format("there are {} input sets, not {}", sets.size(), index + 1));
        }
        std::swap(sets.front(), sets[index]);
        sets.resize(1);
        return {};
    }

    /// As in `gap --bisect`: a fault that one input set does not reach may show with another.
    Result<> addRandomInputs() {
        ET_ASSIGN(const GapInputSet like, makeGapInputSet(maker->inputs().front(), "inputs"));
        for (const std::uint64_t seed : {1U, 2U}) {
            ET_ASSIGN(const GapInputSet random, randomStimulus(like, seed, "random"));
            ET_ASSIGN(InputSet set, inputsFrom(random.values, random.name));
            maker->inputs().push_back(std::move(set));
        }
        return {};
    }

    /// Runs the whole program and the graph on the inputs of a case.
    Result<> refer(std::size_t index) {
        const Model& model = maker->base();
        inspector::ValueTracer tracer(model.limits.memoryBytes);
        ET_ASSIGN(const ProgramPiece piece, maker->loadWhole(&tracer));
        ET_TRY(piece.execute(maker->inputs()[index]));
        runtime = tracer.take();
        ET_ASSIGN(inputSet, makeGapInputSet(maker->inputs()[index], "inputs"));
        ET_ASSIGN(reference, PartReference::make({.record = *record,
                                                  .method = maker->whole().name,
                                                  .runtime = runtime,
                                                  .program = &maker->whole(),
                                                  .inputs = inputSet.values,
                                                  .inputsName = inputSet.name,
                                                  .kernels = model.kernels,
                                                  .threads = model.threads,
                                                  .memoryBytes = model.limits.memoryBytes,
                                                  .cancel = &InterruptionGuard::requested()}));
        return {};
    }

    /// Runs the part on a case and records all intermediate values.
    Result<RuntimeValues> trace(std::size_t index) const {
        inspector::ValueTracer tracer(maker->base().limits.memoryBytes);
        ET_ASSIGN(const ProgramPiece piece, maker->loadPart(&tracer));
        ET_TRY(piece.execute(maker->inputsOfCase(index)));
        return asInWhole(tracer.take(), *maker, part);
    }

    /// Computes expected outputs from the record's graph if there is one, otherwise from a run of the whole.
    Result<> makeExpected() {
        ET_TRY(runExpected());
        if (record == nullptr) {
            return {};
        }
        ET_ASSIGN(const PartValueSources places, collectValueSources(*maker, part));
        for (std::size_t i = 0; i < maker->cases().cases.size(); ++i) {
            ET_TRY(refer(i));
            ET_TRY(expectGraph(places, i));
        }
        return {};
    }

    /// Computes expected outputs from the whole; if the inputs were changed, from the part.
    Result<> runExpected() {
        const bool isOwn = origin != nullptr || !(settings.fill || settings.sizes);
        return isOwn ? maker->makeExpected() : maker->expectFromPart();
    }

    /// For inputs other than those of the whole, only the part with its own record provides the graph's
    /// results.
    Result<> takePartAsWhole() {
        ET_TRY(maker->expectFromPart());
        ET_ASSIGN(ByteVector bytes, maker->bundle());
        ET_ASSIGN(ByteVector graph, partRecord(*maker, part, *record));
        ET_ASSIGN(record, etrecord::Record::parse(core::MappedFile::fromMemory(std::move(graph), "part")));
        ModelOptions options = settings.options;
        options.inputs.clear();
        options.testCase.reset();
        origin = std::move(maker);
        ET_ASSIGN(maker, PartMaker::open(core::MappedFile::fromMemory(std::move(bytes), "part"), options,
                                         mostCases));
        part = {.instructions = numbersBelow(maker->whole().chains.front().instructions.size()), .nodes = {}};
        ET_TRY(maker->cut(part));
        return maker->makeInputs();
    }

    /// Values that the graph does not contain keep those of the run.
    Result<> expectGraph(const PartValueSources& places, std::size_t index) {
        ET_ASSIGN(const auto expected, reference->expected(places.inputs, places.outputs));
        auto& outputs = maker->cases().cases[index].expectedOutputs;
        for (std::size_t i = 0; i < expected.size() && i < outputs.size(); ++i) {
            auto* const tensor = std::get_if<BundledTensor>(&outputs[i]);
            if (!expected[i] || tensor == nullptr) {
                continue;
            }
            // In the dim order that the part produces.
            ET_ASSIGN(const core::Tensor given, bundled_program::tensorOver(*tensor));
            if (!std::ranges::equal(given.sizes(), expected[i]->view.sizes()) ||
                given.dtype() != expected[i]->view.dtype()) {
                continue;
            }
            std::vector<std::byte>& bytes = kept.emplace_back(given.bytes());
            ET_ASSIGN(core::Tensor target,
                      core::Tensor::make(given.dtype(), given.sizes(), bytes.data(), tensor->dimOrder));
            ET_TRY(kernels::copyElements(maker->base().threads, kernels::viewOf(expected[i]->view),
                                         kernels::viewOf(target)));
            tensor->data = bytes;
        }
        return {};
    }

    Result<> deliver() {
        ET_ASSIGN(const ByteVector bytes,
                  settings.output.extension() == ".bpte" ? maker->bundle() : maker->content());
        ET_TRY(writeFile(settings.output, producerOf(textOf(bytes))));
        report.isBuilt = true;
        built(report.sizes);
        return {};
    }

    Result<> judgeGap() {
        if (record == nullptr) {
            return fail(ErrorCode::InvalidArgument, "--fails gap needs --etrecord");
        }
        ET_TRY(makeExpected());
        ET_TRY(deliver());
        for (std::size_t i = 0; i < maker->cases().cases.size(); ++i) {
            if (maker->cases().cases.size() > 1) {
                ET_TRY(refer(i));
            }
            ET_ASSIGN(const RuntimeValues computed, trace(i));
            ET_ASSIGN(const auto divergence, reference->firstDivergence(computed));
            if (divergence) {
                say(*divergence, i);
                sayNumbers(i);
                return {};
            }
        }
        report.message = "no operator diverges";
        return {};
    }

    void say(const inspector::PartDivergence& divergence, std::size_t index) {
        report.fails = true;
        report.inputs = index;
        report.place =
            FailureLocation{.instruction = static_cast<std::size_t>(divergence.instruction), .node = {}};
        if (divergence.inner) {
            report.place->node = nodeOf(maker->whole(), report.place->instruction, *divergence.inner);
        }
        report.signature = placeText();
        report.message = fmt::format("{} diverges: {}", divergence.op, divergence.error.reason);
    }

    /// Fills in the differing values, as far as the part alone shows them.
    void sayNumbers(std::size_t index) {
        for (const bundled_program::CaseReport& each : verifyPart().cases) {
            if (each.index == index) {
                sayWorst(each);
            }
        }
    }

    [[nodiscard]] std::string placeText() const {
        return report.place->node ? fmt::format("instruction {}, operator {}", report.place->instruction,
                                                *report.place->node)
                                  : fmt::format("instruction {}", report.place->instruction);
    }

    /// Checks outputs like `et-inspect verify`.
    Result<> judgeOutputs() {
        if (!hasRecord() && !comparesPlugins()) {
            return fail(
                ErrorCode::InvalidArgument,
                "--fails verify needs --etrecord or --plugin to compute the expected outputs of a part");
        }
        ET_TRY(makeExpected());
        ET_TRY(deliver());
        const bundled_program::FileReport verified = verifyPart();
        report.message = verified.message.empty() ? "all outputs agree" : verified.message;
        report.fails = verified.verdict == bundled_program::Verdict::Fail;
        report.signature = "verify";
        const auto failed = std::ranges::find(verified.cases, bundled_program::Verdict::Fail,
                                              &bundled_program::CaseReport::verdict);
        if (failed != verified.cases.end()) {
            report.inputs = failed->index;
            sayWorst(*failed);
        }
        return {};
    }

    /// Verifies the written file with the plugins.
    [[nodiscard]] bundled_program::FileReport verifyPart() const {
        VerifySettings verifying;
        verifying.model = settings.options;
        verifying.model.method.clear();
        verifying.model.inputs.clear();
        verifying.model.testCase.reset();
        verifying.model.record.clear();
        return verifyFile(settings.output, verifying);
    }

    void sayWorst(const bundled_program::CaseReport& failed) {
        for (const bundled_program::Comparison& output : failed.outputs) {
            if (!output.agrees() && output.worst) {
                report.expected = output.worst->expected;
                report.got = output.worst->given;
                return;
            }
        }
    }

    Result<> judgeNan() {
        ET_TRY(runExpected());
        ET_TRY(deliver());
        for (std::size_t i = 0; i < maker->cases().cases.size(); ++i) {
            if (hasNan(maker->cases().cases[i].inputs)) {
                report.message = "the inputs contain NaN";
                continue;
            }
            ET_ASSIGN(const RuntimeValues computed, trace(i));
            if (sayNan(computed, i)) {
                return {};
            }
        }
        report.message = report.message.empty() ? "no value is NaN" : report.message;
        return {};
    }

    bool sayNan(const RuntimeValues& computed, std::size_t index) {
        const auto origin = firstNan(computed);
        if (!origin) {
            return false;
        }
        report.place = FailureLocation{.instruction = origin->instruction, .node = {}};
        if (origin->inner) {
            report.place->node = nodeOf(maker->whole(), origin->instruction, *origin->inner);
        }
        report.fails = true;
        report.inputs = index;
        report.signature = "nan";
        report.expected = "finite numbers";
        report.got = "NaN";
        report.message = fmt::format("NaN first appears at {} ({})", origin->op, placeText());
        return true;
    }

    /// If the process survives this, the candidate does not crash.
    Result<> runOnce() {
        ET_ASSIGN(const ProgramPiece piece, maker->loadPart(nullptr));
        for (std::size_t i = 0; i < maker->cases().cases.size(); ++i) {
            ET_TRY(piece.execute(maker->inputsOfCase(i)));
        }
        report.message = "it runs to completion";
        return {};
    }

    const CandidateSettings& settings;
    const CandidateBuilt& built;
    CandidateReport& report;
    PartChoice part;
    std::unique_ptr<PartMaker> origin;  ///< of takePartAsWhole()
    std::unique_ptr<PartMaker> maker;
    std::shared_ptr<const etrecord::Record> record;
    RuntimeValues runtime;
    GapInputSet inputSet;
    std::unique_ptr<PartReference> reference;
    std::deque<std::vector<std::byte>> kept;
};

}  // namespace

Result<> evaluateCandidate(const CandidateSettings& settings, const CandidateBuilt& built,
                           CandidateReport& report) {
    return Candidate(settings, built, report).run();
}

}  // namespace et::tasks
