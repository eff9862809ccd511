#include "backends/nested/nested_program.h"

#include "backends/nested/describe.h"
#include "backends/nested/nested_tracer.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <utility>

namespace et::backends::nested {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

class NoData final : public executor::NamedDataSource {
  public:
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view /*name*/) const override {
        return std::nullopt;
    }
};

/// Converts an argument of the call to an input of the nested program.
Result<executor::InputValue> inputOf(const core::Value& value) {
    if (const auto* tensor = value.as<core::Tensor>()) {
        return executor::TensorInput{.dtype = tensor->dtype(),
                                     .sizes = tensor->sizes(),
                                     .dimOrder = tensor->dimOrder(),
                                     .data = tensor->rawBytes()};
    }
    if (const auto* number = value.as<std::int64_t>()) {
        return *number;
    }
    if (const auto* number = value.as<double>()) {
        return *number;
    }
    if (const auto* truth = value.as<bool>()) {
        return *truth;
    }
    if (value.isNone()) {
        return std::monostate{};
    }
    return fail(ErrorCode::Unsupported,
                fmt::format("a nested program does not accept arguments of kind {}", value.kindName()));
}

/// State of the nested program's module.
struct NestedState final : executor::DelegateState {
    [[nodiscard]] std::uint64_t countBytes(std::unordered_set<const void*>& counted) const override {
        return snapshot->countBytes(counted);
    }

    std::shared_ptr<const executor::Snapshot> snapshot;
};

class NestedDelegate final : public executor::LoadedDelegate {
  public:
    NestedDelegate(std::shared_ptr<const program::TensorData> outerData, executor::Module loadedModule,
                   executor::Method* loadedMethod, const kernels::ThreadPool& pool)
        : data(std::move(outerData)),
          module(std::move(loadedModule)),
          method(loadedMethod),
          threads(pool),
          tracer(method->description()) {}

    [[nodiscard]] Result<> prepare() override { return method->prepare(); }

    [[nodiscard]] Result<> execute(const executor::DelegateCallContext& context,
                                   std::span<core::Value* const> arguments) override {
        const std::size_t inputs = method->inputCount();
        if (arguments.size() != inputs + method->outputCount()) {
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format(
                    "the nested program takes {} inputs and returns {} outputs, the call has {} arguments",
                    inputs, method->outputCount(), arguments.size()));
        }
        for (std::size_t i = 0; i < inputs; ++i) {
            ET_ASSIGN(const executor::InputValue value, inputOf(*arguments[i]));
            ET_TRY(method->setInput(i, value));
        }
        tracer.setCall(context);
        method->setTracer(context.tracer == nullptr ? nullptr : &tracer);
        ET_TRY(method->execute());
        for (std::size_t i = 0; i < method->outputCount(); ++i) {
            ET_TRY(give(method->output(i), *arguments[inputs + i]));
        }
        return {};
    }

    [[nodiscard]] Result<std::shared_ptr<const executor::DelegateState>> saveState(
        const executor::DelegateState* previous) override {
        const auto* const known = dynamic_cast<const NestedState*>(previous);
        auto saved = std::make_shared<NestedState>();
        ET_ASSIGN(saved->snapshot, module.saveState(known == nullptr ? nullptr : known->snapshot.get()));
        return saved;
    }
    [[nodiscard]] Result<> restoreState(const executor::DelegateState& state) override {
        return module.restoreState(*dynamic_cast<const NestedState&>(state).snapshot);
    }

    [[nodiscard]] std::uint64_t packedBytes() const override { return method->memory().packedWeights; }
    /// Total memory of the nested method's values.
    [[nodiscard]] std::uint64_t workspaceBytes() const override {
        const executor::MemoryReport taken = method->memory();
        return std::accumulate(taken.arenas.begin(), taken.arenas.end(), std::uint64_t{0}) +
               taken.unplannedIo + taken.growing + taken.temporaryPeak + taken.workspace;
    }

  private:
    Result<> give(const core::Value& from, core::Value& to) const {
        const auto* tensor = from.as<core::Tensor>();
        auto* target = to.as<core::Tensor>();
        if (tensor == nullptr || target == nullptr || target->isConstant() ||
            tensor->dtype() != target->dtype()) {
            return fail(ErrorCode::Mismatch, fmt::format("the nested program returns {}, the call expects {}",
                                                         from.kindName(), to.kindName()));
        }
        ET_TRY(target->resize(tensor->sizes()));
        return kernels::copyElements(threads, kernels::viewOf(*tensor), kernels::viewOf(*target));
    }

    std::shared_ptr<const program::TensorData> data;
    executor::Module module;
    executor::Method* method;
    const kernels::ThreadPool& threads;
    NestedTracer tracer;
};

/// Constants that the nested program expects outside it: ExecuTorch passes the data of the outer program on.
std::shared_ptr<const program::TensorData> outerConstants(const program::Method& method,
                                                          const executor::NamedDataSource& outer) {
    auto found = std::make_shared<program::TensorData>();
    found->file = core::MappedFile::fromMemory({}, "the outer program's data");
    for (const program::Value& value : method.values) {
        const auto* const tensor = value.as<program::TensorInfo>();
        if (tensor != nullptr && tensor->initialData == program::InitialData::External) {
            if (const auto bytes = outer.find(tensor->name)) {
                found->entries.push_back(
                    {.name = tensor->name, .segment = {}, .data = *bytes, .layout = std::nullopt});
            }
        }
    }
    return found;
}

}  // namespace

Result<std::string_view> methodOf(const program::Program& program) {
    constexpr std::string_view usual = "forward";
    if (program.findMethod(usual) != nullptr) {
        return usual;
    }
    if (program.methods.size() != 1) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("the nested program has {} methods, none of them \"{}\"",
                                program.methods.size(), usual));
    }
    return program.methods.front().name;
}

Result<std::shared_ptr<const program::Program>> parseNested(core::Bytes payload) {
    return program::Program::parse(
        core::MappedFile::fromMemory({payload.begin(), payload.end()}, "the delegate's nested program"));
}

Result<std::unique_ptr<executor::LoadedDelegate>> NestedProgramBackend::load(
    const executor::DelegateSource& source) const {
    ET_ASSIGN(auto program, parseNested(source.delegate.payload));
    ET_ASSIGN(const std::string_view name, methodOf(*program));
    const auto data = outerConstants(*program->findMethod(name), source.namedData);
    executor::Module module(program, {.kernels = kernels::builtin(),
                                      .backends = inner,
                                      .tensorData = std::span(&data, 1),
                                      .threads = source.threads,
                                      .limits = {.memoryBytes = source.memoryBytes}});
    ET_ASSIGN(executor::Method * method, module.load(name));
    return std::make_unique<NestedDelegate>(data, std::move(module), method, source.threads);
}

Result<core::ModelGraph> NestedProgramBackend::describe(const program::Delegate& delegate,
                                                        const executor::NamedDataSource& namedData) const {
    return nested::describe(delegate.payload, namedData);
}

std::vector<std::optional<std::vector<std::size_t>>> NestedProgramBackend::nodesOf(
    const program::Delegate& delegate, std::span<const std::string_view> operators) const {
    std::vector<std::optional<std::vector<std::size_t>>> found(operators.size());
    const auto graph = nested::describe(delegate.payload, NoData());
    if (!graph) {
        return found;
    }
    std::map<std::string_view, std::size_t> positions;
    for (const core::GraphNode& node : graph->nodes()) {
        positions.emplace(node.name, positions.size());
    }
    for (std::size_t i = 0; i < operators.size(); ++i) {
        if (const auto node = positions.find(nodeOfEvent(operators[i])); node != positions.end()) {
            found[i] = std::vector{node->second};
        }
    }
    return found;
}

}  // namespace et::backends::nested
