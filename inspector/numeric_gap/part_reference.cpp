#include "inspector/numeric_gap/part_reference.h"

#include "inspector/numeric_gap/delegate_layout.h"
#include "inspector/numeric_gap/lost_state.h"
#include "inspector/numeric_gap/own_error.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using backends::reference::Interpreter;
using core::ErrorCode;
using core::fail;
using core::Result;

/// The values of the whole, with those of the part replacing its own.
RuntimeValues merged(const RuntimeValues& whole, const RuntimeValues& part) {
    RuntimeValues all = whole;
    for (const RuntimeCall& call : part.calls) {
        const auto own = std::ranges::find_if(all.calls, [&](const RuntimeCall& each) {
            return each.chain == call.chain && each.instruction == call.instruction;
        });
        if (own != all.calls.end() && !(call.isDelegate() && call.values.size() != own->values.size())) {
            own->values = call.values;
        }
    }
    for (const TappedValue& tap : part.taps) {
        const auto own = std::ranges::find_if(all.taps, [&](const TappedValue& each) {
            return each.chain == tap.chain && each.instruction == tap.instruction && each.value == tap.value;
        });
        if (own != all.taps.end()) {
            own->tensor = tap.tensor;
        }
    }
    return all;
}

bool isOf(const RuntimeValues& part, const GapUnit& unit) {
    if (unit.where == GapLevel::Delegate) {
        return std::ranges::any_of(part.taps, [&](const TappedValue& each) {
            return each.instruction == unit.instruction && each.value == unit.inner;
        });
    }
    return std::ranges::contains(part.calls, unit.instruction, &RuntimeCall::instruction);
}

const GapUnit* unitAt(const FoundUnits& units, const RuntimeValueRef& place) {
    const auto found = std::ranges::find_if(units.units, [&](const GapUnit& each) {
        return each.instruction == place.instruction && each.inner == place.inner &&
               (place.inner || each.output == place.output);
    });
    return found == units.units.end() ? nullptr : &*found;
}

/// Quantizes real numbers.
Result<ReferenceTensor> quantized(const core::Tensor& real, const QuantizationParameters& parameters,
                                  core::ScalarType dtype) {
    auto numbers = std::make_shared<std::vector<double>>();
    ET_ASSIGN(*numbers, numbersOf(real));
    const bool isSigned = dtype == core::ScalarType::Char;
    const double lowest = isSigned ? std::numeric_limits<std::int8_t>::min() : 0;
    const double highest =
        isSigned ? std::numeric_limits<std::int8_t>::max() : std::numeric_limits<std::uint8_t>::max();
    for (double& number : *numbers) {
        number =
            std::clamp(std::nearbyint(number / parameters.scale) + static_cast<double>(parameters.zeroPoint),
                       lowest, highest);
    }
    const core::Tensor view =
        core::Tensor::over(numbers->data(), std::span(real.sizes().begin(), real.sizes().end()));
    return converted(view, dtype);
}

std::vector<std::uint8_t> inverse(std::span<const std::uint8_t> order) {
    std::vector<std::uint8_t> out(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        out[order[i]] = static_cast<std::uint8_t>(i);
    }
    return out;
}

}  // namespace

Result<std::unique_ptr<PartReference>> PartReference::make(const GapSources& sources) {
    std::unique_ptr<PartReference> made(new PartReference(sources));
    made->whole = sources.runtime;
    ET_TRY(made->run());
    return made;
}

Result<> PartReference::run() {
    const backends::reference::InterpreterOptions interpreting{.kernels = sources.kernels,
                                                               .threads = sources.threads,
                                                               .memoryBytes = sources.memoryBytes,
                                                               .cancel = sources.cancel};
    ET_ASSIGN(edge, Interpreter::edge(sources.record, sources.method, interpreting));
    ET_ASSIGN(values, runGraph(*edge, sources.inputs));
    walk.emplace(edge->graph());
    maps = sources.record.maps(sources.method);
    if (maps == nullptr) {
        return fail(ErrorCode::NotFound,
                    fmt::format("the record has no debug handles for method {}", sources.method),
                    {.file = sources.record.file().name(), .field = {}, .offset = {}});
    }
    ET_ASSIGN(replaying, Interpreter::edge(sources.record, sources.method, interpreting));
    if (sources.program != nullptr) {
        ET_ASSIGN(const auto lost,
                  findLostFirstValues(sources.record, *sources.program, sources.memoryBytes));
        ET_TRY(setState(*replaying, lost, {}));
    }
    ET_ASSIGN(known, unitsOf(whole));
    return {};
}

Result<FoundUnits> PartReference::unitsOf(const RuntimeValues& of) const {
    return findUnits({.graph = *walk,
                      .reference = values,
                      .maps = *maps,
                      .runtime = of,
                      .method = sources.program,
                      .backends = sources.backends});
}

Result<std::optional<PartDivergence>> PartReference::firstDivergence(const RuntimeValues& part,
                                                                     double tolerance) {
    const bool isWhole = part.calls.empty() && part.taps.empty();
    ET_ASSIGN(const FoundUnits found, unitsOf(isWhole ? whole : merged(whole, part)));
    Replayer replayer(*replaying, *walk, values, tolerance);
    ET_TRY(replayer.know(found.units));
    for (const GapUnit& unit : found.units) {
        if (!isWhole && !isOf(part, unit)) {
            continue;
        }
        auto replay = replayer.replay(unit);
        if (!replay && replay.error().code == ErrorCode::Cancelled) {
            return std::unexpected(std::move(replay).error());
        }
        if (replay && replay->error.diverges) {
            PartDivergence out{.instruction = unit.instruction,
                               .inner = unit.inner,
                               .op = unit.op,
                               .nodes = {},
                               .error = replay->error};
            std::ranges::transform(replay->nodes, std::back_inserter(out.nodes),
                                   [&](etrecord::NodeIndex each) { return walk->node(each).name; });
            return out;
        }
    }
    return std::nullopt;
}

/// Converts to the part's dtype, order of dimensions and sizes.
Result<ReferenceTensor> PartReference::convertToForm(const RuntimeValueRef& place, const GapUnit& unit,
                                                     const ReferenceTensor& value) const {
    ReferenceTensor tensor = value;
    if (isWhole(place.dtype) && !isWhole(tensor.view.dtype()) && unit.quantization) {
        ET_ASSIGN(tensor, quantized(tensor.view, *unit.quantization, place.dtype));
    }
    if (tensor.view.dtype() != place.dtype) {
        ET_ASSIGN(tensor, converted(tensor.view, place.dtype));
    }
    if (place.inMemoryOrder && place.inner) {
        const auto& instructions = sources.program->chains.front().instructions;
        const auto* const call =
            std::get_if<program::DelegateCall>(&instructions[static_cast<std::size_t>(place.instruction)]);
        const auto* const backend =
            call == nullptr
                ? nullptr
                : executor::findBackend(sources.backends, sources.program->delegate(call->delegate).backend);
        if (backend != nullptr) {
            ET_ASSIGN(const DelegateLayout layout, readLayout(*backend, *sources.program, *call));
            const executor::InnerValue* const inner = layout.find(*place.inner);
            if (inner != nullptr && inner->order.size() == tensor.view.dim()) {
                ET_ASSIGN(tensor, permutedCopy(tensor.view, inverse(inner->order)));
            }
        }
    }
    ET_ASSIGN(tensor, rowMajorCopy(tensor.view));
    const auto elements =
        std::accumulate(place.sizes.begin(), place.sizes.end(), std::int64_t{1}, std::multiplies());
    if (elements == tensor.view.numel() && !std::ranges::equal(tensor.view.sizes(), place.sizes)) {
        ET_ASSIGN(tensor.view, core::Tensor::make(place.dtype, place.sizes, tensor.view.raw()));
    }
    return tensor;
}

Result<std::vector<std::optional<ReferenceTensor>>> PartReference::expected(
    std::span<const RuntimeValueRef> given, std::span<const RuntimeValueRef> wanted) {
    std::vector<GapUnit> inputs;
    for (const RuntimeValueRef& each : given) {
        if (const GapUnit* const unit = unitAt(known, each)) {
            inputs.push_back(*unit);
        }
    }
    Replayer replayer(*replaying, *walk, values);
    std::size_t input = 0;
    for (const etrecord::InputSpec& spec : walk->graph().inputSpecs) {
        if (isUserInput(spec)) {
            if (!std::ranges::contains(given, std::optional(input), &RuntimeValueRef::input)) {
                replayer.forget(spec.value);
            }
            ++input;
        }
    }
    ET_TRY(replayer.know(inputs));
    std::vector<std::optional<ReferenceTensor>> out;
    for (const RuntimeValueRef& each : wanted) {
        const GapUnit* const unit = unitAt(known, each);
        if (unit == nullptr) {
            out.emplace_back();
            continue;
        }
        const std::string names[] = {unit->place.value};
        const auto computed = replayer.evaluate(names);
        if (!computed && computed.error().code != ErrorCode::NotFound) {
            return std::unexpected(computed.error());
        }
        const ReferenceTensor* const tensor = computed ? tensorIn(*computed, unit->place.value) : nullptr;
        if (tensor == nullptr) {
            out.emplace_back();
            continue;
        }
        ET_ASSIGN(ReferenceTensor formed, convertToForm(each, *unit, *tensor));
        out.emplace_back(std::move(formed));
    }
    return out;
}

}  // namespace et::inspector
