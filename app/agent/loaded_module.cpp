#include "app/agent/loaded_module.h"

#include "backends/builtin.h"
#include "runtime/core/element_types.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>
#include <string>
#include <utility>

namespace et::agent {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Bounds the threads that a request can start on a device.
constexpr std::uint32_t maxThreads = 256;
constexpr std::uint32_t maxKept = 1000;

/// Converts a value to an input; anything but a tensor or a number becomes None.
executor::InputValue inputOf(const core::Value& value) {
    if (const auto* tensor = value.as<core::Tensor>()) {
        return executor::TensorInput{.dtype = tensor->dtype(),
                                     .sizes = tensor->sizes(),
                                     .dimOrder = tensor->dimOrder(),
                                     .data = tensor->rawBytes()};
    }
    if (const auto* whole = value.as<std::int64_t>()) {
        return *whole;
    }
    if (const auto* number = value.as<double>()) {
        return *number;
    }
    if (const auto* truth = value.as<bool>()) {
        return *truth;
    }
    return std::monostate{};
}

template <class T>
bool isNan(T number) {
    return std::isnan(static_cast<double>(number));
}
template <class T>
bool isNan(std::complex<T> number) {
    return std::isnan(number.real()) || std::isnan(number.imag());
}

/// Integer types have no NaN.
using NanTypes =
    core::ElementTypes<core::Half, core::BFloat16, float, double, std::complex<float>, std::complex<double>>;

bool hasNan(core::Value& value) {
    if (const auto* const number = value.as<double>()) {
        return std::isnan(*number);
    }
    const auto* const tensor = value.as<core::Tensor>();
    if (tensor == nullptr || tensor->numel() == 0) {
        return false;
    }
    return NanTypes::visit(
        tensor->dtype(),
        [&]<class T>(std::type_identity<T>) {
            return std::ranges::any_of(
                std::span(tensor->data<T>(), static_cast<std::size_t>(tensor->numel())),
                [](T each) { return isNan(each); });
        },
        [] { return false; });
}

}  // namespace

Result<std::unique_ptr<LoadedModule>> LoadedModule::open(const wire::OpenRequest& request,
                                                         const std::filesystem::path& program,
                                                         const std::vector<std::filesystem::path>& tensorData,
                                                         const std::atomic<bool>& cancelled, wire::Ask ask) {
    if (request.threads > maxThreads) {
        return fail(ErrorCode::Limit,
                    fmt::format("{} threads requested, at most {} allowed", request.threads, maxThreads));
    }
    // One-time setup of the process does not count as load time of a program.
    const kernels::KernelRegistry& registry = kernels::builtin();
    for (const executor::Backend* each : backends::builtin()) {
        each->prepareProcess();
    }
    const std::uint64_t start = core::EventTracer::now();
    std::unique_ptr<LoadedModule> made(new LoadedModule(request, std::move(ask)));
    ET_ASSIGN(made->program, program::Program::open(program));
    for (const std::filesystem::path& each : tensorData) {
        ET_ASSIGN(auto data, program::TensorData::open(each));
        made->data.push_back(std::move(data));
    }
    made->backends.assign(backends::builtin().begin(), backends::builtin().end());
    std::erase_if(made->backends, [&](const executor::Backend* each) {
        return std::ranges::contains(request.backendsOff, std::string(each->name()));
    });
    made->environment.emplace(executor::Environment{.kernels = registry,
                                                    .backends = made->backends,
                                                    .tensorData = made->data,
                                                    .threads = made->threads,
                                                    .limits = {.memoryBytes = request.memoryBytes,
                                                               .temporaryBytes = request.temporaryBytes,
                                                               .instructions = request.instructions},
                                                    .seed = request.seed,
                                                    .tracer = nullptr,
                                                    .cancel = &cancelled});
    made->openNanoseconds = core::EventTracer::now() - start;
    return made;
}

Result<std::uint64_t> LoadedModule::load(std::string_view method, const wire::Listening& listening) {
    const std::uint64_t start = core::EventTracer::now();
    tape.listenTo(listening);
    if (!module) {
        environment->tracer = listening.isOn ? &tape : nullptr;
        module.emplace(program, *environment);
    }
    ET_TRY(module->load(method));
    return std::exchange(openNanoseconds, 0) + core::EventTracer::now() - start;
}

Result<LoadedModule::Run> LoadedModule::execute(const wire::ExecuteRequest& request) {
    if (!module) {
        return fail(ErrorCode::NotFound, "no method is loaded");
    }
    ET_ASSIGN(executor::Method * method, module->load(request.method));
    wire::Decoder in(request.inputs);
    ET_ASSIGN(const std::uint32_t count, in.count("inputs", 1));
    inputs.clear();
    std::vector<executor::InputValue> given;
    for (std::uint32_t i = 0; i < count; ++i) {
        ET_ASSIGN(const core::Value* value, inputs.decode(in));
        given.push_back(inputOf(*value));
    }
    ET_TRY(in.end());
    ET_TRY(method->setInputs(given));
    tape.listenTo(request.listening);
    method->setTracer(request.listening.isOn ? &tape : nullptr);
    const std::uint64_t start = core::EventTracer::now();
    ET_TRY(method->execute());
    Run run{.nanoseconds = core::EventTracer::now() - start,
            .instructions = method->executedInstructions(),
            .hasNan = false,
            .outputs = {}};
    wire::Encoder out;
    out.add(static_cast<std::uint32_t>(method->outputCount()));
    for (std::size_t i = 0; i < method->outputCount(); ++i) {
        wire::encodeValue(out, method->output(i));
        run.hasNan = run.hasNan || hasNan(method->output(i));
    }
    run.outputs = out.take();
    return run;
}

std::vector<std::vector<std::byte>> LoadedModule::keep(const wire::KeepRule& rule, const Run& run) {
    using Condition = wire::KeepRule::Condition;
    before.push_back(tape.take());
    const bool isWanted = rule.condition == Condition::All ||
                          (rule.condition == Condition::Slower && run.nanoseconds > rule.nanoseconds) ||
                          (rule.condition == Condition::Nan && run.hasNan);
    if (isWanted) {
        std::vector<std::vector<std::byte>> all(std::make_move_iterator(before.begin()),
                                                std::make_move_iterator(before.end()));
        before.clear();
        return all;
    }
    while (before.size() > std::min(rule.last, maxKept)) {
        before.pop_front();
    }
    return {};
}

}  // namespace et::agent
