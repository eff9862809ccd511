#include "benchmarks/support/sample_model.h"

#include "app/samples/sample_set.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"

#include <utility>
#include <variant>

namespace et::benchmarks {

std::unique_ptr<SampleModel> SampleModel::open(std::string_view name, std::size_t threads) {
    auto files = samples::makeSampleSet(name);
    if (!files) {
        return nullptr;
    }
    auto& program = files->front();
    auto parsed =
        program::Program::parse(core::MappedFile::fromMemory(std::move(program.bytes), program.name));
    if (!parsed) {
        return nullptr;
    }
    std::unique_ptr<SampleModel> model(new SampleModel(threads));
    model->module.emplace(*parsed,
                          executor::Environment{.kernels = kernels::builtin(), .threads = model->threads});
    const auto loaded = model->module->load("forward");
    if (!loaded) {
        return nullptr;
    }
    model->method = *loaded;
    return model;
}

std::uint64_t SampleModel::run(core::EventTracer* tracer) {
    method->setTracer(tracer);
    const auto& description = method->description();
    const auto& info = *description.value(description.inputs.front()).as<program::TensorInfo>();
    zeros.resize(static_cast<std::size_t>(info.byteSize.value_or(0)));
    const executor::TensorInput input{.sizes = info.sizes, .dimOrder = info.dimOrder, .data = zeros};
    if (!method->setInput(0, input)) {
        return 0;
    }
    const std::uint64_t start = core::EventTracer::now();
    return method->execute() ? core::EventTracer::now() - start : 0;
}

}  // namespace et::benchmarks
