#include "app/tasks/base/interruption.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/pipeline/pipeline_programs.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace et::tasks {
namespace {

using backends::reference::Interpreter;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::fail;
using core::Result;

/// The input as the graph takes it: see PipelinePrograms.
Result<ReferenceValue> referenceInput(const program::Value& expected, const ReferenceTensor& given) {
    if (given.owner == nullptr) {
        return ReferenceValue();
    }
    if (expected.as<program::TensorInfo>() != nullptr) {
        return ReferenceValue{.content = given};
    }
    ET_ASSIGN(const std::vector<double> numbers, inspector::numbersOf(given.view));
    if (numbers.size() != 1) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a number, got {}", core::describe(given.view)));
    }
    if (expected.as<double>() != nullptr) {
        return ReferenceValue{.content = numbers.front()};
    }
    if (expected.as<bool>() != nullptr) {
        return ReferenceValue{.content = numbers.front() != 0};
    }
    return ReferenceValue{.content = core::toInt64(numbers.front())};
}

Result<ReferenceTensor> referenceOutput(const ReferenceValue& value) {
    if (const auto* const tensor = value.as<ReferenceTensor>()) {
        return inspector::rowMajorCopy(tensor->view);
    }
    const auto number = [](auto content) -> Result<ReferenceTensor> {
        return inspector::rowMajorCopy(core::Tensor::over(&content, {}));
    };
    if (const auto* const whole = value.as<std::int64_t>()) {
        return number(*whole);
    }
    if (const auto* const real = value.as<double>()) {
        return number(*real);
    }
    if (const auto* const truth = value.as<bool>()) {
        return number(*truth);
    }
    return fail(ErrorCode::Unsupported, "expected a tensor or a number as output of the graph");
}

}  // namespace

PipelineReference::~PipelineReference() = default;

Result<> PipelineReference::add(const Manifest& manifest, const PipelineStage& stage,
                                std::uint64_t maxBytes) {
    const PipelineProgram& program = manifest.programs[*stage.program];
    if (program.record.empty()) {
        return otherwise != nullptr
                   ? Result<>()
                   : fail(ErrorCode::NotFound,
                          fmt::format("program {}: no ETRecord to compare with; expected the key etrecord",
                                      core::printable(program.name)),
                          {.file = manifest.path.string(), .field = {}, .offset = {}});
    }
    auto& record = records[*stage.program];
    if (record == nullptr) {
        ET_ASSIGN(record, openRecord(program.record));
    }
    const std::string method(programs.method(stage).name);
    auto& interpreter = interpreters[{*stage.program, method}];
    if (interpreter != nullptr) {
        return {};
    }
    auto made = Interpreter::edge(*record, method,
                                  {.kernels = kernels::builtin(),
                                   .threads = threads,
                                   .memoryBytes = maxBytes,
                                   .cancel = &InterruptionGuard::requested()});
    if (!made) {
        return std::unexpected(std::move(made).error().in(program.record.string()));
    }
    interpreter = *std::move(made);
    return {};
}

Result<std::unique_ptr<PipelineReference>> PipelineReference::load(const Manifest& manifest,
                                                                   const PipelinePrograms& programs,
                                                                   StageExecutor* otherwise,
                                                                   std::uint64_t maxBytes,
                                                                   const PipelineStage* only) {
    auto made = std::unique_ptr<PipelineReference>(new PipelineReference(programs, otherwise));
    for (const PipelineStage* const stage : manifest.allStages()) {
        if (stage->program && (only == nullptr || only == stage)) {
            ET_TRY(made->add(manifest, *stage, maxBytes));
        }
    }
    return made;
}

bool PipelineReference::covers(const PipelineStage& stage) const {
    return stage.program && records.contains(*stage.program);
}

bool PipelineReference::keepsState(const PipelineStage& stage) const {
    const std::string method(programs.method(stage).name);
    return std::ranges::any_of(
        interpreters.at({*stage.program, method})->graph().outputSpecs,
        [](const etrecord::OutputSpec& spec) { return spec.kind == "buffer_mutation"; });
}

Result<std::vector<ReferenceTensor>> PipelineReference::call(const PipelineStage& stage,
                                                             std::span<const ReferenceTensor> inputs,
                                                             CallTime& time) {
    if (!covers(stage)) {
        return otherwise->call(stage, inputs, time);
    }
    const program::Method& method = programs.method(stage);
    std::vector<ReferenceValue> values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        ET_ASSIGN(ReferenceValue value, referenceInput(method.value(method.inputs[i]), inputs[i]));
        values.push_back(std::move(value));
    }
    const std::uint64_t start = core::EventTracer::now();
    ET_ASSIGN(const std::vector<ReferenceValue> results,
              interpreters.at({*stage.program, std::string(method.name)})->run(values));
    time.program = core::EventTracer::now() - start;
    std::vector<ReferenceTensor> outputs;
    for (const ReferenceValue& each : results) {
        ET_ASSIGN(ReferenceTensor output, referenceOutput(each));
        outputs.push_back(std::move(output));
    }
    return outputs;
}

}  // namespace et::tasks
