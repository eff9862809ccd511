#include "backends/reference/interpreter.h"

#include "backends/reference/control_flow.h"
#include "backends/reference/interpreter_impl.h"
#include "etrecord/buffer_mutation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::ExportedGraph;

/// Kinds of inputs that the caller provides.
constexpr std::array<std::string_view, 2> userInputKinds{"user_input", "constant_input"};
constexpr std::array<std::string_view, 3> tensorInputKinds{"parameter", "buffer", "tensor_constant"};

bool isUserInput(const etrecord::InputSpec& spec) {
    return std::ranges::contains(userInputKinds, spec.kind);
}
bool isTensorInput(const etrecord::InputSpec& spec) {
    return std::ranges::contains(tensorInputKinds, spec.kind);
}

/// Whether a control flow step writes its operands or hands them to another graph.
bool passesValues(const Step& step) {
    return step.control != nullptr &&
           (step.control->mutates || step.control->takesModule ||
            std::ranges::any_of(step.operands, [](const Operand& operand) {
                return std::holds_alternative<std::shared_ptr<const Plan>>(operand.content);
            }));
}

}  // namespace

void addSlots(const Operand& operand, std::set<Slot>& slots) {
    if (const auto* slot = std::get_if<Slot>(&operand.content)) {
        slots.insert(*slot);
    } else if (const auto* list = std::get_if<Operand::List>(&operand.content)) {
        std::ranges::for_each(*list, [&](const Operand& item) { addSlots(item, slots); });
    }
}

std::set<Slot> Interpreter::Impl::readSlots() const {
    std::set<Slot> slots;
    for (const Step& step : plan->steps) {
        std::ranges::for_each(step.operands, [&](const Operand& operand) { addSlots(operand, slots); });
    }
    std::ranges::for_each(plan->outputs, [&](const Operand& output) { addSlots(output, slots); });
    return slots;
}

/// Values that steps write, or pass to a graph of their own: those of in-place operators and control flow,
/// and in graphs with in-place operators also those of views, of outputs and of buffers that the graph
/// replaces.
std::set<Slot> Interpreter::Impl::writableSlots() const {
    std::set<Slot> slots;
    for (const Step& step : plan->steps) {
        const bool isPassed = passesValues(step) || step.op.inPlace || (step.op.view && plan->mutates);
        if (isPassed) {
            std::ranges::for_each(step.operands, [&](const Operand& operand) { addSlots(operand, slots); });
        }
    }
    if (!plan->mutates) {
        return slots;
    }
    std::ranges::for_each(plan->outputs, [&](const Operand& output) { addSlots(output, slots); });
    for (const etrecord::InputSpec& input : graph.inputSpecs) {
        if (const auto slot = plan->find(input.value); slot && etrecord::isMutatedBuffer(graph, input)) {
            slots.insert(*slot);
        }
    }
    return slots;
}

Result<ReferenceValue> Interpreter::Impl::storedValue(Slot slot) {
    const auto name = stored.find(slot);
    if (name == stored.end()) {
        return fail(ErrorCode::NotFound, fmt::format("no value \"{}\"", core::printable(plan->names[slot])));
    }
    ET_ASSIGN(const auto tensor,
              weights == Weights::Kept ? archived->find(name->second) : archived->findForNow(name->second));
    ET_ASSIGN(ReferenceTensor computed, calls.converted(*tensor, calls.computedType(tensor->view.dtype())));
    computed.view.setConstant(true);
    return ReferenceValue{std::move(computed)};
}

Result<> Interpreter::Impl::keep(Slot slot, std::string_view name, bool isKept) {
    if (!archived->contains(name)) {
        return fail(ErrorCode::NotFound,
                    fmt::format("the record has no tensor \"{}\" for the value \"{}\"", core::printable(name),
                                core::printable(plan->names[slot])));
    }
    stored[slot] = name;
    if (isKept) {
        ET_ASSIGN(own[slot], storedValue(slot));
    }
    return {};
}

Result<> Interpreter::Impl::resolve() {
    ET_ASSIGN(plan, makePlan(graph, [&](core::ScalarType type) { return calls.computedType(type); }));
    return {};
}

Result<> Interpreter::Impl::load(const etrecord::Record& record, const std::string& entry) {
    ET_TRY(resolve());
    ET_ASSIGN(archived, ArchivedTensors::open(record, {entry + "_state_dict", entry + "_constants"},
                                              options.memoryBytes));
    const std::set<Slot> read = readSlots();
    const std::set<Slot> kept = weights == Weights::Kept ? read : writableSlots();
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        const auto slot = plan->find(spec.value);
        if (isTensorInput(spec) && slot && read.contains(*slot)) {
            ET_TRY(keep(*slot, spec.target, kept.contains(*slot)));
        }
    }
    for (const PlannedTensor& tensor : plan->subclassTensors) {
        if (read.contains(tensor.slot)) {
            ET_TRY(keep(tensor.slot, tensor.name, kept.contains(tensor.slot)));
        }
    }
    return {};
}

Frame Interpreter::Impl::frame() const {
    Frame made(*plan);
    made.load = &loadStored;
    for (const auto& [slot, value] : own) {
        made.values[slot] = value;
    }
    return made;
}

/// Sizes may differ from the exported ones, even static ones: a program runs with any sizes that its memory
/// plan allows. The operators report mismatches.
Result<> Interpreter::Impl::checkShape(const core::Tensor& given, const etrecord::TensorMeta& meta) const {
    const bool fits = given.dim() == meta.sizes.size();
    const core::ScalarType expected = calls.computedType(static_cast<core::ScalarType>(meta.scalarType));
    if (fits && given.dtype() == expected) {
        return {};
    }
    std::vector<std::string> sizes;
    std::ranges::transform(meta.sizes, std::back_inserter(sizes), [](const etrecord::SymInt& size) {
        return size.expression.empty() ? std::to_string(size.value) : core::printable(size.expression);
    });
    return fail(ErrorCode::InvalidArgument,
                fmt::format("expected {} [{}], got {}", core::scalarTypeName(meta.scalarType),
                            fmt::join(sizes, ", "), core::describe(given)));
}

Result<ReferenceValue> Interpreter::Impl::bound(const ReferenceValue& given, std::size_t index,
                                                std::string_view name) {
    const auto named = [&](core::Error error) {
        error.message = fmt::format("input {} (\"{}\"): {}", index, core::printable(name), error.message);
        return error;
    };
    const auto meta = graph.tensors.find(name);
    const auto* tensor = given.as<ReferenceTensor>();
    if ((meta != graph.tensors.end()) != (tensor != nullptr)) {
        return std::unexpected(
            named({ErrorCode::InvalidArgument,
                   fmt::format("expected {}, got {}", tensor == nullptr ? "a tensor" : "no tensor",
                               kindOf(given))}));
    }
    if (tensor == nullptr) {
        return given;
    }
    ET_ASSIGN(auto computed,
              calls.converted(*tensor, calls.computedType(tensor->view.dtype())).transform_error(named));
    ET_TRY(checkShape(computed.view, meta->second).transform_error(named));
    ET_ASSIGN(computed, calls.rowMajor(computed));
    computed.view.setConstant(false);
    return ReferenceValue{std::move(computed)};
}

Result<> Interpreter::Impl::bindInputs(std::span<const ReferenceValue> inputs, Frame& values) {
    const auto expected = std::ranges::count_if(graph.inputSpecs, isUserInput);
    if (std::cmp_not_equal(expected, inputs.size())) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("the graph takes {} inputs, got {}", expected, inputs.size()));
    }
    std::size_t index = 0;
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        if (!isUserInput(spec)) {
            continue;
        }
        const ReferenceValue& given = inputs[index];
        if (const auto slot = plan->find(spec.value)) {
            ET_ASSIGN(values.values[*slot], bound(given, index, spec.value));
        }
        ++index;
    }
    return {};
}

void Interpreter::Impl::keepWritten(const Frame& values) {
    for (auto& [slot, value] : own) {
        if (values.written[slot] && values.values[slot]) {
            value = *values.values[slot];
        }
    }
}

Result<std::vector<ReferenceValue>> Interpreter::Impl::finish(const Frame& values) {
    ET_ASSIGN(const auto outputs, runner.outputs(values));
    keepWritten(values);
    std::vector<ReferenceValue> users;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (i >= graph.outputSpecs.size() || graph.outputSpecs[i].kind == "user_output") {
            users.push_back(outputs[i]);
            continue;
        }
        const etrecord::InputSpec* buffer = etrecord::mutatedBuffer(graph, graph.outputSpecs[i]);
        if (const auto slot = buffer == nullptr ? std::nullopt : plan->find(buffer->value)) {
            ET_ASSIGN(own[*slot], calls.owned(outputs[i]));
        }
    }
    return users;
}

Interpreter::Interpreter(std::unique_ptr<Impl> loaded) : impl(std::move(loaded)) {
}
Interpreter::~Interpreter() = default;

Result<std::unique_ptr<Interpreter>> Interpreter::edge(const etrecord::Record& record,
                                                       std::string_view method,
                                                       const InterpreterOptions& options) {
    return edge(record, method, options, Weights::Kept);
}

Result<std::unique_ptr<Interpreter>> Interpreter::edge(const etrecord::Record& record,
                                                       std::string_view method,
                                                       const InterpreterOptions& options, Weights weights) {
    const ExportedGraph* graph = record.edgeGraph(method);
    if (graph == nullptr) {
        return fail(ErrorCode::NotFound,
                    fmt::format("the record has no Edge graph of a method \"{}\"", method),
                    {.file = record.file().name()});
    }
    const bool named = record.layout() == etrecord::RecordLayout::Current;
    constexpr std::string_view edgeEntry = "edge_dialect_exported_program";
    auto impl = std::make_unique<Impl>(*graph, options, weights);
    const auto loaded =
        impl->load(record, named ? fmt::format("{}/{}", edgeEntry, method) : std::string(edgeEntry));
    if (!loaded) {
        return std::unexpected(core::Error(loaded.error()).in(record.file().name()));
    }
    return std::unique_ptr<Interpreter>(new Interpreter(std::move(impl)));
}

Result<std::unique_ptr<Interpreter>> Interpreter::exported(const etrecord::Record& record,
                                                           const InterpreterOptions& options) {
    return exported(record, options, Weights::Kept);
}

Result<std::unique_ptr<Interpreter>> Interpreter::exported(const etrecord::Record& record,
                                                           const InterpreterOptions& options,
                                                           Weights weights) {
    ET_ASSIGN(const ExportedGraph* graph, record.exportedProgram());
    if (graph == nullptr) {
        return fail(ErrorCode::NotFound, "the record has no exported program",
                    {.file = record.file().name()});
    }
    auto impl = std::make_unique<Impl>(*graph, options, weights);
    if (const auto loaded = impl->load(record, "exported_program"); !loaded) {
        return std::unexpected(core::Error(loaded.error()).in(record.file().name()));
    }
    return std::unique_ptr<Interpreter>(new Interpreter(std::move(impl)));
}

Result<std::unique_ptr<Interpreter>> Interpreter::of(const ExportedGraph& graph,
                                                     const InterpreterOptions& options) {
    auto impl = std::make_unique<Impl>(graph, options, Weights::Kept);
    ET_TRY(impl->resolve());
    return std::unique_ptr<Interpreter>(new Interpreter(std::move(impl)));
}

const ExportedGraph& Interpreter::graph() const {
    return impl->graph;
}

Result<std::vector<ReferenceValue>> Interpreter::run(std::span<const ReferenceValue> inputs,
                                                     const NodeObserver& observer) {
    impl->runner.begin(&observer);
    Frame frame = impl->frame();
    ET_TRY(impl->bindInputs(inputs, frame));
    ET_TRY(impl->runner.runSteps(frame, true));
    return impl->finish(frame);
}

Result<> Interpreter::setBuffer(std::string_view name, const ReferenceValue& value) {
    const auto slot = impl->plan->find(name);
    if (!slot) {
        return fail(ErrorCode::NotFound, fmt::format("the graph has no value \"{}\"", core::printable(name)));
    }
    ET_ASSIGN(impl->own[*slot], impl->calls.owned(value));
    return {};
}

}  // namespace et::backends::reference
