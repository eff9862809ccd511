#include "app/tasks/surgery/part_record.h"

#include "app/tasks/output_file.h"
#include "app/tasks/surgery/runtime_places.h"
#include "backends/delegate_part.h"
#include "backends/reference/archived_tensors.h"
#include "etrecord/torch_writer.h"
#include "etrecord/writer.h"
#include "inspector/numeric_gap/delegate_layout.h"
#include "inspector/numeric_gap/graph_part.h"
#include "inspector/numeric_gap/reference_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace et::app {
namespace {

using core::DebugHandle;
using core::ErrorCode;
using core::Result;
using etrecord::NodeIndex;
using inspector::GraphPart;
using inspector::GraphWalk;
using inspector::HandleSet;
using inspector::RuntimePlace;

/// Weights of one part.
constexpr std::uint64_t mostWeightBytes = std::uint64_t{8} << 30U;

/// What belongs together in the Edge graph, the maps and the program.
struct PartSource {
    const program::Method& whole;
    const GraphWalk& walk;
    const etrecord::MethodMaps& maps;

    [[nodiscard]] std::vector<DebugHandle> handlesOf(std::size_t instruction) const {
        const auto found =
            maps.debugHandles.find(core::InstructionId(static_cast<std::int32_t>(instruction)));
        return found == maps.debugHandles.end() ? std::vector<DebugHandle>() : found->second.handles;
    }
};

/// Handles of the operators of a delegate call; nothing for those without one.
Result<std::vector<std::optional<DebugHandle>>> innerHandles(const program::Method& whole,
                                                             std::size_t instruction) {
    const auto& call = std::get<program::DelegateCall>(whole.chains.front().instructions[instruction]);
    ET_ASSIGN(const auto nodes, backends::nodesIn(whole.delegate(call.delegate)));
    std::vector<std::optional<DebugHandle>> handles;
    for (const backends::DelegateNode& each : nodes) {
        handles.push_back(each.debugHandle ? std::optional(DebugHandle(*each.debugHandle)) : std::nullopt);
    }
    return handles;
}

/// Which handles are of the part, and which of the rest of the method.
Result<inspector::GraphPartChoice> handlesOf(const PartSource& source, const PartChoice& choice) {
    inspector::GraphPartChoice out{.own = {}, .others = {}};
    for (std::size_t i = 0; i < source.whole.chains.front().instructions.size(); ++i) {
        const auto handles = source.handlesOf(i);
        const bool isOwn = choice.nodes.empty() && std::ranges::contains(choice.instructions, i);
        (isOwn ? out.own : out.others).insert(handles.begin(), handles.end());
    }
    if (!choice.nodes.empty()) {
        ET_ASSIGN(const auto inside, innerHandles(source.whole, choice.instructions.front()));
        for (std::size_t i = 0; i < inside.size(); ++i) {
            if (inside[i]) {
                (std::ranges::contains(choice.nodes, i) ? out.own : out.others).insert(*inside[i]);
            }
        }
    }
    return out;
}

/// Finds which values of the graph those at the border of the part are.
class BorderNames {
  public:
    explicit BorderNames(const PartSource& from) : source(from) {}

    /// Nothing where the record does not tell. `border`: values that have to be one.
    [[nodiscard]] std::optional<std::string_view> nameOf(const RuntimePlace& place,
                                                         std::span<const std::string_view> border) const {
        if (place.input) {
            return inputAt(*place.input);
        }
        std::vector<std::string_view> values = resultsAt(place);
        const auto keep = [&](const auto& wanted) {
            if (std::ranges::any_of(values, wanted)) {
                std::erase_if(values, [&](std::string_view each) { return !wanted(each); });
            }
        };
        keep([&](std::string_view each) { return dtypeOf(each) == static_cast<std::int8_t>(place.dtype); });
        keep([&](std::string_view each) { return std::ranges::contains(border, each); });
        if (values.empty()) {
            return std::nullopt;
        }
        return !place.inner && place.output < values.size() ? values[place.output] : values.back();
    }

  private:
    [[nodiscard]] std::optional<std::string_view> inputAt(std::size_t position) const {
        for (const etrecord::InputSpec& spec : source.walk.graph().inputSpecs) {
            if (inspector::isUserInput(spec) && position-- == 0) {
                return spec.value;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<std::int8_t> dtypeOf(std::string_view value) const {
        const auto& tensors = source.walk.graph().tensors;
        const auto found = tensors.find(value);
        return found == tensors.end() ? std::nullopt : std::optional(found->second.scalarType);
    }

    [[nodiscard]] std::vector<std::string_view> resultsAt(const RuntimePlace& place) const {
        HandleSet handles;
        if (place.instruction >= 0) {
            const auto instruction = static_cast<std::size_t>(place.instruction);
            const auto inside = place.inner ? nodeOf(source.whole, instruction, *place.inner) : std::nullopt;
            const auto own = inside ? innerHandles(source.whole, instruction)
                                    : Result<std::vector<std::optional<DebugHandle>>>();
            if (inside && own && (*own)[*inside]) {
                handles.insert(*(*own)[*inside]);
            } else {
                const auto all = source.handlesOf(instruction);
                handles.insert(all.begin(), all.end());
            }
        }
        std::vector<std::string_view> values;
        const auto& nodes = source.walk.graph().nodes;
        for (NodeIndex index = 0; index < nodes.size(); ++index) {
            const bool isOf = std::ranges::any_of(nodes[index].debugHandles,
                                                  [&](DebugHandle each) { return handles.contains(each); });
            if (isOf) {
                const auto results = source.walk.resultsOf(index);
                values.insert(values.end(), results.begin(), results.end());
            }
        }
        return values;
    }

    const PartSource& source;
};

/// How a value inside of a delegate lies; empty: as in the graph, or not known.
executor::DimensionOrder orderAt(const PartMaker& maker, const RuntimePlace& place) {
    if (!place.inner || !place.inMemoryOrder) {
        return {};
    }
    const auto& chain = maker.whole().chains.front().instructions;
    const auto& call = std::get<program::DelegateCall>(chain[static_cast<std::size_t>(place.instruction)]);
    const auto* const backend =
        executor::findBackend(maker.base().backends, maker.whole().delegate(call.delegate).backend);
    const auto layout = backend == nullptr ? Result<inspector::DelegateLayout>()
                                           : inspector::readLayout(*backend, maker.whole(), call);
    const executor::InnerValue* const inner = layout ? layout->find(*place.inner) : nullptr;
    return inner == nullptr || std::ranges::is_sorted(inner->order) ? executor::DimensionOrder()
                                                                    : inner->order;
}

/// A part with how its values at the border lie in the program, where that is not as in the graph.
struct LaidOutPart {
    GraphPart part;
    std::map<std::string, executor::DimensionOrder, std::less<>> orders{};
};

/// The names at these places, each once.
std::vector<std::string_view> namesOf(const BorderNames& names, const PartMaker& maker,
                                      const std::vector<RuntimePlace>& places,
                                      const std::vector<std::string_view>& border, LaidOutPart& out) {
    std::vector<std::string_view> found;
    for (const RuntimePlace& place : places) {
        const auto name = names.nameOf(place, border);
        if (name && !std::ranges::contains(found, *name)) {
            found.push_back(*name);
            if (auto order = orderAt(maker, place); !order.empty()) {
                out.orders.emplace(*name, std::move(order));
            }
        }
    }
    return found;
}

/// With inputs and outputs in the order of the part's.
Result<LaidOutPart> findPart(const PartSource& source, const PartMaker& maker, const PartChoice& choice) {
    ET_ASSIGN(inspector::GraphPartChoice wanted, handlesOf(source, choice));
    ET_ASSIGN(const PartPlaces places, placesOf(maker, choice));
    const BorderNames names(source);
    LaidOutPart out;
    const GraphPart plain = inspector::findGraphPart(source.walk, wanted);
    wanted.given = namesOf(names, maker, places.inputs, plain.inputs, out);
    GraphPart& part = out.part = inspector::findGraphPart(source.walk, wanted);
    std::ranges::stable_sort(part.inputs, {}, [&](std::string_view each) {
        return std::ranges::find(wanted.given, each) - wanted.given.begin();
    });
    const auto outputs = namesOf(names, maker, places.outputs, part.outputs, out);
    if (!outputs.empty()) {
        part.outputs = outputs;
    }
    if (part.nodes.empty()) {
        return core::fail(ErrorCode::NotFound, "no node of the record is of the part");
    }
    return out;
}

/// What the record says of the part's instructions.
etrecord::MethodMaps mapsOf(const PartSource& source, const PartChoice& choice, const HandleSet& own) {
    etrecord::MethodMaps maps;
    for (std::size_t i = 0; i < choice.instructions.size(); ++i) {
        const core::InstructionId before(static_cast<std::int32_t>(choice.instructions[i]));
        const core::InstructionId now(static_cast<std::int32_t>(i));
        const auto copy = [&](const auto& all, auto& into) {
            if (const auto found = all.find(before); found != all.end()) {
                into.emplace(now, found->second);
            }
        };
        copy(source.maps.debugHandles, maps.debugHandles);
        copy(source.maps.delegates, maps.delegates);
        copy(source.maps.outputCounts, maps.outputCounts);
    }
    if (!choice.nodes.empty() && !maps.debugHandles.empty()) {
        maps.debugHandles.begin()->second = {.handles = {own.begin(), own.end()}, .list = true};
    }
    return maps;
}

/// The weights that the part reads, as an archive.
Result<ByteVector> weightsOf(const etrecord::ExportedGraph& graph, const etrecord::Record& record,
                             const std::string& archive) {
    using backends::reference::ArchivedTensors;
    ET_ASSIGN(auto tensors, ArchivedTensors::open(record, {archive}, mostWeightBytes));
    etrecord::ArchiveValue::Dict entries;
    std::vector<backends::reference::ReferenceTensor> kept;
    kept.reserve(graph.inputSpecs.size());
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        if (inspector::isUserInput(spec)) {
            continue;
        }
        ET_ASSIGN(auto found, tensors.find(spec.target));
        if (!found) {
            continue;
        }
        const auto& tensor = kept.emplace_back(*std::move(found));
        entries.push_back(
            {spec.target,
             {etrecord::TensorToArchive{.dtype = tensor.view.dtype(),
                                        .sizes = {tensor.view.sizes().begin(), tensor.view.sizes().end()},
                                        .elements = {tensor.view.raw(), tensor.view.bytes()},
                                        .parameter = spec.kind == "parameter"}}});
    }
    return etrecord::writeTorchArchive({std::move(entries)});
}

}  // namespace

Result<ByteVector> partRecord(const PartMaker& maker, const PartChoice& choice,
                              const etrecord::Record& record) {
    const std::string method(maker.whole().name);
    const etrecord::ExportedGraph* const graph = record.edgeGraph(method);
    const etrecord::MethodMaps* const maps = record.maps(method);
    if (graph == nullptr || maps == nullptr) {
        return core::fail(ErrorCode::NotFound,
                          fmt::format("the record has no graph of method {}", core::printable(method)));
    }
    const GraphWalk walk(*graph);
    const PartSource source{.whole = maker.whole(), .walk = walk, .maps = *maps};
    ET_ASSIGN(const LaidOutPart found, findPart(source, maker, choice));
    etrecord::ExportedGraph made = inspector::graphOf(walk, found.part);
    for (const auto& [value, order] : found.orders) {
        inspector::turnBorder(made, value, order);
    }
    ET_ASSIGN(const auto handles, handlesOf(source, choice));
    etrecord::RecordWriter writer;
    writer.addEdgeGraph(method, made);
    writer.setMaps(method, mapsOf(source, choice, handles.own));
    for (const std::string_view ending : {"_state_dict", "_constants"}) {
        const std::string archive = fmt::format("edge_dialect_exported_program/{}{}", method, ending);
        ET_ASSIGN(auto weights, weightsOf(made, record, archive));
        writer.addArchive(archive, std::move(weights));
    }
    return writer.finish();
}

std::filesystem::path partRecordFile(const std::filesystem::path& part) {
    return std::filesystem::path(part).replace_extension(".etrecord");
}

Result<> writePartRecord(const PartMaker& maker, const PartChoice& choice, const etrecord::Record& record,
                         const std::filesystem::path& part,
                         const std::vector<std::filesystem::path>& inputs) {
    ET_TRY(refuseToReplace(partRecordFile(part), inputs));
    ET_ASSIGN(const ByteVector bytes, partRecord(maker, choice, record));
    return writeFile(partRecordFile(part), producerOf(textOf(bytes)));
}

}  // namespace et::app
