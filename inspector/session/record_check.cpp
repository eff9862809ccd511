#include "inspector/session/record_check.h"

#include "backends/builtin.h"
#include "inspector/join/evidence.h"
#include "inspector/join/method_fit.h"
#include "runtime/core/scalar_type.h"
#include "runtime/executor/no_named_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <vector>

namespace et::inspector {
namespace {

using Contradiction = std::optional<std::string>;

constexpr std::size_t maxWork = 5'000'000;  ///< limit on name comparisons, against malicious records

bool callsBackend(const program::Method& method, core::InstructionId at, std::string_view backend) {
    for (const program::Chain& chain : method.chains) {
        if (at.value < 0 || static_cast<std::size_t>(at.value) >= chain.instructions.size()) {
            continue;
        }
        const auto* call =
            std::get_if<program::DelegateCall>(&chain.instructions[static_cast<std::size_t>(at.value)]);
        if (call != nullptr && method.delegate(call->delegate).backend == backend) {
            return true;
        }
    }
    return false;
}

Contradiction instructionsDiffer(const etrecord::MethodMaps& maps, const program::Method& method) {
    const std::size_t count = method.chains.empty() ? 0 : method.chains.front().instructions.size();
    for (const auto& [instruction, entry] : maps.debugHandles) {
        if (instruction.value >= 0 && static_cast<std::size_t>(instruction.value) >= count) {
            return fmt::format("it maps instruction {}, but the program has only {}", instruction.value,
                               count);
        }
    }
    for (const auto& [instruction, entry] : maps.delegates) {
        if (!callsBackend(method, instruction, entry.backend)) {
            return fmt::format("it has a delegate of {} at instruction {}, but the program does not",
                               core::printable(entry.backend), instruction.value);
        }
    }
    return std::nullopt;
}

/// "float32 [1, 3, ?]": symbolic sizes are unknown.
std::string describe(const etrecord::TensorMeta& tensor) {
    std::string sizes;
    for (const etrecord::SymInt& size : tensor.sizes) {
        sizes += sizes.empty() ? "" : ", ";
        sizes += size.expression.empty() ? std::to_string(size.value) : "?";
    }
    return fmt::format("{} [{}]", core::scalarTypeName(tensor.scalarType), sizes);
}

bool agrees(const etrecord::TensorMeta& recorded, const program::TensorInfo& planned) {
    const auto sizeAgrees = [](const etrecord::SymInt& left, std::int64_t right) {
        return !left.expression.empty() || left.value == right;
    };
    return (recorded.scalarType == etrecord::unknownScalarType ||
            recorded.scalarType == planned.scalarType) &&
           std::ranges::equal(recorded.sizes, planned.sizes, sizeAgrees);
}

/// Compares one side of a method's signature: the record's tensors (null for values that are not tensors) and
/// the program's values.
Contradiction valuesDiffer(std::string_view what, const std::vector<const etrecord::TensorMeta*>& recorded,
                           const std::vector<program::ValueId>& values, const program::Method& method) {
    if (recorded.size() != values.size()) {
        return fmt::format("it has {} {}s, the program {}", recorded.size(), what, values.size());
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto* planned = method.value(values[i]).as<program::TensorInfo>();
        if (planned != nullptr && recorded[i] != nullptr && !agrees(*recorded[i], *planned)) {
            return fmt::format("its {} {} is {}, the program's {} [{}]", what, i, describe(*recorded[i]),
                               core::scalarTypeName(planned->scalarType), fmt::join(planned->sizes, ", "));
        }
    }
    return std::nullopt;
}

/// The tensors of inputs or outputs of these kinds, in order; null for values that are not tensors.
template <class Spec>
std::vector<const etrecord::TensorMeta*> tensorsOf(const etrecord::ExportedGraph& graph,
                                                   const std::vector<Spec>& specs,
                                                   std::initializer_list<std::string_view> kinds) {
    std::vector<const etrecord::TensorMeta*> tensors;
    for (const Spec& spec : specs) {
        if (std::ranges::contains(kinds, spec.kind)) {
            const bool isTensor = spec.argument.kind == "as_tensor";
            const auto found = isTensor ? graph.tensors.find(spec.value) : graph.tensors.end();
            tensors.push_back(found == graph.tensors.end() ? nullptr : &found->second);
        }
    }
    return tensors;
}

Contradiction signaturesDiffer(const etrecord::ExportedGraph& graph, const program::Method& method) {
    if (graph.outputSpecs.empty()) {
        return std::nullopt;  // files from 2023, and graphs without a signature
    }
    const auto inputs = tensorsOf(graph, graph.inputSpecs, {"user_input", "constant_input"});
    const auto outputs = tensorsOf(graph, graph.outputSpecs, {"user_output"});
    auto wrong = valuesDiffer("input", inputs, method.inputs, method);
    return wrong ? wrong : valuesDiffer("output", outputs, method.outputs, method);
}

Contradiction operatorsDiffer(const etrecord::Record& record, const etrecord::MethodMaps& maps,
                              const program::Method& method) {
    const etrecord::ExportedGraph* graph = record.edgeGraph(method.name);
    const join::detail::Candidate candidate{.method = {.name = method.name, .maps = &maps, .graph = graph},
                                            .operators = graph == nullptr
                                                             ? join::detail::GraphOperators()
                                                             : join::detail::GraphOperators(*graph)};
    std::deque<std::string> names;
    std::size_t budget = maxWork;
    const join::detail::MethodFit fit =
        join::detail::fitOf(join::detail::collectEvidence(method, names), candidate, record.hasDelegateMap(),
                            backends::describable(), budget);
    return fit.first.empty() ? Contradiction() : Contradiction(fit.first);
}

/// Finds a debug handle inside a delegate that the record does not list for it.
Contradiction handlesDiffer(const std::vector<core::DebugHandle>& recorded, const program::Delegate& delegate,
                            std::int32_t instruction) {
    const auto all = backends::describable();
    const auto backend = std::ranges::find(all, delegate.backend, &executor::Backend::name);
    if (backend == all.end()) {
        return std::nullopt;
    }
    const auto inside = (*backend)->describe(delegate, executor::NoNamedData());
    if (!inside) {
        return std::nullopt;
    }
    const std::set<core::DebugHandle> known(recorded.begin(), recorded.end());
    for (const core::GraphNode& node : inside->nodes()) {
        const auto stranger = std::ranges::find_if(
            node.debugHandles, [&](core::DebugHandle handle) { return !known.contains(handle); });
        if (stranger != node.debugHandles.end()) {
            return fmt::format(
                "the delegate at instruction {} contains debug handle {}, which the record does not list "
                "there",
                instruction, stranger->value);
        }
    }
    return std::nullopt;
}

Contradiction delegatesDiffer(const etrecord::MethodMaps& maps, const program::Method& method) {
    if (method.chains.empty()) {
        return std::nullopt;
    }
    for (const auto& [instruction, entry] : maps.debugHandles) {
        const auto at = static_cast<std::size_t>(instruction.value);
        const auto& instructions = method.chains.front().instructions;
        const auto* call =
            at < instructions.size() ? std::get_if<program::DelegateCall>(&instructions[at]) : nullptr;
        if (call == nullptr || entry.handles.empty()) {
            continue;
        }
        if (auto wrong = handlesDiffer(entry.handles, method.delegate(call->delegate), instruction.value)) {
            return wrong;
        }
    }
    return std::nullopt;
}

Contradiction differs(const etrecord::Record& record, const program::Method& method) {
    const etrecord::MethodMaps* maps = record.maps(method.name);
    auto wrong = maps == nullptr ? Contradiction() : instructionsDiffer(*maps, method);
    const etrecord::ExportedGraph* graph = record.edgeGraph(method.name);
    if (!wrong && graph != nullptr) {
        wrong = signaturesDiffer(*graph, method);
    }
    if (wrong || maps == nullptr) {
        return wrong;
    }
    wrong = operatorsDiffer(record, *maps, method);
    return wrong ? wrong : delegatesDiffer(*maps, method);
}

}  // namespace

Contradiction contradiction(const etrecord::Record& record, const program::Method& method) {
    return differs(record, method).transform([&](const std::string& what) {
        return fmt::format("the record belongs to another program or method than \"{}\": {}",
                           core::printable(method.name), what);
    });
}

Contradiction contradiction(const etrecord::Record& record, const program::Program& program) {
    for (const std::string& name : record.methods()) {
        if (program.findMethod(name) == nullptr) {
            return fmt::format("the record has method \"{}\", but the program does not",
                               core::printable(name));
        }
    }
    for (const program::Method& method : program.methods) {
        if (auto wrong = contradiction(record, method)) {
            return wrong;
        }
    }
    return std::nullopt;
}

}  // namespace et::inspector
