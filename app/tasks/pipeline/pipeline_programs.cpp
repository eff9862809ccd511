#include "app/tasks/pipeline/pipeline_programs.h"

#include "inspector/numeric_gap/tensor_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <system_error>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using executor::InputValue;
using executor::TensorInput;

/// Adds the program's name in the manifest.
core::Error inProgram(core::Error error, const PipelineProgram& program) {
    error.message = fmt::format("program {}: {}", core::printable(program.name), error.message);
    return std::move(error).in(program.file.string());
}

/// The input as the method takes it: a tensor, or the number of its only element.
Result<InputValue> inputFor(const program::Value& expected, const ReferenceTensor& given) {
    if (given.owner == nullptr) {
        return InputValue();
    }
    if (expected.as<program::TensorInfo>() != nullptr) {
        return InputValue(
            TensorInput{.dtype = given.view.dtype(),
                        .sizes = std::span(given.view.sizes().begin(), given.view.sizes().end()),
                        .dimOrder = {},
                        .data = given.view.rawBytes()});
    }
    if (given.view.numel() != 1) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a number, got {}", core::describe(given.view)));
    }
    ET_ASSIGN(const std::vector<double> numbers, inspector::numbersOf(given.view));
    if (expected.as<double>() != nullptr) {
        return InputValue(numbers.front());
    }
    if (expected.as<bool>() != nullptr) {
        return InputValue(numbers.front() != 0);
    }
    return InputValue(core::toInt64(numbers.front()));
}

template <class T>
Result<ReferenceTensor> numberTensor(T number) {
    return inspector::rowMajorCopy(core::Tensor::over(&number, {}));
}

Result<ReferenceTensor> outputOf(const core::Value& value) {
    if (const auto* const tensor = value.as<core::Tensor>()) {
        return inspector::rowMajorCopy(*tensor);
    }
    if (const auto* const whole = value.as<std::int64_t>()) {
        return numberTensor(*whole);
    }
    if (const auto* const number = value.as<double>()) {
        return numberTensor(*number);
    }
    if (const auto* const truth = value.as<bool>()) {
        return numberTensor(*truth);
    }
    return fail(ErrorCode::Unsupported,
                fmt::format("expected a tensor or a number, got {}", value.kindName()));
}

std::unexpected<core::Error> atValue(std::string_view list, std::size_t index, const std::string& name,
                                     core::Error error) {
    error.message = fmt::format("{} {} ({}): {}", list, index, core::printable(name), error.message);
    error.where.field.clear();
    return std::unexpected(std::move(error));
}

}  // namespace

Result<> PipelinePrograms::add(const PipelineProgram& program, ModelOptions options) {
    options.tensorData = program.weights;
    options.record = program.record;
    options.inputs.clear();
    const std::uint64_t start = core::EventTracer::now();
    auto model = Model::prepare(program.file, options);
    if (!model) {
        return std::unexpected(inProgram(std::move(model).error(), program));
    }
    (*model)->module.emplace((*model)->newModule(nullptr));
    programs.push_back({.model = *std::move(model),
                        .initial = nullptr,
                        .methods = {},
                        .memory = {.name = program.name, .file = program.file}});
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(program.file, unknown);
    programs.back().memory.fileBytes = unknown ? 0 : bytes;
    programs.back().memory.loadNanoseconds = core::EventTracer::now() - start;
    return {};
}

Result<> PipelinePrograms::loadMethod(const PipelineStage& stage) {
    Loaded& of = programs[*stage.program];
    const auto stageError = [&](core::Error error) {
        error.message = fmt::format("stage {}: {}", core::printable(stage.path), error.message);
        return std::unexpected(std::move(error).in(of.memory.file.string()));
    };
    auto chosen = chooseMethod(*of.model->program, stage.method);
    if (!chosen) {
        return stageError(std::move(chosen).error());
    }
    executor::Method*& method = of.methods[std::string((*chosen)->name)];
    if (method == nullptr) {
        const std::uint64_t start = core::EventTracer::now();
        auto made = of.model->module->load((*chosen)->name);
        if (!made) {
            return stageError(errorOfProgram(std::move(made).error(), *of.model->program));
        }
        method = *made;
        if (auto prepared = method->prepare(); !prepared) {
            return stageError(errorOfProgram(std::move(prepared).error(), *of.model->program));
        }
        of.memory.loadNanoseconds += core::EventTracer::now() - start;
    }
    stages[&stage] = method;
    if (method->inputCount() != stage.inputs.size() || method->outputCount() < stage.outputs.size()) {
        return stageError(
            {.code = ErrorCode::Mismatch,
             .message = fmt::format("the method {} has {} inputs and {} outputs, but the manifest "
                                    "names {} inputs and {} outputs",
                                    core::printable((*chosen)->name), method->inputCount(),
                                    method->outputCount(), stage.inputs.size(), stage.outputs.size())});
    }
    return {};
}

Result<std::unique_ptr<PipelinePrograms>> PipelinePrograms::load(const Manifest& manifest,
                                                                 const ModelOptions& options) {
    auto made = std::unique_ptr<PipelinePrograms>(new PipelinePrograms());
    for (const PipelineProgram& program : manifest.programs) {
        ET_TRY(made->add(program, options));
    }
    for (const PipelineStage* const stage : manifest.allStages()) {
        if (stage->program) {
            ET_TRY(made->loadMethod(*stage));
        }
    }
    for (Loaded& each : made->programs) {
        ET_ASSIGN(each.initial, each.model->module->saveState());
    }
    return made;
}

Result<> PipelinePrograms::reset() {
    for (Loaded& each : programs) {
        ET_TRY(each.model->module->restoreState(*each.initial));
    }
    return {};
}

executor::Method& PipelinePrograms::loaded(const PipelineStage& stage) const {
    return *stages.at(&stage);
}

const program::Method& PipelinePrograms::method(const PipelineStage& stage) const {
    return loaded(stage).description();
}

Result<std::vector<ReferenceTensor>> PipelinePrograms::call(const PipelineStage& stage,
                                                            std::span<const ReferenceTensor> inputs,
                                                            CallTime& time) {
    executor::Method& method = loaded(stage);
    const program::Method& described = method.description();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        auto value = inputFor(described.value(described.inputs[i]), inputs[i]);
        if (!value) {
            return atValue("input", i, stage.inputs[i], std::move(value).error());
        }
        if (auto set = method.setInput(i, *value); !set) {
            return atValue("input", i, stage.inputs[i], std::move(set).error());
        }
    }
    const std::uint64_t start = core::EventTracer::now();
    auto done = method.execute();
    time.program = core::EventTracer::now() - start;
    if (!done) {
        return std::unexpected(
            errorOfProgram(std::move(done).error(), *programs[*stage.program].model->program));
    }
    std::vector<ReferenceTensor> outputs;
    for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
        auto output = outputOf(method.output(i));
        if (!output) {
            return atValue("output", i, stage.outputs[i], std::move(output).error());
        }
        outputs.push_back(*std::move(output));
    }
    return outputs;
}

std::vector<ProgramMemory> PipelinePrograms::memory() const {
    std::vector<ProgramMemory> all;
    for (const Loaded& each : programs) {
        ProgramMemory& memory = all.emplace_back(each.memory);
        constexpr std::size_t firstShared = 2;  // see executor::Module
        std::set<std::pair<std::size_t, std::uint64_t>> shared;
        for (const auto& [name, method] : each.methods) {
            const executor::MemoryReport report = method->memory();
            for (std::size_t i = 0; i < report.arenas.size(); ++i) {
                if (i < firstShared || shared.emplace(i, report.arenas[i]).second) {
                    memory.planned += report.arenas[i];
                }
            }
            memory.constants = std::max(memory.constants, report.constants + report.copiedConstants);
            memory.packed += report.packedWeights;
            memory.workspace += report.workspace + report.temporaryPeak + report.growing + report.unplannedIo;
        }
    }
    return all;
}

}  // namespace et::tasks
