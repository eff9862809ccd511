#include "app/tasks/pipeline/pipeline_gap.h"

#include "inspector/numeric_gap/tensor_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using Tensors = std::vector<ReferenceTensor>;

std::string inputText(const PipelineStage& stage, std::size_t index) {
    return fmt::format("input {} ({})", index, core::printable(stage.inputs[index]));
}

/// Looks for a change of the inputs or of the program with which the reference reproduces a wrong result.
class Diagnosis {
  public:
    Diagnosis(const Manifest& what, const PipelinePrograms& loaded, const RecordedCalls& calls,
              const RecordedCall& wrong, double limit, std::uint64_t bytes)
        : manifest(what), programs(loaded), recorded(calls), call(wrong), tolerance(limit), maxBytes(bytes) {}

    [[nodiscard]] std::string cause() const {
        for (const auto hypothesis :
             {&Diagnosis::swapped, &Diagnosis::otherProgram, &Diagnosis::otherIteration,
              &Diagnosis::initialState, &Diagnosis::rounded, &Diagnosis::lostState}) {
            if (std::string found = (this->*hypothesis)(); !found.empty()) {
                return found;
            }
        }
        return {};
    }

  private:
    /// Whether the reference of a stage, from its initial state, gives the wrong result on these inputs.
    [[nodiscard]] bool reproduces(const PipelineStage& stage, const Tensors& inputs) const {
        const auto fresh = PipelineReference::load(manifest, programs, nullptr, maxBytes, &stage);
        if (!fresh) {
            return false;
        }
        CallTime ignored;
        const auto outputs = (*fresh)->call(stage, inputs, ignored);
        return outputs && outputs->size() >= call.outputs.size() &&
               areClose(call.outputs, *outputs, tolerance);
    }
    [[nodiscard]] bool reproducesWith(std::size_t index, const ReferenceTensor& other) const {
        Tensors inputs = call.inputs;
        inputs[index] = other;
        return reproduces(*call.stage, inputs);
    }

    [[nodiscard]] std::string swapped() const {
        for (std::size_t i = 0; i < call.inputs.size(); ++i) {
            for (std::size_t j = i + 1; j < call.inputs.size(); ++j) {
                const TensorDifference both = differenceOf(call.inputs[i], call.inputs[j]);
                if (!both.isComparable || both.differing == 0) {
                    continue;
                }
                Tensors inputs = call.inputs;
                std::swap(inputs[i], inputs[j]);
                if (reproduces(*call.stage, inputs)) {
                    return fmt::format("{} and {} are swapped in the program", inputText(*call.stage, i),
                                       inputText(*call.stage, j));
                }
            }
        }
        return {};
    }

    [[nodiscard]] std::string otherProgram() const {
        for (const PipelineStage* const stage : manifest.allStages()) {
            if (stage->program && *stage->program != *call.stage->program &&
                stage->inputs.size() == call.inputs.size() && reproduces(*stage, call.inputs)) {
                return fmt::format("the program computes stage {}", core::printable(stage->path));
            }
        }
        return {};
    }

    /// An input of the previous or next call of the stage gives the result.
    [[nodiscard]] std::string otherIteration() const {
        for (const RecordedCall* const other : {recorded.before(call), recorded.after(call)}) {
            for (std::size_t i = 0; other != nullptr && i < call.inputs.size(); ++i) {
                if (differenceOf(other->inputs[i], call.inputs[i]).exceeds(0) &&
                    reproducesWith(i, other->inputs[i])) {
                    return fmt::format("{} has the value of iteration {}", inputText(*call.stage, i),
                                       other->iteration);
                }
            }
        }
        return {};
    }

    [[nodiscard]] std::string initialState() const {
        return reproduces(*call.stage, call.inputs)
                   ? "the program's state is the initial one: it is not kept between calls"
                   : "";
    }

    /// Earlier calls were right, so what the program keeps between calls is wrong.
    [[nodiscard]] std::string lostState() const {
        const auto fresh = PipelineReference::load(manifest, programs, nullptr, maxBytes, call.stage);
        return fresh && (*fresh)->keepsState(*call.stage) && recorded.firstOf(*call.stage) != &call
                   ? "the state that the program keeps between calls is wrong: a cache is stale"
                   : "";
    }

    [[nodiscard]] std::string rounded() const {
        using core::ScalarType;
        for (std::size_t i = 0; i < call.inputs.size(); ++i) {
            const ReferenceTensor& input = call.inputs[i];
            if (input.owner == nullptr || input.view.dtype() != ScalarType::Float) {
                continue;
            }
            for (const ScalarType narrow : {ScalarType::Half, ScalarType::BFloat16, ScalarType::Long}) {
                const auto less = inspector::converted(input.view, narrow);
                const auto again = less ? inspector::converted(less->view, ScalarType::Float) : less;
                if (again && differenceOf(*again, input).differing > 0 && reproducesWith(i, *again)) {
                    return fmt::format("{} is rounded to {}", inputText(*call.stage, i),
                                       core::scalarTypeName(narrow));
                }
            }
        }
        return {};
    }

    const Manifest& manifest;
    const PipelinePrograms& programs;
    const RecordedCalls& recorded;
    const RecordedCall& call;
    double tolerance;
    std::uint64_t maxBytes;
};

/// Runs both pipelines and compares them.
class GapRun {
  public:
    GapRun(const Manifest& what, PipelinePrograms& loaded, PipelinePrograms& second, double limit,
           std::uint64_t bytes)
        : manifest(what),
          programs(loaded),
          others(second),
          tolerance(limit),
          maxBytes(bytes),
          actual(bytes),
          expected(bytes) {}

    Result<PipelineGapResult> run(const PipelineValues& inputs, ProgressReporter& watch) {
        constexpr std::size_t parts = 3;
        watch.begin("gap", parts);
        ET_TRY(walkPipeline(manifest, inputs, programs, maxBytes,
                            [&](const StageCall& call) { return actual.add(call); }));
        watch.step();
        ET_ASSIGN(const auto reference, PipelineReference::load(manifest, programs, &others, maxBytes));
        ET_TRY(walkPipeline(manifest, inputs, *reference, maxBytes,
                            [&](const StageCall& call) { return expected.add(call); }));
        watch.step();
        ET_TRY(others.reset());
        ET_ASSIGN(const auto local, PipelineReference::load(manifest, programs, &others, maxBytes));
        for (const RecordedCall& call : actual.all()) {
            ET_TRY(compare(call, *local));
        }
        watch.step();
        addUncovered(*local);
        return std::move(made);
    }

  private:
    Result<> compare(const RecordedCall& call, PipelineReference& local) {
        const PipelineStage& stage = *call.stage;
        Tensors own = call.outputs;
        if (local.covers(stage)) {
            CallTime ignored;
            ET_ASSIGN(own, local.call(stage, call.inputs, ignored));
        }
        const RecordedCall* const other = expected.find(stage.path, call.iteration);
        bool isWrong = false;
        bool isOtherwise = other == nullptr;
        for (std::size_t i = 0; i < call.outputs.size(); ++i) {
            if (i >= own.size()) {
                return fail(ErrorCode::Mismatch,
                            fmt::format("stage {}: the graph has {} outputs, the program more",
                                        core::printable(stage.path), own.size()));
            }
            PipelineGapRow row{.stage = stage.path,
                               .iteration = call.iteration,
                               .output = stage.outputs[i],
                               .isProgram = stage.program.has_value(),
                               .isCovered = stage.step != nullptr || local.covers(stage),
                               .own = differenceOf(call.outputs[i], own[i]),
                               .accumulated = {}};
            if (other != nullptr) {
                row.accumulated = differenceOf(call.outputs[i], other->outputs[i]);
                isOtherwise = isOtherwise || (row.accumulated->isInteger && row.accumulated->exceeds(0));
            }
            isWrong = isWrong || row.own.exceeds(tolerance);
            made.rows.push_back(std::move(row));
        }
        if (isWrong && !made.divergence) {
            made.divergence = PipelineDivergence{
                .stage = stage.path,
                .iteration = call.iteration,
                .cause = Diagnosis(manifest, programs, actual, call, tolerance, maxBytes).cause()};
        }
        if (stage.step != nullptr && isOtherwise && !made.choice) {
            made.choice = PipelineDivergence{.stage = stage.path, .iteration = call.iteration, .cause = {}};
        }
        return {};
    }

    void addUncovered(const PipelineReference& local) {
        for (const PipelineStage* const stage : manifest.allStages()) {
            if (stage->program && !local.covers(*stage)) {
                const std::string& name = manifest.programs[*stage->program].name;
                if (!std::ranges::contains(made.uncovered, name)) {
                    made.uncovered.push_back(name);
                }
            }
        }
    }

    const Manifest& manifest;
    PipelinePrograms& programs;
    PipelinePrograms& others;  ///< for stages without an ETRecord
    double tolerance;
    std::uint64_t maxBytes;
    RecordedCalls actual;
    RecordedCalls expected;
    PipelineGapResult made;
};

}  // namespace

Result<PipelineGapResult> measurePipelineGap(const PipelineSettings& settings, double tolerance,
                                             ProgressReporter& watch) {
    ET_ASSIGN(const Manifest manifest, readManifest(settings.manifest));
    if (std::ranges::all_of(manifest.programs,
                            [](const PipelineProgram& each) { return each.record.empty(); })) {
        return fail(ErrorCode::NotFound,
                    "no program has an ETRecord to compare with; expected the key etrecord",
                    {.file = manifest.path.string(), .field = "programs", .offset = {}});
    }
    const std::uint64_t maxBytes = maxBytesOf(settings.model);
    ET_ASSIGN(const PipelineValues inputs, pipelineInputs(manifest, settings.inputs, maxBytes));
    ET_ASSIGN(const auto programs, PipelinePrograms::load(manifest, settings.model));
    ET_ASSIGN(const auto others, PipelinePrograms::load(manifest, settings.model));
    ET_ASSIGN(PipelineGapResult made,
              GapRun(manifest, *programs, *others, tolerance, maxBytes).run(inputs, watch));
    made.name = manifest.name;
    made.tolerance = tolerance;
    return made;
}

}  // namespace et::tasks
