#include "app/tasks/shapes/shape_execution.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/gap/gap_input_sets.h"
#include "app/tasks/model/model.h"
#include "app/tasks/rewrite/shadow_run.h"
#include "app/tasks/shapes/output_distance.h"
#include "app/tasks/soak/watched_method.h"
#include "backends/reference/interpreter.h"
#include "inspector/memory/kept_state.h"
#include "inspector/numeric_gap/gap_calculation.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/event_tracer.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using backends::reference::Interpreter;
using backends::reference::ReferenceValue;
using core::Result;

/// Finds the instruction that needs the most temporary memory. For one execution of a method loaded with this
/// tracer.
class TemporaryWatch final : public core::EventTracer {
  public:
    /// Sets the method to watch; it must outlive the execution.
    void watch(const executor::Method& loaded) { method = &loaded; }
    /// "convolution.out (instruction 1)"; empty: no instruction needs temporary memory.
    [[nodiscard]] const std::string& largest() const { return owner; }

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view) override {}
    void endRun() override {}
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}

  private:
    const executor::Method* method = nullptr;
    std::vector<std::string> names;
    std::uint64_t peak = 0;
    std::string owner;
};

core::TraceName TemporaryWatch::name(std::string_view text) {
    names.emplace_back(text);
    return core::TraceName(static_cast<std::uint32_t>(names.size() - 1));
}

void TemporaryWatch::profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t, std::uint64_t,
                             core::Bytes) {
    if (method == nullptr || ids.instruction < 0) {
        return;
    }
    const std::uint64_t now = method->memory().temporaryPeak;
    if (now > peak) {
        peak = now;
        owner = fmt::format("{} (instruction {})", names[event.value], ids.instruction);
    }
}

/// For the values of the first execution.
constexpr std::uint64_t keptShapeBytes = std::uint64_t{1} << 30U;

std::string operatorText(const ValueDifference& difference) {
    const ValueSite& site = difference.site;
    return site.instruction < 0 ? fmt::format("output {}", site.position)
                                : fmt::format("{} (instruction {})", site.name, site.instruction);
}

/// One run and its checks.
class ShapeExecution {
  public:
    explicit ShapeExecution(const ShapeTask& what) : task(what) {}

    Result<ShapeReport> run() {
        ET_ASSIGN(model, Model::prepare(task.model, task.options));
        ET_ASSIGN(method, chooseMethod(*model->program, task.options.method));
        ET_ASSIGN(record, openRecord(task.options.record));
        ET_ASSIGN(const GapInputSet like, usual());
        ET_ASSIGN(inputs, resizedStimulus(like, task.sizes, task.options.seed, model->limits.memoryBytes));
        ET_TRY(runBefore(like));
        ET_ASSIGN(const bool ran, runFirst());
        const auto reference = runReference();
        if (!ran) {
            return std::move(report);
        }
        compareOutputs(reference);
        ET_TRY(runPoisoned());
        if (report.unwritten.empty() && reused != nullptr) {
            report.remembers = differenceOf(*reused);
        }
        measure();
        if (task.locate && record != nullptr) {
            locate();
        }
        return std::move(report);
    }

  private:
    [[nodiscard]] auto giving(const GapInputSet& inputSet) const {
        return [&inputSet](executor::Method& called) { return give(inputSet, called); };
    }

    /// Inputs of the record's sizes, or of the largest sizes that the program plans for.
    Result<GapInputSet> usual() const {
        auto found = record != nullptr ? usualOf(*record) : bundledOne();
        if (found && found->values.size() == method->inputs.size()) {
            return found;
        }
        ET_ASSIGN(const InputSet random, randomInputs(*method, task.options.seed, model->limits.memoryBytes));
        ET_ASSIGN(GapInputSet made, makeGapInputSet(random, "random"));
        giveNumbers(made);
        return made;
    }
    /// Numbers that vary between runs have no kind in the program; their example values are in the record.
    void giveNumbers(GapInputSet& inputSet) const {
        const auto* const graph = record == nullptr ? nullptr : record->edgeGraph(method->name);
        std::size_t index = 0;
        for (const etrecord::InputSpec& spec :
             graph == nullptr ? std::span<const etrecord::InputSpec>() : std::span(graph->inputSpecs)) {
            if (!inspector::isUserInput(spec) || index >= inputSet.values.size()) {
                continue;
            }
            const auto* const name = std::get_if<etrecord::ValueRef>(&spec.argument.value);
            const auto number = name == nullptr ? graph->symInts.end() : graph->symInts.find(name->name);
            if (number != graph->symInts.end() && inputSet.values[index].as<std::monostate>() != nullptr) {
                inputSet.values[index].content = number->second.value;
            }
            ++index;
        }
    }
    Result<GapInputSet> usualOf(const etrecord::Record& from) const {
        return usualGapInputSet(
            {.record = from, .method = method->name, .model = model.get(), .options = task.options});
    }
    Result<GapInputSet> bundledOne() const {
        if (model->bundle == nullptr) {
            return core::fail(core::ErrorCode::NotFound, "no bundled case");
        }
        ET_ASSIGN(const InputSet bundled, bundledInputs(*model->bundle, method->name, 0));
        return makeGapInputSet(bundled, "bundled");
    }

    Result<std::unique_ptr<WatchedMethod>> load(std::byte pattern) {
        auto watched = std::make_unique<WatchedMethod>(*model, pattern, keptShapeBytes);
        ET_TRY(watched->load(method->name));
        return watched;
    }

    /// Returns false if the program rejects the inputs.
    Result<bool> runFirst() {
        ET_ASSIGN(first, load(usualPoison));
        first->watch.recordInto(values);
        if (auto ran = first->run(giving(inputs)); !ran) {
            report.end = ShapeEnd::Refused;
            report.message = ran.error().toString();
            return false;
        }
        bits = outputBits(first->method());
        return true;
    }

    /// Prefers built-in kernels, since a plugin's kernels are under test.
    Result<std::unique_ptr<Interpreter>> interpreterWith(const kernels::KernelRegistry& kernels) const {
        return Interpreter::edge(*record, method->name,
                                 {.kernels = kernels,
                                  .threads = model->threads,
                                  .memoryBytes = model->limits.memoryBytes,
                                  .cancel = &InterruptionGuard::requested()});
    }

    /// Outputs of the record's graph; none if there is no reference.
    std::vector<ReferenceValue> runReference() {
        if (record == nullptr) {
            report.noReference = "no record";
            return {};
        }
        auto interpreter = interpreterWith(kernels::builtin());
        if (!interpreter) {
            interpreter = interpreterWith(model->kernels);  // operators that only a plugin implements
        }
        if (!interpreter) {
            report.noReference = interpreter.error().toString();
            return {};
        }
        tolerance = relativeTolerance((*interpreter)->graph());
        auto outputs = (*interpreter)->run(inputs.values);
        if (!outputs) {
            report.referenceRefused = outputs.error().toString();
            return {};
        }
        return *std::move(outputs);
    }

    void compareOutputs(const std::vector<ReferenceValue>& reference) {
        if (!report.noReference.empty() || !report.referenceRefused.empty()) {
            return;
        }
        executor::Method& ran = first->method();
        if (reference.size() != ran.outputCount()) {
            report.noReference = fmt::format("the program has {} outputs, the record's graph {}",
                                             ran.outputCount(), reference.size());
            return;
        }
        for (std::size_t i = 0; i < reference.size(); ++i) {
            report.outputs.push_back(outputDistance(ran.output(i), reference[i], tolerance));
        }
    }

    /// Runs once more and names the first operator whose values differ from the first run. Empty if the
    /// outputs are equal: bytes that an operator does not write may be bytes that nothing reads.
    std::string differenceOf(WatchedMethod& other) {
        other.watch.compareWith(values);
        if (const auto ran = other.run(giving(inputs)); !ran) {
            return ran.error().toString();
        }
        if (outputBits(other.method()) == bits) {
            return {};
        }
        const auto& difference = other.watch.difference();
        return difference ? operatorText(*difference) : std::string("an output");
    }

    Result<> runPoisoned() {
        ET_ASSIGN(const auto other, load(otherPoison));
        report.unwritten = differenceOf(*other);
        return {};
    }

    /// Runs other sizes first, if requested: state kept by a process or method must not affect the result. A
    /// method with mutable state may differ.
    Result<> runBefore(const GapInputSet& like) {
        ET_ASSIGN(const bool hasState, inspector::keepsState(*method));
        if (task.before.empty() || hasState) {
            return {};
        }
        ET_ASSIGN(const GapInputSet before,
                  resizedStimulus(like, task.before, task.options.seed + 1, model->limits.memoryBytes));
        ET_ASSIGN(reused, load(usualPoison));
        reused->watch.recordInto(valuesBefore);
        if (!reused->run(giving(before))) {
            reused.reset();  // reported by its own case
        }
        return {};
    }

    /// Measures time and memory without tracing. Failures are ignored, since the case already ran.
    void measure() {
        TemporaryWatch temporary;
        executor::Module module = model->newModule(&temporary);
        const auto loaded = module.load(method->name);
        if (!loaded) {
            return;
        }
        executor::Method& plain = **loaded;
        temporary.watch(plain);
        constexpr int executions = 4;
        for (int i = 0; i < executions; ++i) {
            if (!give(inputs, plain)) {
                return;
            }
            const std::uint64_t start = core::EventTracer::now();
            if (!plain.execute()) {
                return;
            }
            const auto time = static_cast<double>(core::EventTracer::now() - start);
            report.nanoseconds = i < 2 ? time : std::min(report.nanoseconds, time);
            plain.setTracer(nullptr);
        }
        note(plain.memory());
        report.memory.temporaryBy = temporary.largest();
    }

    void note(const executor::MemoryReport& memory) {
        for (const std::uint64_t arena : memory.arenas) {
            report.memory.planned += arena;
        }
        report.memory.growing = memory.growing;
        report.memory.temporary = memory.temporaryPeak;
        report.memory.workspace = memory.workspace;
        for (const executor::DelegateMemory& each : memory.delegates) {
            report.memory.workspaces.push_back(each.workspace);
        }
    }

    /// Names no operator if the gap cannot be computed.
    void locate() {
        inspector::ValueTracer tracer(model->limits.memoryBytes);
        executor::Module module = model->newModule(&tracer);
        const auto loaded = module.load(method->name);
        if (!loaded || !give(inputs, **loaded) || !(*loaded)->execute()) {
            return;
        }
        const inspector::RuntimeValues seen = tracer.take();
        const auto gap = inspector::calculateGap({.record = *record,
                                                  .method = method->name,
                                                  .runtime = seen,
                                                  .program = method,
                                                  .inputs = inputs.values,
                                                  .inputsName = inputs.name,
                                                  .kernels = kernels::builtin(),
                                                  .threads = model->threads,
                                                  .memoryBytes = model->limits.memoryBytes,
                                                  .cancel = &InterruptionGuard::requested()},
                                                 {.ownErrors = true, .keepsTensors = false});
        if (gap && (*gap)->firstDivergence) {
            const inspector::GapRow& row = (*gap)->rows[*(*gap)->firstDivergence];
            report.culprit =
                fmt::format("{} (instruction {})", fmt::join(row.runtimeOps, ", "), row.instruction);
        }
    }

    const ShapeTask& task;
    std::unique_ptr<Model> model;
    const program::Method* method = nullptr;
    std::shared_ptr<const etrecord::Record> record;
    GapInputSet inputs;
    ExecutionRecord values;
    std::vector<std::string> bits;  ///< outputs of the first run
    ExecutionRecord valuesBefore;
    std::unique_ptr<WatchedMethod> first;
    std::unique_ptr<WatchedMethod> reused;
    double tolerance = 0;
    ShapeReport report;
};

}  // namespace

Result<ShapeReport> executeShape(const ShapeTask& task) {
    return ShapeExecution(task).run();
}

}  // namespace et::tasks
