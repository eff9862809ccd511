#include "backends/nested/describe.h"

#include "backends/builtin.h"
#include "backends/inlined_delegate.h"
#include "backends/nested/copied_payload.h"
#include "backends/nested/nested_program.h"
#include "runtime/executor/instruction_name.h"
#include "runtime/program/instruction_access.h"
#include "runtime/program/value_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace et::backends::nested {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::GraphGroupId;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;
using core::Result;
using program::ValueId;

/// Programs inside programs, the outermost of which is a delegate.
constexpr std::size_t maxDepth = 8;
/// Nodes and values of all graphs that are added to another one: a damaged file may repeat calls.
constexpr std::size_t maxAdded = 1'000'000;
/// Payloads of all nested programs together: each is copied, and a damaged file may repeat them.
constexpr std::uint64_t maxCopied = std::uint64_t{1} << 32;

/// Work done so far, over all levels.
struct Work {
    std::size_t depth = 0;
    std::size_t added = 0;
    std::uint64_t copied = 0;
};

/// The data of a nested program, then that of the outer one, which ExecuTorch passes on.
class NestedData final : public executor::NamedDataSource {
  public:
    NestedData(const program::Program& program, const CopiedPayload& copied,
               const executor::NamedDataSource& outerData)
        : outer(outerData) {
        for (const program::NamedData& each : program.namedData) {
            own.emplace(each.key, copied.original(each.data));
        }
    }
    [[nodiscard]] std::optional<Bytes> find(std::string_view name) const override {
        const auto found = own.find(name);
        return found == own.end() ? outer.find(name) : std::optional(found->second);
    }

  private:
    std::map<std::string_view, Bytes> own;
    const executor::NamedDataSource& outer;
};

/// The method, with data and payloads in the original payload instead of its copy.
program::Method originalMethod(const program::Method& parsed, const CopiedPayload& copied,
                               const executor::NamedDataSource& data) {
    program::Method method = parsed;
    for (program::Value& value : method.values) {
        auto* const tensor = value.as<program::TensorInfo>();
        if (tensor == nullptr) {
            continue;
        }
        tensor->data = copied.original(tensor->data);
        if (tensor->initialData == program::InitialData::External) {
            const Bytes found = data.find(tensor->name).value_or(Bytes());
            const auto size = static_cast<std::uint64_t>(tensor->byteSize.value_or(0));
            tensor->data = found.size() >= size ? found.first(static_cast<std::size_t>(size)) : Bytes();
        }
    }
    for (program::Delegate& delegate : method.delegates) {
        delegate.payload = copied.original(delegate.payload);
    }
    return method;
}

Result<ModelGraph> describeProgram(Bytes payload, const executor::NamedDataSource& outer, Work& work);

/// Builds the graph of a method.
class MethodGraph {
  public:
    MethodGraph(const program::Method& of, const executor::NamedDataSource& namedData, Work& soFar)
        : method(of),
          data(namedData),
          work(soFar),
          flow(of, graph, program::ValueFlow::Data::With),
          reader(of) {}

    Result<ModelGraph> build() {
        const GraphGroupId whole = graph.addGroup(
            core::GraphGroup{.name = std::string(method.name),
                             .kind = "subgraph",
                             .attributes = {{"planned bytes", fmt::to_string(method.plannedBytes())}}});
        for (std::size_t chain = 0; chain < method.chains.size(); ++chain) {
            const auto& instructions = method.chains[chain].instructions;
            for (std::size_t i = 0; i < instructions.size(); ++i) {
                ET_ASSIGN(const program::InstructionAccess access, reader.next(instructions[i]));
                GraphNode node{.name = nodeName(chain, i),
                               .kind = executor::instructionLabel(method, instructions[i]),
                               .group = whole};
                ET_TRY(add(instructions[i], access, std::move(node)));
            }
        }
        return finish();
    }

  private:
    Result<> add(const program::Instruction& instruction, const program::InstructionAccess& access,
                 GraphNode node) {
        if (const auto* call = std::get_if<program::DelegateCall>(&instruction)) {
            ET_ASSIGN(const bool isAdded, addDelegate(*call, node));
            if (isAdded) {
                return {};
            }
        } else if (const auto* kernel = std::get_if<program::KernelCall>(&instruction)) {
            addArguments(*kernel, access, node);
        } else if (const auto* jump = std::get_if<program::JumpFalseCall>(&instruction)) {
            node.attributes.push_back({"when false, jumps to", fmt::to_string(jump->destination.value)});
        }
        for (const ValueId id : access.reads) {
            if (flow.flows(id)) {
                node.inputs.push_back(flow.now(id));
            }
        }
        for (const ValueId id : access.writes) {
            if (!isList(id)) {
                node.outputs.push_back(flow.write(id));
            }
        }
        graph.addNode(std::move(node));
        return {};
    }

    [[nodiscard]] bool isList(ValueId id) const {
        return method.value(id).is<program::TensorList>() ||
               method.value(id).is<program::OptionalTensorList>();
    }

    /// Adds arguments that are not edges.
    void addArguments(const program::KernelCall& call, const program::InstructionAccess& access,
                      GraphNode& node) const {
        for (std::size_t i = 0; i < call.args.size(); ++i) {
            const ValueId id = call.args[i];
            if (flow.flows(id) || std::ranges::contains(access.writes, id)) {
                continue;
            }
            const std::string_view name = executor::argumentName(node.kind, i);
            node.attributes.push_back({name.empty() ? fmt::format("argument {}", i) : std::string(name),
                                       executor::valueText(method, id)});
        }
    }

    /// Adds the nodes of a delegate. Returns false if they are unknown; `node` then has the reason.
    Result<bool> addDelegate(const program::DelegateCall& call, GraphNode& node) {
        const program::Delegate& delegate = method.delegate(call.delegate);
        node.attributes.push_back({"payload", fmt::format("{} bytes", delegate.payload.size())});
        const auto found = described.find(call.delegate);
        const Result<ModelGraph>& inner =
            found != described.end() ? found->second
                                     : described.emplace(call.delegate, describe(delegate)).first->second;
        if (!inner) {
            node.attributes.push_back({"inside", "unknown: " + inner.error().toString()});
            return false;
        }
        work.added += inner->nodes().size() + inner->values().size();
        if (work.added > maxAdded) {
            return core::fail(ErrorCode::Limit,
                              fmt::format("expected at most {} nodes and values in nested programs, got {}",
                                          maxAdded, work.added));
        }
        if (inner->nodes().empty()) {
            return false;
        }
        inlineDelegate(graph, flow, *inner, callArguments(*inner), call, node);
        return true;
    }

    Result<ModelGraph> describe(const program::Delegate& delegate) {
        const executor::Backend* const backend = executor::findBackend(describable(), delegate.backend);
        if (backend == nullptr) {
            return core::fail(ErrorCode::Unsupported, "this build does not support the format");
        }
        return delegate.backend == executorBackend ? describeProgram(delegate.payload, data, work)
                                                   : backend->describe(delegate, data);
    }

    /// The graph, with the argument index of each value that is an input or output.
    ModelGraph finish() {
        std::map<GraphValueId, std::size_t> arguments;
        for (std::uint32_t i = 0; i < method.inputs.size(); ++i) {
            arguments.emplace(GraphValueId(i), i);  // the first values of the flow
        }
        for (std::size_t i = 0; i < method.outputs.size(); ++i) {
            const GraphValueId id = flow.now(method.outputs[i]);
            if (graph.value(id).role == GraphValue::Role::Intermediate) {
                arguments.emplace(id, method.inputs.size() + i);
                graph.setRole(id, GraphValue::Role::Output);
            }
        }
        graph.name = std::string(method.name);
        return withArguments(graph, arguments);
    }

    const program::Method& method;
    const executor::NamedDataSource& data;
    Work& work;
    ModelGraph graph;
    program::ValueFlow flow;
    program::AccessReader reader;
    std::map<program::DelegateId, Result<ModelGraph>> described;
};

Result<ModelGraph> describeProgram(Bytes payload, const executor::NamedDataSource& outer, Work& work) {
    if (work.depth == maxDepth) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("expected programs nested at most {} deep, got more", maxDepth));
    }
    work.copied += payload.size();
    if (work.copied > maxCopied) {
        return core::fail(
            ErrorCode::Limit,
            fmt::format("expected at most {} bytes of nested programs, got {}", maxCopied, work.copied));
    }
    ET_ASSIGN(const auto program, parseNested(payload));
    ET_ASSIGN(const std::string_view name, methodOf(*program));
    const CopiedPayload copied(payload, program->bytes);
    const NestedData data(*program, copied, outer);
    const program::Method method = originalMethod(*program->findMethod(name), copied, data);
    ++work.depth;
    auto graph = MethodGraph(method, data, work).build();
    --work.depth;
    return graph;
}

}  // namespace

std::string nodeName(std::size_t chain, std::size_t instruction) {
    return chain == 0 ? fmt::to_string(instruction) : fmt::format("{}.{}", chain, instruction);
}

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& namedData) {
    Work work;
    return describeProgram(payload, namedData, work);
}

}  // namespace et::backends::nested
