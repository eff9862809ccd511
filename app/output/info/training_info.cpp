#include "app/output/info/training_info.h"

#include "inspector/memory/memory_timeline.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/training_method.h"

#include <string>
#include <utility>

namespace et::output {
namespace {

using inspector::TensorKind;
using program::TrainedParameter;
using program::TrainingMethod;

Dict parameterInfo(const TrainingMethod& training, const TrainedParameter& parameter) {
    const program::TensorInfo& tensor = training.tensorOf(parameter.parameter);
    return {{"name", std::string(parameter.name)},
            {"dtype", core::scalarTypeName(tensor.scalarType)},
            {"sizes", tensor.sizes},
            {"bytes", optionalCell(tensor.byteSize)},
            {"gradient_output", std::uint64_t{parameter.gradient}},
            {"parameter_output", std::uint64_t{parameter.parameter}}};
}

/// State that training does not change: of batch normalization, for example.
Dict bufferInfo(const program::Program& program, const program::Method& method) {
    const auto timeline = inspector::MemoryTimeline::build(program, method);
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; timeline && i < timeline->tensors.size(); ++i) {
        const inspector::PlannedTensor& tensor = timeline->tensors[i];
        count += tensor.kind == TensorKind::State ? 1 : 0;
        bytes += tensor.kind == TensorKind::State ? tensor.bytes : 0;
    }
    return {{"buffers", count}, {"buffer_bytes", bytes}};
}

Dict methodTraining(const program::Program& program, const TrainingMethod& training) {
    std::int64_t bytes = 0;
    for (const TrainedParameter& each : training.parameters) {
        bytes += training.tensorOf(each.parameter).byteSize.value_or(0);
    }
    Dict info{{"method", std::string(training.method->name)},
              {"user_outputs", std::uint64_t{training.userOutputs}},
              {"loss_output", training.loss ? Cell(std::uint64_t{*training.loss}) : Cell()},
              {"parameter_bytes", bytes}};
    append(info, bufferInfo(program, *training.method));
    info.emplace_back("parameters", listOf(training.parameters, [&](const TrainedParameter& each) {
                          return parameterInfo(training, each);
                      }));
    return info;
}

}  // namespace

List trainingInfo(const program::Program& program) {
    const program::TrainingMethods found = program::trainingMethods(program);
    List list;
    for (const TrainingMethod& each : found.methods) {
        list.emplace_back(methodTraining(program, each));
    }
    for (const core::Error& problem : found.problems) {
        list.emplace_back(Dict{{"problem", problem.toString()}});
    }
    return list;
}

}  // namespace et::output
