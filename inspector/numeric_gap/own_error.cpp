#include "inspector/numeric_gap/own_error.h"

#include "inspector/names/operator_names.h"
#include "inspector/numeric_gap/lanes.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "inspector/numeric_gap/verdict.h"
#include "runtime/core/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::Interpreter;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::NodeIndex;

// Precision loss of a program's format: weights quantized in blocks have one scale per block, which delegate
// formats store as bfloat16, whatever the graph's dtype.
/// Operators that may have several scales per channel, with the name of their scale argument.
struct BlockOperator {
    std::string_view start;
    std::string_view scales;
};
constexpr std::array blockOperators{BlockOperator{"dequantize_affine", "scale"},
                                    BlockOperator{"dequantize_per_channel_group", "scales"}};

/// Name of the scales value of a node that dequantizes in blocks.
std::optional<std::string> scalesOf(const etrecord::Node& node) {
    const std::string_view name = names::detail::nodeOperator(node.op);
    const auto* found = std::ranges::find_if(
        blockOperators, [&](const BlockOperator& each) { return name.starts_with(each.start); });
    if (found == blockOperators.end()) {
        return std::nullopt;
    }
    const auto argument = std::ranges::find(node.inputs, found->scales, &etrecord::Argument::name);
    const auto* value =
        argument == node.inputs.end() ? nullptr : std::get_if<etrecord::ValueRef>(&argument->value);
    return value == nullptr ? std::nullopt : std::optional(value->name);
}

/// For the values in `given` that are constants dequantized in blocks, returns the values with scales rounded
/// to bfloat16. Empty if there are none. Errors: as Interpreter::replay().
Result<GraphValues> weightsOfRoundedScales(Interpreter& interpreter, const GraphWalk& graph,
                                           const GraphValues& given) {
    GraphValues weights;
    for (const auto& [name, value] : given) {
        const auto producer = graph.producerOf(name);
        const auto scales = producer && graph.isConstant(*producer) ? scalesOf(graph.node(*producer))
                                                                    : std::optional<std::string>();
        if (!scales) {
            continue;
        }
        const std::array wanted{*scales};
        ET_ASSIGN(const Interpreter::Values exact, interpreter.evaluate(wanted, {}));
        const ReferenceTensor* tensor = tensorIn(exact, *scales);
        if (tensor == nullptr || tensor->view.dim() < 2) {
            continue;  // one per channel, which formats store without loss
        }
        ET_ASSIGN(const ReferenceTensor narrow, converted(tensor->view, core::ScalarType::BFloat16));
        ET_ASSIGN(ReferenceTensor rounded, converted(narrow.view, tensor->view.dtype()));
        GraphValues inputs;
        inputs.emplace(*scales, ReferenceValue{std::move(rounded)});
        const std::array nodes{*producer};
        ET_ASSIGN(Interpreter::Values computed, interpreter.replay(nodes, inputs));
        if (const auto found = computed.find(name); found != computed.end()) {
            weights.insert_or_assign(name, std::move(found->second));
        }
    }
    return weights;
}

/// Whether the runtime's quantization parameters differ from the graph's.
bool contradicts(const GapUnit& unit) {
    return unit.quantization && unit.place.quantization &&
           !agree(*unit.quantization, *unit.place.quantization);
}

/// Converts a tensor to the graph's dtype for the value.
Result<ReferenceTensor> asInGraph(const ReferenceTensor& tensor, core::ScalarType dtype) {
    return tensor.view.dtype() == dtype ? Result<ReferenceTensor>(tensor) : converted(tensor.view, dtype);
}

core::ScalarType typeOf(const GraphValues& values, std::string_view name, core::ScalarType otherwise) {
    const auto found = values.find(name);
    const auto* tensor = found == values.end() ? nullptr : found->second.as<ReferenceTensor>();
    return tensor == nullptr ? otherwise : tensor->view.dtype();
}

}  // namespace

Replayer::Replayer(Interpreter& replaying, const GraphWalk& walk, const GraphValues& values, double allowed)
    : interpreter(replaying), graph(walk), reference(values), tolerance(allowed) {
    for (const etrecord::InputSpec& spec : graph.graph().inputSpecs) {
        const auto value = reference.find(spec.value);
        if (isUserInput(spec) && value != reference.end()) {
            known.insert(*value);
        }
    }
}

Result<> Replayer::know(std::span<const GapUnit> units) {
    for (const GapUnit& unit : units) {
        const core::ScalarType real = unit.real.view.dtype();
        if (unit.whole) {
            for (const std::string& each : unit.place.dequantized) {
                ET_ASSIGN(ReferenceTensor tensor, asInGraph(unit.real, typeOf(reference, each, real)));
                known.insert_or_assign(each, ReferenceValue{std::move(tensor)});
            }
            // A value that is real in the graph is compared as real, even if the runtime quantizes it.
            const bool isReal = core::isFloating(typeOf(reference, unit.place.value, core::ScalarType::Char));
            if (isReal && unit.quantization) {
                ET_ASSIGN(ReferenceTensor tensor,
                          asInGraph(unit.real, typeOf(reference, unit.place.value, real)));
                known.insert_or_assign(unit.place.value, ReferenceValue{std::move(tensor)});
            } else if (!isReal && !contradicts(unit)) {
                known.insert_or_assign(unit.place.value, ReferenceValue{*unit.whole});
            }
            continue;
        }
        ET_ASSIGN(ReferenceTensor tensor, asInGraph(unit.real, typeOf(reference, unit.place.value, real)));
        known.insert_or_assign(unit.place.value, ReferenceValue{std::move(tensor)});
    }
    return {};
}

GraphValues Replayer::forget(const MappedValue& place) {
    GraphValues removed;
    const auto take = [&](const std::string& name) {
        if (auto node = known.extract(name)) {
            removed.insert(std::move(node));
        }
    };
    take(place.value);
    std::ranges::for_each(place.dequantized, take);
    return removed;
}

Replayer::Closure Replayer::findClosure(std::string_view value) const {
    Closure closure;
    std::set<NodeIndex> inside;
    std::vector<NodeIndex> open{*graph.producerOf(value)};
    while (!open.empty()) {
        const NodeIndex index = open.back();
        open.pop_back();
        if (!inside.insert(index).second) {
            continue;
        }
        for (const std::string_view input : graph.inputsOf(index)) {
            const auto producer = graph.producerOf(input);
            const bool isConstant = producer && graph.isConstant(*producer);
            const GraphValues& from = isConstant ? reference : known;
            if (const auto found = from.find(input); found != from.end()) {
                closure.given.insert(*found);
            } else if (isConstant) {
                closure.constants.emplace_back(input);
            } else if (producer) {
                open.push_back(*producer);
            }
        }
    }
    closure.nodes.assign(inside.begin(), inside.end());
    return closure;
}

/// Computes the unknown constants, which are in memory only for this replay.
Result<> Replayer::addConstants(Closure& closure) const {
    if (!closure.constants.empty()) {
        ET_ASSIGN(GraphValues computed, interpreter.evaluate(closure.constants, {}));
        closure.given.merge(computed);
    }
    return {};
}

/// Reads the input of the quantizing node as real numbers, clamped to its integer range. False if the graph
/// does not contain the range.
Result<bool> Replayer::readUnrounded(const GapUnit& unit, const Closure& closure,
                                     const GraphValues& replayed) {
    const NodeIndex index = *graph.producerOf(unit.place.value);
    const auto range = wholeRangeOf(graph.node(index));
    if (!unit.place.quantization || !range || graph.inputsOf(index).empty()) {
        return false;
    }
    const std::string_view name = graph.inputsOf(index).front();
    auto found = replayed.find(name);
    if (found == replayed.end()) {
        found = closure.given.find(name);
        if (found == closure.given.end()) {
            return false;
        }
    }
    const auto* tensor = found->second.as<ReferenceTensor>();
    if (tensor == nullptr) {
        return false;
    }
    ET_TRY(numbersInto(tensor->view, numbers.unrounded));
    const auto realOf = [&](std::int64_t whole) {
        return static_cast<double>(whole - unit.place.quantization->zeroPoint) *
               unit.place.quantization->scale;
    };
    const double lowest = realOf(range->first);
    const double highest = realOf(range->second);
    for (double& number : numbers.unrounded) {
        number = std::min(std::max(number, lowest), highest);
    }
    return true;
}

/// How the replayed nodes compute the unit's value, which has this dtype in the graph.
Computation Replayer::makeComputation(const GapUnit& unit, const Closure& closure, core::ScalarType dtype,
                                      bool isRounded) const {
    const bool isQuantized = unit.whole && unit.place.quantization;
    const bool quantizes = std::ranges::any_of(
        closure.nodes, [&](NodeIndex index) { return roleOf(graph.node(index)) != NodeRole::Compute; });
    const bool sharesScale = std::ranges::any_of(closure.nodes, [&](NodeIndex index) {
        return names::detail::nodeOperator(graph.node(index).op) == "choose_qparams";
    });
    return {.type = lessPrecise(unit.real.view.dtype(), dtype),
            .quantization = isQuantized ? unit.place.quantization : std::nullopt,
            .isRounded = isRounded,
            .quantizesInside = !isQuantized && quantizes && closure.nodes.size() > 1,
            .sharesScale = sharesScale};
}

LegalError Replayer::computeLegalError(const Computation& computation, double magnitude) const {
    LegalError legal = legalError(computation, magnitude);
    legal.max *= tolerance;
    legal.usually *= tolerance;
    return legal;
}

Result<OwnError> Replayer::judged(const GapUnit& unit, const Closure& closure, const GraphValues& values,
                                  const Sides& sides) {
    const auto& sizes = sides.runtime.view.sizes();
    const std::span<const std::int64_t> shape(sizes.begin(), sizes.end());
    // A delegate may compute with more digits than the graph, or with fewer.
    const core::ScalarType dtype = sides.replayed.view.dtype();
    ET_ASSIGN(const bool isSaid, readUnrounded(unit, closure, values));
    const auto runtime = plainFloats(sides.runtime.view);
    const auto replayed = plainFloats(sides.replayed.view);
    const auto expected = plainFloats(sides.reference.view);
    if (!isSaid && runtime && replayed && expected) {
        const double magnitude = lanes::largestMagnitude(*replayed);
        return judge(ErrorSourcesOf<float>{.runtime = *runtime,
                                           .replayed = *replayed,
                                           .unrounded = *replayed,
                                           .reference = *expected,
                                           .sizes = shape},
                     computeLegalError(makeComputation(unit, closure, dtype, true), magnitude));
    }
    ET_TRY(numbersInto(sides.runtime.view, numbers.runtime));
    ET_TRY(numbersInto(sides.replayed.view, numbers.replayed));
    ET_TRY(numbersInto(sides.reference.view, numbers.reference));
    const bool isKnown = isSaid && numbers.unrounded.size() == numbers.replayed.size();
    const double magnitude = lanes::largestMagnitude(std::span<const double>(numbers.replayed));
    return judge(ErrorSources{.runtime = numbers.runtime,
                              .replayed = numbers.replayed,
                              .unrounded = isKnown ? numbers.unrounded : numbers.replayed,
                              .reference = numbers.reference,
                              .sizes = shape},
                 computeLegalError(makeComputation(unit, closure, dtype, !isKnown), magnitude));
}

Result<OwnError> Replayer::compare(const GapUnit& unit, const Closure& closure, const GraphValues& values) {
    const auto value = values.find(unit.place.value);
    const auto* replayed = value == values.end() ? nullptr : value->second.as<ReferenceTensor>();
    if (replayed == nullptr) {
        return fail(ErrorCode::NotFound, fmt::format("the replay produced no tensor {}", unit.place.value));
    }
    ReferenceTensor runtime = unit.real;
    ReferenceTensor expected = *replayed;
    if (unit.whole && unit.place.quantization) {
        // Compare the values that the graph's next node would read.
        ET_ASSIGN(runtime, dequantized(unit.whole->view, *unit.place.quantization));
        ET_ASSIGN(expected, dequantized(replayed->view, *unit.place.quantization));
    }
    const auto referenceTensor = referenceAt(unit.place, reference);
    if (!referenceTensor || !std::ranges::equal(runtime.view.sizes(), expected.view.sizes()) ||
        !std::ranges::equal(referenceTensor->view.sizes(), expected.view.sizes())) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("{}: the runtime has {}, the replay {}", unit.place.value,
                                describe(runtime.view), describe(expected.view)));
    }
    ET_ASSIGN(OwnError error, judged(unit, closure, values, {runtime, expected, *referenceTensor}));
    if (contradicts(unit)) {
        error.diverges = true;
        error.reason = fmt::format("scale {:g} and zero point {}, the graph has {:g} and {}",
                                   unit.quantization->scale, unit.quantization->zeroPoint,
                                   unit.place.quantization->scale, unit.place.quantization->zeroPoint);
    }
    return error;
}

/// Checks whether an error beyond rounding disappears if the graph uses the scales as stored in the
/// delegate's format.
Result<OwnError> Replayer::explained(const GapUnit& unit, const Closure& closure, OwnError error) {
    if (!error.diverges || unit.where != GapLevel::Delegate || contradicts(unit)) {
        return error;
    }
    ET_ASSIGN(GraphValues rounded, weightsOfRoundedScales(interpreter, graph, closure.given));
    if (rounded.empty()) {
        return error;
    }
    rounded.insert(closure.given.begin(), closure.given.end());
    ET_ASSIGN(const Interpreter::Values values, interpreter.replay(closure.nodes, rounded));
    ET_ASSIGN(const OwnError rest, compare(unit, closure, values));
    if (!rest.diverges) {
        error.diverges = false;
        error.reason.clear();
        error.explanation = "bfloat16 scales";
    }
    return error;
}

Result<Replay> Replayer::replay(const GapUnit& unit) {
    Closure closure = findClosure(unit.place.value);
    for (const NodeIndex index : closure.nodes) {
        if (!isDetermined(graph.node(index))) {
            return fail(ErrorCode::Unsupported,
                        fmt::format("the result of {} is not deterministic", graph.node(index).name));
        }
    }
    ET_TRY(addConstants(closure));
    ET_ASSIGN(const Interpreter::Values values, interpreter.replay(closure.nodes, closure.given));
    ET_ASSIGN(OwnError error, compare(unit, closure, values));
    ET_ASSIGN(error, explained(unit, closure, std::move(error)));
    Replay replayed{.nodes = {}, .inputs = {}, .error = std::move(error)};
    for (const NodeIndex index : closure.nodes) {
        if (!graph.isConstant(index)) {
            replayed.nodes.push_back(index);
        }
    }
    for (const auto& [name, value_given] : closure.given) {
        const auto producer = graph.producerOf(name);
        if (!producer || !graph.isConstant(*producer)) {
            replayed.inputs.push_back(name);
        }
    }
    return replayed;
}

}  // namespace et::inspector
