#include "inspector/numeric_gap/units.h"

#include "etrecord/exported_graph.h"
#include "inspector/numeric_gap/border_orders.h"
#include "inspector/numeric_gap/delegate_layout.h"
#include "inspector/numeric_gap/fitted_tensor.h"
#include "inspector/numeric_gap/kernel_nodes.h"
#include "inspector/numeric_gap/region_nodes.h"
#include "inspector/numeric_gap/value_alignment.h"
#include "runtime/core/element_types.h"
#include "runtime/executor/no_named_data.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::ReferenceValue;
using core::DebugHandle;
using core::Result;
using core::Tensor;
using etrecord::NodeIndex;

void releasePages(const UnitSources& sources) {
    if (sources.store != nullptr) {
        sources.store->release();
    }
}

constexpr auto hasHandle = [](const TappedValue& tap) { return tap.handle.has_value(); };

/// A delegate may return integers where the graph's next value is real: that is a different value.
bool sameTypeAndSizes(const Tensor& left, const Tensor& right) {
    return left.dtype() == right.dtype() && sameSizes(left, right);
}

/// Finds units by processing the calls in order.
class UnitFinder {
  public:
    explicit UnitFinder(const UnitSources& from) : sources(from), kernels(matchKernels(from)) {
        if (sources.method != nullptr) {
            borders = BorderOrders(sources.graph.graph(), *sources.method);
        }
        for (const auto& [instruction, entry] : sources.maps.debugHandles) {
            for (const DebugHandle handle : std::set(entry.handles.begin(), entry.handles.end())) {
                owners[handle].insert(instruction);
            }
        }
        for (const auto& [call, node] : kernels) {
            taken.insert(node);
        }
    }

    Result<FoundUnits> find();

  private:
    [[nodiscard]] std::vector<DebugHandle> handlesOf(std::int32_t instruction) const;
    [[nodiscard]] DelegateRegion regionOf(std::int32_t instruction) const;
    [[nodiscard]] const DelegateLayout* layoutOf(const TappedValue& tap);
    [[nodiscard]] bool isConversion(const TappedValue& tap) const;
    [[nodiscard]] const program::DelegateCall* callOf(const TappedValue& tap) const;
    [[nodiscard]] const executor::Backend* backendOf(const program::DelegateCall& call) const {
        return executor::findBackend(sources.backends, sources.method->delegate(call.delegate).backend);
    }
    [[nodiscard]] std::vector<UnnamedValue> unnamedValues(std::span<const TappedValue> taps,
                                                          std::span<const GapUnit> units) const;
    [[nodiscard]] std::vector<NodeIndex> nodesOf(const DelegateRegion& region) const {
        return nodesOfRegion(sources.graph, region, taken,
                             [this](DebugHandle each) { return owners.contains(each); });
    }
    [[nodiscard]] std::vector<std::optional<MappedValue>> placesOf(std::span<const TappedValue> taps,
                                                                   std::span<const GapUnit> units);
    Result<> addTaps(std::span<const TappedValue> taps);
    Result<GapUnit> tappedUnit(const TappedValue& tap, const DelegateLayout* layout) const;
    Result<> addKernel(const RuntimeCall& call, NodeIndex index);
    [[nodiscard]] std::optional<MappedValue> quantizedPlace(NodeIndex index) const;
    Result<> addQuantized(GapUnit unit, MappedValue place, const ReferenceTensor& logged);
    Result<> addDelegateOutputs(const RuntimeCall& call);
    /// The region's output values. Excludes nodes already assigned, for example to kernels.
    [[nodiscard]] std::vector<std::string_view> outputsOfRegion(const DelegateRegion& region) const;
    [[nodiscard]] std::string backendOf(std::int32_t instruction) const;
    [[nodiscard]] std::vector<std::string_view>::iterator nearest(const ReferenceTensor& logged,
                                                                  std::vector<std::string_view>& names) const;
    [[nodiscard]] double distanceTo(const ReferenceTensor& real, std::string_view value) const;
    Result<> addValue(GapUnit unit, std::string_view value, const ReferenceTensor& logged);

    const UnitSources& sources;
    BorderOrders borders;
    std::map<DebugHandle, std::set<core::InstructionId>> owners;
    std::map<std::int32_t, std::unique_ptr<DelegateLayout>> layouts;
    std::set<NodeIndex> taken;
    std::set<std::int32_t> tapped;
    KernelNodes kernels;
    FoundUnits found;
};

std::vector<DebugHandle> UnitFinder::handlesOf(std::int32_t instruction) const {
    const auto entry = sources.maps.debugHandles.find(core::InstructionId(instruction));
    return entry == sources.maps.debugHandles.end() ? std::vector<DebugHandle>() : entry->second.handles;
}

DelegateRegion UnitFinder::regionOf(std::int32_t instruction) const {
    DelegateRegion region;
    for (const DebugHandle each : handlesOf(instruction)) {
        region.handles.insert(each);
        if (owners.at(each).size() > 1) {
            region.shared.insert(each);
        }
    }
    return region;
}

std::string UnitFinder::backendOf(std::int32_t instruction) const {
    const auto entry = sources.maps.delegates.find(core::InstructionId(instruction));
    return entry == sources.maps.delegates.end() ? std::string() : entry->second.backend;
}

/// The delegate call that computes the value; null without a program.
const program::DelegateCall* UnitFinder::callOf(const TappedValue& tap) const {
    if (sources.method == nullptr || tap.chain < 0 || tap.instruction < 0) {
        return nullptr;
    }
    const auto chain = static_cast<std::size_t>(tap.chain);
    const auto at = static_cast<std::size_t>(tap.instruction);
    if (chain >= sources.method->chains.size() || at >= sources.method->chains[chain].instructions.size()) {
        return nullptr;
    }
    return std::get_if<program::DelegateCall>(&sources.method->chains[chain].instructions[at]);
}

const DelegateLayout* UnitFinder::layoutOf(const TappedValue& tap) {
    const auto known = layouts.find(tap.instruction);
    if (known != layouts.end()) {
        return known->second.get();
    }
    const auto* const call = callOf(tap);
    const executor::Backend* const backend = call == nullptr ? nullptr : backendOf(*call);
    if (backend == nullptr) {
        return nullptr;
    }
    std::unique_ptr<DelegateLayout>& layout = layouts[tap.instruction];
    if (auto read = readLayout(*backend, *sources.method, *call, borders)) {
        layout = std::make_unique<DelegateLayout>(*std::move(read));
    }
    return layout.get();
}

/// Whether a value is its node's input converted to another datatype.
bool UnitFinder::isConversion(const TappedValue& tap) const {
    return std::ranges::any_of(sources.backends, [&](const executor::Backend* backend) {
        const executor::TraceConventions& traits = backend->traceConventions();
        return std::ranges::contains(traits.conversions, traits.type(tap.kind));
    });
}

Result<GapUnit> UnitFinder::tappedUnit(const TappedValue& tap, const DelegateLayout* layout) const {
    GapUnit unit{.where = GapLevel::Delegate,
                 .chain = tap.chain,
                 .instruction = tap.instruction,
                 .op = tap.kind,
                 .backend = backendOf(tap.instruction),
                 .handle = tap.handle,
                 .inner = tap.value,
                 .place = {},
                 .real = tap.tensor,
                 .whole = {},
                 .quantization = {}};
    if (layout != nullptr && tap.value) {
        if (const executor::InnerValue* value = layout->find(*tap.value)) {
            if (value->order.size() == tap.tensor.view.dim()) {
                ET_ASSIGN(unit.real, permutedCopy(tap.tensor.view, value->order));
            }
            unit.quantization = parametersOf(*value);
        }
    }
    if (isWhole(unit.real.view.dtype())) {
        unit.whole = unit.real;
        if (unit.quantization) {
            ET_ASSIGN(unit.real, dequantized(unit.whole->view, *unit.quantization));
        }
    }
    return unit;
}

/// Uses the graph's quantization parameters for a value whose trace has none.
Result<> useGraphParameters(GapUnit& unit) {
    if (unit.whole && !unit.quantization && unit.place.quantization) {
        unit.quantization = unit.place.quantization;
        ET_ASSIGN(unit.real, dequantized(unit.whole->view, *unit.quantization));
    }
    return {};
}

double UnitFinder::distanceTo(const ReferenceTensor& real, std::string_view value) const {
    const ReferenceTensor* expected = tensorIn(sources.reference, value);
    return expected == nullptr ? std::numeric_limits<double>::infinity()
                               : computeDistance(real.view, expected->view);
}

std::vector<UnnamedValue> UnitFinder::unnamedValues(std::span<const TappedValue> taps,
                                                    std::span<const GapUnit> units) const {
    std::vector<UnnamedValue> values;
    for (std::size_t i = 0; i < taps.size(); ++i) {
        values.push_back({.kind = taps[i].kind, .tensor = &units[i].real.view, .owner = {}});
    }
    const auto* const call = callOf(taps.front());
    const executor::Backend* const backend = call == nullptr ? nullptr : backendOf(*call);
    if (backend == nullptr) {
        return values;
    }
    const auto described =
        backend->describe(sources.method->delegate(call->delegate), executor::NoNamedData());
    if (!described) {
        return values;
    }
    const auto nodeOwners = findParameterOwners(*described, sources.graph);
    for (std::size_t i = 0; i < taps.size(); ++i) {
        const bool isKnown = taps[i].value && *taps[i].value < described->values().size();
        const auto producer = isKnown ? described->values()[*taps[i].value].producer : std::nullopt;
        if (producer && described->node(*producer).kind == taps[i].kind) {
            values[i].owner = nodeOwners[producer->value];
        }
    }
    return values;
}

/// The places of a call's values in the graph: by debug handles, or by numbers if the delegate has none.
std::vector<std::optional<MappedValue>> UnitFinder::placesOf(std::span<const TappedValue> taps,
                                                             std::span<const GapUnit> units) {
    const DelegateRegion region = regionOf(taps.front().instruction);
    if (std::ranges::none_of(taps, hasHandle)) {
        auto places =
            alignValues(sources.graph, sources.reference, unnamedValues(taps, units), nodesOf(region));
        for (const auto& place : places) {
            if (place) {
                taken.insert(place->nodes.begin(), place->nodes.end());
            }
        }
        return places;
    }
    std::vector<DelegateNode> nodes;
    for (std::size_t i = 0; i < taps.size(); ++i) {
        const auto sizes = units[i].real.view.sizes();
        nodes.push_back({.handle = taps[i].handle,
                         .kind = taps[i].kind,
                         .isQuantized = units[i].whole.has_value(),
                         .isConversion = isConversion(taps[i]),
                         .elements = units[i].real.view.numel(),
                         .sizes = {sizes.begin(), sizes.end()}});
    }
    const auto distance = [&](std::size_t node, std::string_view value) {
        return distanceTo(units[node].real, value);
    };
    return mapDelegateNodes(sources.graph, nodes, region, distance, taken);
}

Result<> UnitFinder::addTaps(std::span<const TappedValue> taps) {
    if (taps.empty()) {
        return {};
    }
    std::vector<GapUnit> units;
    for (const TappedValue& tap : taps) {
        ET_ASSIGN(GapUnit unit, tappedUnit(tap, layoutOf(tap)));
        units.push_back(std::move(unit));
    }
    const auto places = placesOf(taps, units);
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (!places[i]) {
            found.unplaced += taps[i].handle ? 1U : 0U;
            continue;
        }
        GapUnit& unit = units[i];
        unit.place = *places[i];
        if (const auto& handles = sources.graph.node(unit.place.nodes.front()).debugHandles;
            !unit.handle && !handles.empty()) {
            unit.handle = handles.front();
        }
        if (const auto expected = referenceAt(unit.place, sources.reference)) {
            ET_ASSIGN(unit.real, fitted(unit.real, *expected));
            if (unit.whole) {
                ET_ASSIGN(unit.whole, fitted(*unit.whole, *expected));
            }
        }
        ET_TRY(useGraphParameters(unit));
        if (sources.store != nullptr && unit.real.owner != taps[i].tensor.owner) {
            unit.real = sources.store->keep(std::move(unit.real));
        }
        found.units.push_back(std::move(unit));
    }
    if (std::ranges::any_of(places, [](const auto& place) { return place.has_value(); })) {
        tapped.insert(taps.front().instruction);
    }
    return {};
}

Result<> UnitFinder::addValue(GapUnit unit, std::string_view value, const ReferenceTensor& logged) {
    const auto producer = sources.graph.producerOf(value);
    unit.place.value = value;
    unit.place.nodes = {*producer};
    unit.real = logged;
    if (roleOf(sources.graph.node(*producer)) == NodeRole::Quantize && isWhole(logged.view.dtype())) {
        unit.place.quantization = parametersOf(sources.graph.node(*producer));
        unit.whole = logged;
        ET_TRY(useGraphParameters(unit));
    }
    taken.insert(*producer);
    found.units.push_back(std::move(unit));
    return {};
}

/// For a kernel that returns integers where its node returns real numbers: follows the graph to the node that
/// quantizes them, past other nodes that the kernel computes (a fused activation). Nothing if the graph has
/// no such integers.
std::optional<MappedValue> UnitFinder::quantizedPlace(NodeIndex index) const {
    std::vector<NodeIndex> way{index};
    const auto* first = tensorIn(sources.reference, sources.graph.resultOf(index));
    while (roleOf(sources.graph.node(way.back())) != NodeRole::Quantize) {
        const auto readers = sources.graph.consumersOf(sources.graph.resultOf(way.back()));
        if (readers.size() != 1 || taken.contains(readers.front())) {
            return std::nullopt;
        }
        const auto* next = tensorIn(sources.reference, sources.graph.resultOf(readers.front()));
        if (first == nullptr || next == nullptr || !sameSizes(first->view, next->view)) {
            return std::nullopt;
        }
        way.push_back(readers.front());
    }
    return placeAt(sources.graph, std::move(way));
}

Result<> UnitFinder::addQuantized(GapUnit unit, MappedValue place, const ReferenceTensor& logged) {
    taken.insert(place.nodes.begin(), place.nodes.end());
    unit.place = std::move(place);
    unit.real = logged;
    unit.whole = logged;
    ET_TRY(useGraphParameters(unit));
    found.units.push_back(std::move(unit));
    return {};
}

Result<> UnitFinder::addKernel(const RuntimeCall& call, NodeIndex index) {
    const etrecord::Node& node = sources.graph.node(index);
    const std::vector<std::string_view> names = valueNames(node.outputs);
    std::vector<ReferenceValue> values = call.values;
    if (const auto* list = values.front().as<ReferenceValue::List>()) {
        values = ReferenceValue::List(*list);
    }
    const std::vector<std::optional<std::size_t>> places = placesOfValues(sources, values, names);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto* tensor = values[i].as<ReferenceTensor>();
        const ReferenceTensor* expected =
            places[i] ? tensorIn(sources.reference, names[*places[i]]) : nullptr;
        if (tensor == nullptr || expected == nullptr) {
            continue;
        }
        GapUnit unit{
            .chain = call.chain,
            .instruction = call.instruction,
            .op = call.name,
            .backend = {},
            .handle = node.debugHandles.empty() ? std::nullopt : std::optional(node.debugHandles.front()),
            .output = i,
            .place = {},
            .real = {},
            .whole = {},
            .quantization = {}};
        if (!isWhole(tensor->view.dtype()) || !core::isFloating(expected->view.dtype())) {
            ET_ASSIGN(const ReferenceTensor value, haveMergedSizes(tensor->view, expected->view)
                                                       ? fitted(*tensor, *expected)
                                                       : Result<ReferenceTensor>(*tensor));
            ET_TRY(addValue(std::move(unit), names[*places[i]], value));
        } else if (auto place = i == 0 ? quantizedPlace(index) : std::nullopt) {
            ET_TRY(addQuantized(std::move(unit), *std::move(place), *tensor));
        }
    }
    return {};
}

std::vector<std::string_view> UnitFinder::outputsOfRegion(const DelegateRegion& region) const {
    const auto isInside = [&](NodeIndex index) {
        return !taken.contains(index) &&
               std::ranges::any_of(sources.graph.node(index).debugHandles,
                                   [&](DebugHandle each) { return region.handles.contains(each); });
    };
    std::vector<std::string_view> outputs;
    for (NodeIndex index = 0; index < sources.graph.graph().nodes.size(); ++index) {
        if (!isInside(index)) {
            continue;
        }
        for (const std::string_view value : valueNames(sources.graph.node(index).outputs)) {
            const auto readers = sources.graph.consumersOf(value);
            if (sources.graph.isGraphOutput(value) ||
                !std::ranges::all_of(readers, [&](NodeIndex reader) { return isInside(reader); })) {
                outputs.push_back(value);
            }
        }
    }
    return outputs;
}

/// Among values of the same type and sizes, the one with the most similar numbers, since no map records the
/// order of a delegate's results. Returns the end if there is none.
std::vector<std::string_view>::iterator UnitFinder::nearest(const ReferenceTensor& logged,
                                                            std::vector<std::string_view>& names) const {
    auto best = names.end();
    double least = std::numeric_limits<double>::infinity();
    for (auto name = names.begin(); name != names.end(); ++name) {
        const ReferenceTensor* expected = tensorIn(sources.reference, *name);
        if (expected == nullptr || !sameTypeAndSizes(logged.view, expected->view)) {
            continue;
        }
        const double distance = names.size() > 1 ? distanceTo(logged, *name) : 0;
        if (best == names.end() || distance < least) {
            best = name;
            least = distance;
        }
    }
    return best;
}

/// Adds the outputs of a delegate without taps, only where the corresponding values are unambiguous.
Result<> UnitFinder::addDelegateOutputs(const RuntimeCall& call) {
    const auto count = sources.maps.outputCounts.find(core::InstructionId(call.instruction));
    const DelegateRegion region = regionOf(call.instruction);
    const std::vector<NodeIndex> nodes = nodesOf(region);
    const std::vector<std::string_view> results = resultsOf(sources.graph, nodes);
    found.whole.push_back({.instruction = call.instruction,
                           .backend = backendOf(call.instruction),
                           .content = {.nodes = nodes, .outputs = {results.begin(), results.end()}}});
    const std::size_t wanted = count == sources.maps.outputCounts.end()
                                   ? 1
                                   : static_cast<std::size_t>(std::max<std::int64_t>(count->second, 0));
    std::vector<std::string_view> names = outputsOfRegion(region);
    if (names.size() != wanted && !region.handles.empty()) {
        names = results;
    }
    if (names.size() != wanted || call.values.size() < wanted) {
        return {};
    }
    for (std::size_t i = 0; i < wanted; ++i) {
        const auto* tensor = call.values[call.values.size() - wanted + i].as<ReferenceTensor>();
        const auto name = tensor == nullptr ? names.end() : nearest(*tensor, names);
        if (name == names.end()) {
            continue;
        }
        GapUnit unit{.chain = call.chain,
                     .instruction = call.instruction,
                     .op = call.name,
                     .backend = backendOf(call.instruction),
                     .handle = {},
                     .place = {},
                     .real = {},
                     .whole = {},
                     .quantization = {}};
        ET_TRY(addValue(std::move(unit), *name, *tensor));
        names.erase(name);
    }
    return {};
}

Result<FoundUnits> UnitFinder::find() {
    std::map<std::int32_t, std::vector<TappedValue>> taps;
    for (const TappedValue& tap : sources.runtime.taps) {
        taps[tap.instruction].push_back(tap);
    }
    for (const RuntimeCall& call : sources.runtime.calls) {
        releasePages(sources);
        if (const auto kernel = kernels.find(&call); kernel != kernels.end()) {
            ET_TRY(addKernel(call, kernel->second));
        }
        if (!call.isDelegate()) {
            continue;
        }
        ET_TRY(addTaps(taps[call.instruction]));
        const bool lacksOutput = std::ranges::none_of(taps[call.instruction], hasHandle) &&
                                 hasUntakenResult(sources.graph, regionOf(call.instruction), taken);
        if (!tapped.contains(call.instruction) || lacksOutput) {
            ET_TRY(addDelegateOutputs(call));
        }
    }
    return std::move(found);
}

}  // namespace

Result<FoundUnits> findUnits(const UnitSources& sources) {
    return UnitFinder(sources).find();
}

}  // namespace et::inspector
