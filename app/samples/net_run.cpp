#include "app/samples/net_run.h"

#include "app/samples/random.h"
#include "bundled_program/writer.h"
#include "etdump/recorder.h"
#include "runtime/core/dim_order.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace et::samples {
namespace {

using core::Result;

constexpr std::string_view methodName = "forward";

std::size_t elementCount(const Tensor& tensor) {
    return static_cast<std::size_t>(
        std::accumulate(tensor.sizes.begin(), tensor.sizes.end(), std::int64_t{1}, std::multiplies<>()));
}

std::vector<Elements> randomInputs(const Net& net, Random& random) {
    std::vector<Elements> inputs;
    for (const TensorId id : net.inputs) {
        Elements& elements = inputs.emplace_back(elementCount(net.tensor(id)));
        std::ranges::generate(elements, [&] { return random.uniform(-1, 1); });
    }
    return inputs;
}

/// A loaded program with its dependencies.
class LoadedNet {
  public:
    static Result<std::unique_ptr<LoadedNet>> load(const Net& net, core::Bytes program,
                                                   core::EventTracer* tracer) {
        ET_ASSIGN(auto parsed, program::Program::parse(core::MappedFile::fromMemory(
                                   {program.begin(), program.end()}, "the sample's program")));
        auto loaded = std::unique_ptr<LoadedNet>(new LoadedNet(net, std::move(parsed), tracer));
        ET_ASSIGN(loaded->method, loaded->module.load(methodName));
        return loaded;
    }

    Result<std::vector<Elements>> execute(const std::vector<Elements>& inputs) {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            ET_TRY(method->setInput(i, executor::TensorInput{.dtype = core::ScalarType::Float,
                                                             .sizes = net.tensor(net.inputs[i]).sizes,
                                                             .dimOrder = {},
                                                             .data = std::as_bytes(std::span(inputs[i]))}));
        }
        ET_TRY(method->execute());
        std::vector<Elements> outputs;
        for (std::size_t i = 0; i < method->outputCount(); ++i) {
            const auto* tensor = method->output(i).as<core::Tensor>();
            if (tensor == nullptr || tensor->dtype() != core::ScalarType::Float) {
                return core::fail(core::ErrorCode::Mismatch,
                                  "expected a float tensor as output of the sample");
            }
            const std::span elements(tensor->data<float>(), static_cast<std::size_t>(tensor->numel()));
            outputs.emplace_back(elements.begin(), elements.end());
        }
        return outputs;
    }

  private:
    LoadedNet(const Net& what, std::shared_ptr<const program::Program> program, core::EventTracer* tracer)
        : net(what),
          module(std::move(program), {.kernels = kernels::builtin(), .threads = threads, .tracer = tracer}) {}

    const Net& net;
    kernels::ThreadPool threads;
    executor::Module module;
    executor::Method* method = nullptr;
};

Result<std::vector<NetCase>> runCases(const Net& net, core::Bytes program, int count) {
    constexpr std::uint64_t seed = 1;
    Random random(seed);
    ET_ASSIGN(const auto loaded, LoadedNet::load(net, program, nullptr));
    std::vector<NetCase> cases;
    for (int i = 0; i < count; ++i) {
        NetCase& made = cases.emplace_back();
        made.inputs = randomInputs(net, random);
        ET_ASSIGN(made.outputs, loaded->execute(made.inputs));
    }
    return cases;
}

}  // namespace

Result<NetRun> runNet(const Net& net, core::Bytes program, const RunOptions& options) {
    NetRun run;
    ET_ASSIGN(run.cases, runCases(net, program, std::max(options.cases, 1)));
    ET_ASSIGN(const auto recorder, etdump::Recorder::create({.debugLevel = options.debugLevel}));
    ET_ASSIGN(const auto loaded, LoadedNet::load(net, program, recorder.get()));
    for (int i = 0; i < options.executions; ++i) {
        ET_TRY(loaded->execute(run.cases.front().inputs));
    }
    ET_TRY(recorder->finish());
    ET_ASSIGN(run.trace, recorder->trace());
    const core::Bytes debug = recorder->debugBuffer();
    run.debugBuffer.assign(debug.begin(), debug.end());
    return run;
}

Result<std::vector<std::byte>> makeBundle(const Net& net, core::Bytes program,
                                          const std::vector<NetCase>& cases) {
    const auto values = [&](const std::vector<TensorId>& ids, const std::vector<Elements>& elements) {
        std::vector<bundled_program::BundledValue> made;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const Tensor& tensor = net.tensor(ids[i]);
            made.emplace_back(
                bundled_program::BundledTensor{.scalarType = std::to_underlying(tensor.dtype),
                                               .sizes = tensor.sizes,
                                               .dimOrder = core::rowMajorOrder(tensor.sizes.size()),
                                               .data = std::as_bytes(std::span(elements[i]))});
        }
        return made;
    };
    bundled_program::TestSuite suite{.method = methodName, .cases = {}};
    for (const NetCase& one : cases) {
        suite.cases.push_back({.inputs = values(net.inputs, one.inputs),
                               .expectedOutputs = values(net.programOutputs(), one.outputs)});
    }
    return bundled_program::writeBundle(program, {&suite, 1});
}

}  // namespace et::samples
