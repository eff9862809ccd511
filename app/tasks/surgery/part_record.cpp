#include "app/tasks/surgery/part_record.h"

#include "app/tasks/gap/stimuli.h"
#include "app/tasks/output_file.h"
#include "app/tasks/surgery/part_weights.h"
#include "app/tasks/surgery/runtime_places.h"
#include "backends/delegate_part.h"
#include "backends/reference/interpreter.h"
#include "etrecord/writer.h"
#include "inspector/numeric_gap/delegate_layout.h"
#include "inspector/numeric_gap/graph_part.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
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
        const bool isOwn = !choice.nodes.contains(i) && std::ranges::contains(choice.instructions, i);
        (isOwn ? out.own : out.others).insert(handles.begin(), handles.end());
    }
    for (const auto& [instruction, nodes] : choice.nodes) {
        ET_ASSIGN(const auto inside, innerHandles(source.whole, instruction));
        for (std::size_t i = 0; i < inside.size(); ++i) {
            if (inside[i]) {
                (std::ranges::contains(nodes, i) ? out.own : out.others).insert(*inside[i]);
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

    /// Whether a layout operator that lowering added makes it: no node of the graph does.
    [[nodiscard]] bool isTurned(const RuntimePlace& place) const {
        const auto inside =
            place.inner && place.instruction >= 0
                ? nodeOf(source.whole, static_cast<std::size_t>(place.instruction), *place.inner)
                : std::nullopt;
        const auto own = inside ? innerHandles(source.whole, static_cast<std::size_t>(place.instruction))
                                : Result<std::vector<std::optional<DebugHandle>>>();
        return inside && own && !(*own)[*inside];
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
    executor::DimensionOrder turned;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const RuntimePlace& place = places[i];
        if (i + 1 < places.size() && places[i + 1].isSource && !place.isSource && names.isTurned(place)) {
            turned = orderAt(maker, place);
            continue;
        }
        const auto name = names.nameOf(place, border);
        if (name && !std::ranges::contains(found, *name)) {
            found.push_back(*name);
            auto order = turned.empty() ? orderAt(maker, place) : std::exchange(turned, {});
            if (!order.empty()) {
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
Result<etrecord::MethodMaps> mapsOf(const PartSource& source, const PartChoice& choice) {
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
    for (std::size_t i = 0; i < choice.instructions.size(); ++i) {
        const auto chosen = choice.nodes.find(choice.instructions[i]);
        const auto entry = maps.debugHandles.find(core::InstructionId(static_cast<std::int32_t>(i)));
        if (chosen == choice.nodes.end() || entry == maps.debugHandles.end()) {
            continue;
        }
        ET_ASSIGN(const auto inside, innerHandles(source.whole, chosen->first));
        HandleSet own;
        for (const std::size_t node : chosen->second) {
            if (inside[node]) {
                own.insert(*inside[node]);
            }
        }
        entry->second = {.handles = {own.begin(), own.end()}, .list = true};
    }
    return maps;
}

/// A record of one graph.
struct RecordContent {
    std::string method;
    etrecord::ExportedGraph graph;
    etrecord::MethodMaps maps;
    SizeChanges constants{};  ///< that its weights have in place of those of the whole
};

Result<ByteVector> write(const RecordContent& content, const etrecord::Record& weights) {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph(content.method, content.graph);
    writer.setMaps(content.method, content.maps);
    for (const std::string_view ending : {"_state_dict", "_constants"}) {
        const std::string archive = fmt::format("edge_dialect_exported_program/{}{}", content.method, ending);
        ET_ASSIGN(auto tensors, weightsOf(content.graph, weights, archive, content.constants));
        writer.addArchive(archive, std::move(tensors));
    }
    return writer.finish();
}

/// Gives the tensors the sizes that they have on the part's inputs, by computing them.
Result<> followInputs(const PartMaker& maker, const etrecord::Record& weights, RecordContent& content) {
    ET_ASSIGN(ByteVector bytes, write(content, weights));
    ET_ASSIGN(const auto own,
              etrecord::Record::parse(core::MappedFile::fromMemory(std::move(bytes), "part")));
    const Model& model = maker.base();
    ET_ASSIGN(const auto interpreter,
              backends::reference::Interpreter::edge(*own, content.method,
                                                     {.kernels = model.kernels,
                                                      .threads = model.threads,
                                                      .memoryBytes = model.limits.memoryBytes,
                                                      .cancel = model.cancel}));
    ET_ASSIGN(const Stimulus inputs, stimulusOf(maker.inputsOfCase(0), "inputs"));
    ET_ASSIGN(const inspector::GraphValues values, inspector::runGraph(*interpreter, inputs.values));
    for (auto& [name, meta] : content.graph.tensors) {
        const auto* const tensor = inspector::tensorIn(values, name);
        for (std::size_t d = 0;
             tensor != nullptr && d < tensor->view.dim() && d < meta.sizes.size() && d < meta.strides.size();
             ++d) {
            meta.sizes[d] = {.value = tensor->view.sizes()[d], .expression = {}};
            meta.strides[d] = {.value = tensor->view.strides()[d], .expression = {}};
        }
    }
    return {};
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
    ET_ASSIGN(etrecord::MethodMaps partMaps, mapsOf(source, choice));
    RecordContent content{
        .method = method, .graph = inspector::graphOf(walk, found.part), .maps = std::move(partMaps)};
    for (const auto& [value, order] : found.orders) {
        inspector::turnBorder(content.graph, value, order);
    }
    if (maker.shrunk() != nullptr) {
        changeAskedSizes(content.graph, maker.shrunk()->asked);
        content.constants = maker.shrunk()->constants;
        shrinkWeights(content.graph, content.constants);
        ET_TRY(followInputs(maker, record, content));
    }
    return write(content, record);
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
