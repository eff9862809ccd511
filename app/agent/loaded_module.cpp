#include "app/agent/loaded_module.h"

#include "app/expression/array.h"
#include "app/expression/expression.h"
#include "backends/builtin.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
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

/// The names of a rule: `time`, `instructions`, `out` and `out0`, `out1`, ...
class RunScope final : public expression::Scope {
  public:
    explicit RunScope(const LoadedModule::Run& finished) : run(finished) {}

    [[nodiscard]] Result<expression::Operand> value(std::string_view name) const override {
        if (name == "time") {
            constexpr double perSecond = 1e9;
            return static_cast<double>(run.nanoseconds) / perSecond;
        }
        if (name == "instructions") {
            return static_cast<double>(run.instructions);
        }
        return expression::namedElement(name, "out", run.method->outputCount(), [&](std::size_t i) {
            return expression::operandOf(run.method->output(i));
        });
    }

  private:
    const LoadedModule::Run& run;
};

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
            .outputs = {},
            .method = method};
    wire::Encoder out;
    out.add(static_cast<std::uint32_t>(method->outputCount()));
    for (std::size_t i = 0; i < method->outputCount(); ++i) {
        wire::encodeValue(out, method->output(i));
    }
    run.outputs = out.take();
    return run;
}

Result<std::vector<std::vector<std::byte>>> LoadedModule::keep(const wire::KeepRule& rule, const Run& run) {
    before.push_back(tape.take());
    bool isWanted = true;
    if (!rule.condition.empty()) {
        ET_ASSIGN(const auto condition, expression::Expression::parse(rule.condition));
        ET_ASSIGN(isWanted, condition.holds(RunScope(run)));
    }
    if (isWanted) {
        std::vector<std::vector<std::byte>> all(std::make_move_iterator(before.begin()),
                                                std::make_move_iterator(before.end()));
        before.clear();
        return all;
    }
    while (before.size() > std::min(rule.last, maxKept)) {
        before.pop_front();
    }
    return std::vector<std::vector<std::byte>>();
}

}  // namespace et::agent
