#include "app/embed/module_impl.h"

#include "app/embed/convert.h"
#include "app/embed/log.h"
#include "app/embed/runtime_parts.h"
#include "app/embed/source_file.h"
#include "app/embed/tensor_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace et_inspect {
namespace {

using EngineCode = et::core::ErrorCode;
using et::executor::InputValue;

double milliseconds(std::uint64_t start) {
    return static_cast<double>(et::core::EventTracer::now() - start) / 1e6;
}

/// An input of the engine that borrows from `value`. Errors: those of a failed factory, InvalidArgument.
et::core::Result<InputValue> engineInput(const Value& value) {
    const Value::Content& content = value.content();
    if (const auto* tensor = std::get_if<Tensor>(&content)) {
        const Tensor::Impl& held = detail::TensorAccess::of(*tensor);
        const bool isRowMajor = std::ranges::is_sorted(held.order);
        return et::executor::TensorInput{
            .dtype = detail::engineType(held.dtype),
            .sizes = held.sizes,
            .dimOrder = isRowMajor ? std::span<const std::uint8_t>() : held.order,
            .data = detail::TensorAccess::bytes(*tensor)};
    }
    if (const auto* number = std::get_if<std::int64_t>(&content)) {
        return *number;
    }
    if (const auto* number = std::get_if<double>(&content)) {
        return *number;
    }
    if (const auto* flag = std::get_if<bool>(&content)) {
        return *flag;
    }
    if (const auto* failure = std::get_if<Error>(&content)) {
        return std::unexpected(detail::engineError(*failure));
    }
    if (value.is_none()) {
        return std::monostate();
    }
    return et::core::fail(EngineCode::InvalidArgument, "a text cannot be an input");
}

}  // namespace

et::core::Error Module::Impl::inProgram(et::core::Error error) const {
    return std::move(error).in(program->file->name());
}

et::core::Result<> Module::Impl::open() {
    if (module) {
        return {};
    }
    const std::uint64_t start = et::core::EventTracer::now();
    ET_TRY(detail::openPlugins(options.plugins, plugins, kernels, backends));
    if (ownKernels == nullptr) {
        ET_ASSIGN(ownKernels, detail::KernelTable::make(options.kernels));
    }
    kernels.add(ownKernels->entries());
    if (program == nullptr) {
        ET_ASSIGN(program, detail::openProgram(source, options.load_mode));
    }
    while (tensorData.size() < weights.size()) {
        ET_ASSIGN(auto file, detail::openSource(weights[tensorData.size()], options.load_mode));
        ET_ASSIGN(auto data, et::program::TensorData::parse(std::move(file)));
        tensorData.push_back(std::move(data));
    }
    threads.emplace(options.threads);
    if (options.arenas) {
        memory.emplace(options.arenas);
    }
    et::executor::Limits limits = detail::limitsOf(options.memory_limit);
    limits.instructions = options.instruction_limit;
    loadTracer.target = recorder.get();
    module.emplace(program, et::executor::Environment{.kernels = kernels,
                                                      .backends = backends,
                                                      .tensorData = tensorData,
                                                      .threads = *threads,
                                                      .limits = limits,
                                                      .seed = options.seed,
                                                      .tracer = recorder ? &loadTracer : nullptr,
                                                      .cancel = &cancelled,
                                                      .plannedMemory = memory ? &*memory : nullptr});
    detail::log(LogLevel::Debug, fmt::format("{}: {} bytes, opened in {:.3f} ms", program->file->name(),
                                             program->file->bytes().size(), milliseconds(start)));
    return {};
}

et::core::Result<detail::LoadedMethod*> Module::Impl::load(std::string_view name) {
    ET_TRY(open());
    const auto known =
        std::ranges::find(methods, name, [](const auto& each) { return std::string_view(each.first); });
    if (known != methods.end()) {
        return known->second.get();
    }
    const std::uint64_t start = et::core::EventTracer::now();
    loadTracer.target = isTracing ? recorder.get() : nullptr;
    auto made = module->load(name);
    if (!made) {
        return std::unexpected(inProgram(std::move(made).error()));
    }
    (*made)->setTracer(isTracing ? recorder.get() : nullptr);
    auto loaded = std::make_unique<detail::LoadedMethod>();
    loaded->method = *made;
    loaded->inputs.resize((*made)->inputCount());
    loaded->copies.resize((*made)->outputCount());
    methods.emplace_back(std::string(name), std::move(loaded));
    detail::log(LogLevel::Debug,
                fmt::format("{}: {}: loaded in {:.3f} ms", program->file->name(), name, milliseconds(start)));
    return methods.back().second.get();
}

et::core::Result<> Module::Impl::setInput(detail::LoadedMethod& loaded, std::size_t index, Value value) {
    if (index >= loaded.inputs.size()) {
        return std::unexpected(
            inProgram({.code = EngineCode::InvalidArgument,
                       .message = fmt::format("no input {}: {} has {}", index,
                                              loaded.method->description().name, loaded.inputs.size())}));
    }
    auto input = engineInput(value);
    const auto done =
        !input ? std::unexpected(std::move(input).error()) : loaded.method->setInput(index, *input);
    if (!done) {
        return std::unexpected(inProgram(done.error()));
    }
    loaded.inputs[index] = std::move(value);
    return {};
}

et::core::Result<> Module::Impl::giveInputs(detail::LoadedMethod& loaded) {
    for (std::size_t i = 0; i < loaded.inputs.size(); ++i) {
        if (!loaded.inputs[i]) {
            return std::unexpected(inProgram(
                {.code = EngineCode::InvalidArgument,
                 .message = fmt::format("{}: input {} of {} is not set", loaded.method->description().name, i,
                                        loaded.inputs.size())}));
        }
        ET_ASSIGN(const InputValue input, engineInput(*loaded.inputs[i]));
        if (auto done = loaded.method->setInput(i, input); !done) {
            return std::unexpected(inProgram(std::move(done).error()));
        }
    }
    return {};
}

et::core::Result<> Module::Impl::setOutput(detail::LoadedMethod& loaded, std::size_t index,
                                           const Tensor& tensor) {
    const auto wrong = [&](std::string message) {
        return std::unexpected(
            inProgram({.code = EngineCode::InvalidArgument, .message = std::move(message)}));
    };
    if (index >= loaded.copies.size()) {
        return wrong(fmt::format("no output {}: {} has {}", index, loaded.method->description().name,
                                 loaded.copies.size()));
    }
    const auto* const shown = loaded.method->output(index).as<et::core::Tensor>();
    if (shown == nullptr || shown->dtype() != detail::engineType(tensor.dtype())) {
        return wrong(fmt::format("output {}: expected {}, got {}", index,
                                 shown == nullptr ? "no tensor" : et::core::scalarTypeName(shown->dtype()),
                                 name(tensor.dtype())));
    }
    if (loaded.method->bindOutput(index, detail::TensorAccess::bytes(tensor))) {
        loaded.copies[index].reset();
        return {};
    }
    if (shown->keepsShape() && shown->bytes() > detail::TensorAccess::of(tensor).capacity) {
        return wrong(fmt::format("output {}: expected memory of {} bytes, got {}", index, shown->bytes(),
                                 detail::TensorAccess::of(tensor).capacity));
    }
    loaded.copies[index] = tensor;
    return {};
}

et::core::Result<> Module::Impl::run(std::string_view name, std::vector<Value> inputs) {
    ET_ASSIGN(detail::LoadedMethod* const loaded, load(name));
    if (inputs.size() > loaded->inputs.size()) {
        return std::unexpected(inProgram({.code = EngineCode::InvalidArgument,
                                          .message = fmt::format("{} has {} inputs, got {}", name,
                                                                 loaded->inputs.size(), inputs.size())}));
    }
    std::ranges::move(inputs, loaded->inputs.begin());
    ET_TRY(giveInputs(*loaded));
    if (auto done = loaded->method->execute(); !done) {
        return std::unexpected(inProgram(std::move(done).error()));
    }
    for (std::size_t i = 0; i < loaded->copies.size(); ++i) {
        const auto* const tensor = loaded->method->output(i).as<et::core::Tensor>();
        if (!loaded->copies[i] || tensor == nullptr) {
            continue;
        }
        Tensor::Impl& to = detail::TensorAccess::of(*loaded->copies[i]);
        if (tensor->bytes() > to.capacity) {
            return std::unexpected(
                inProgram({.code = EngineCode::InvalidArgument,
                           .message = fmt::format("output {}: expected memory of {} bytes, got {}", i,
                                                  tensor->bytes(), to.capacity)}));
        }
        std::copy_n(tensor->raw(), tensor->bytes(), to.data);
        to.sizes.assign(tensor->sizes().begin(), tensor->sizes().end());
        to.order.assign(tensor->dimOrder().begin(), tensor->dimOrder().end());
    }
    return {};
}

void Module::Impl::setTracer(et::core::EventTracer* tracer) {
    loadTracer.target = tracer;
    for (const auto& each : methods) {
        each.second->method->setTracer(tracer);
    }
}

}  // namespace et_inspect
