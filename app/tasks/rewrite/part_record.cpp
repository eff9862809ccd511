#include "app/tasks/rewrite/part_record.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/gap/gap_input_sets.h"
#include "app/tasks/rewrite/part_boundary.h"
#include "app/tasks/rewrite/part_value_sources.h"
#include "app/tasks/rewrite/program_bytes.h"
#include "app/tasks/rewrite/size_changes.h"
#include "backends/leading_block.h"
#include "backends/reference/archived_tensors.h"
#include "backends/reference/interpreter.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "etrecord/torch_writer.h"
#include "etrecord/writer.h"
#include "inspector/numeric_gap/delegate_layout.h"
#include "inspector/numeric_gap/graph_part.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "inspector/session/record_check.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::Result;
using inspector::GraphPart;
using inspector::GraphWalk;
using inspector::RuntimeValueRef;

/// Maximum bytes of the weights of one part.
constexpr std::uint64_t mostWeightBytes = std::uint64_t{8} << 30U;

/// Copies the elements of a weight with the smallest indices.
Result<backends::reference::ReferenceTensor> shrunkWeight(const backends::reference::ReferenceTensor& weight,
                                                          const SizeChanges& constants) {
    const std::vector<std::int64_t> before(weight.view.sizes().begin(), weight.view.sizes().end());
    const std::vector<std::int64_t> after = backends::changedSizes(before, constants);
    if (before == after) {
        return weight;
    }
    ET_ASSIGN(backends::reference::ReferenceTensor dense, inspector::rowMajorCopy(weight.view));
    ET_ASSIGN(auto block, backends::leadingBlock({dense.view.raw(), dense.view.bytes()},
                                                 dense.view.elementSize(), before, after));
    auto bytes = std::make_shared<std::vector<std::byte>>(std::move(block));
    ET_ASSIGN(dense.view, core::Tensor::make(dense.view.dtype(), after, bytes->data()));
    dense.owner = std::move(bytes);
    return dense;
}

void setDenseSizes(etrecord::TensorMeta& meta, const SizeChanges& constants) {
    std::int64_t stride = 1;
    for (std::size_t d = std::min(meta.sizes.size(), meta.strides.size()); d-- > 0;) {
        const auto found = constants.find(meta.sizes[d].value);
        meta.sizes[d].value = found == constants.end() ? meta.sizes[d].value : found->second;
        meta.strides[d] = {.value = stride, .expression = {}};
        stride *= meta.sizes[d].value;
    }
}

/// Copies the weights that a part's graph reads from an archive of the record into a new archive, with the
/// sizes changed by `constants`. Errors: those of the record's archive; Limit.
Result<ByteVector> weightsOf(const etrecord::ExportedGraph& graph, const etrecord::Record& record,
                             const std::string& archive, const SizeChanges& constants) {
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
        ET_ASSIGN(auto shrunk, shrunkWeight(*found, constants));
        const auto& tensor = kept.emplace_back(std::move(shrunk));
        entries.push_back(
            {spec.target,
             {etrecord::TensorToArchive{.dtype = tensor.view.dtype(),
                                        .sizes = {tensor.view.sizes().begin(), tensor.view.sizes().end()},
                                        .elements = {tensor.view.raw(), tensor.view.bytes()},
                                        .parameter = spec.kind == "parameter"}}});
    }
    return etrecord::writeTorchArchive({std::move(entries)});
}

/// Changes the sizes of the graph's weights to those of weightsOf().
void shrinkWeights(etrecord::ExportedGraph& graph, const SizeChanges& constants) {
    changeGroups(graph, constants);
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        const auto meta = graph.tensors.find(spec.value);
        if (!constants.empty() && !inspector::isUserInput(spec) && meta != graph.tensors.end()) {
            setDenseSizes(meta->second, constants);
        }
    }
}

/// Dimension order in memory of a value inside a delegate; empty: as in the graph, or unknown.
executor::DimensionOrder orderAt(const PartMaker& maker, const RuntimeValueRef& place) {
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

/// A part with the memory layouts of its border values where they differ from the graph.
struct LaidOutPart {
    GraphPart part;
    std::map<std::string, executor::DimensionOrder, std::less<>> orders{};
};

/// The distinct names at these places.
std::vector<std::string_view> namesOf(const BoundaryValues& names, const PartMaker& maker,
                                      const std::vector<RuntimeValueRef>& places,
                                      const std::vector<std::string_view>& border, LaidOutPart& out) {
    std::vector<std::string_view> found;
    executor::DimensionOrder turned;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const RuntimeValueRef& place = places[i];
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

/// Finds the part of the graph; inputs and outputs are in the order of the part's.
Result<LaidOutPart> findPart(const PartSource& source, const PartMaker& maker, const PartChoice& choice) {
    inspector::GraphPartChoice wanted = source.handlesOf(choice);
    ET_ASSIGN(const PartValueSources places, collectValueSources(maker, choice));
    const BoundaryValues names(source);
    LaidOutPart out;
    const GraphPart plain = inspector::findGraphPart(source.walk(), wanted);
    wanted.given = namesOf(names, maker, places.inputs, plain.inputs, out);
    GraphPart& part = out.part = inspector::findGraphPart(source.walk(), wanted);
    std::ranges::stable_sort(part.inputs, {}, [&](std::string_view each) {
        return std::ranges::find(wanted.given, each) - wanted.given.begin();
    });
    const auto outputs = namesOf(names, maker, places.outputs, part.outputs, out);
    if (!outputs.empty()) {
        part.outputs = outputs;
    }
    if (part.nodes.empty()) {
        return core::fail(ErrorCode::NotFound, "no node of the record belongs to the part");
    }
    return out;
}

/// Debug handle maps of the record for the part's instructions.
etrecord::MethodMaps mapsOf(const PartSource& source, const PartChoice& choice) {
    etrecord::MethodMaps maps;
    for (std::size_t i = 0; i < choice.instructions.size(); ++i) {
        const core::InstructionId before(static_cast<std::int32_t>(choice.instructions[i]));
        const core::InstructionId now(static_cast<std::int32_t>(i));
        const auto copy = [&](const auto& all, auto& into) {
            if (const auto found = all.find(before); found != all.end()) {
                into.emplace(now, found->second);
            }
        };
        copy(source.maps().debugHandles, maps.debugHandles);
        copy(source.maps().delegates, maps.delegates);
        copy(source.maps().outputCounts, maps.outputCounts);
    }
    for (std::size_t i = 0; i < choice.instructions.size(); ++i) {
        const auto chosen = choice.nodes.find(choice.instructions[i]);
        const auto entry = maps.debugHandles.find(core::InstructionId(static_cast<std::int32_t>(i)));
        if (chosen == choice.nodes.end() || entry == maps.debugHandles.end()) {
            continue;
        }
        const inspector::HandleSet own = source.handlesOf(chosen->first, chosen->second);
        entry->second = {.handles = {own.begin(), own.end()}, .list = true};
    }
    return maps;
}

/// Content of a record with one graph.
struct RecordContent {
    std::string method;
    etrecord::ExportedGraph graph;
    etrecord::MethodMaps maps;
    SizeChanges constants{};  ///< sizes of its weights that replace the original ones
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

/// Sets the tensor sizes to those computed from the part's inputs.
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
    ET_ASSIGN(const GapInputSet inputs, makeGapInputSet(maker.inputsOfCase(0), "inputs"));
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

/// Lowering may combine many nodes with one handle into one operator, so that the graph has no value for a
/// border inside them.
Result<> checkRecord(const ByteVector& bytes, const PartMaker& maker) {
    ET_ASSIGN(const auto record,
              etrecord::Record::parse(core::MappedFile::fromMemory(bytes, "part.etrecord")));
    ET_ASSIGN(const auto part,
              program::Program::parse(core::MappedFile::fromMemory(maker.content(), "part")));
    auto wrong = inspector::contradiction(*record, *part);
    if (wrong && maker.shrunk() != nullptr) {
        // With smaller inputs, only the graph has the resulting sizes: see SizesFrom::Inputs.
        const auto& graph = *record->edgeGraph(part->methods.front().name);
        const auto inputs = std::ranges::count_if(graph.inputSpecs, inspector::isUserInput);
        const auto outputs =
            std::ranges::count(graph.outputSpecs, "user_output", &etrecord::OutputSpec::kind);
        const bool isOfPart = std::cmp_equal(inputs, maker.part().inputs.size()) &&
                              std::cmp_equal(outputs, maker.part().outputs.size());
        wrong = isOfPart ? std::nullopt : wrong;
    }
    return wrong ? core::fail(ErrorCode::NotFound,
                              fmt::format("the exported graph has no part with these inputs and outputs: {}",
                                          *wrong))
                 : Result<>();
}

}  // namespace

Result<ByteVector> partRecord(const PartMaker& maker, const PartChoice& chosen,
                              const etrecord::Record& record) {
    PartChoice choice = chosen;
    ET_ASSIGN(choice.nodes, takenNodes(maker, chosen));
    const std::string method(maker.whole().name);
    const etrecord::ExportedGraph* const graph = record.edgeGraph(method);
    const etrecord::MethodMaps* const maps = record.maps(method);
    if (graph == nullptr || maps == nullptr) {
        return core::fail(ErrorCode::NotFound,
                          fmt::format("the record has no graph of method {}", core::printable(method)));
    }
    const GraphWalk walk(*graph);
    ET_ASSIGN(const PartSource source, PartSource::make(maker, walk, *maps));
    ET_ASSIGN(const LaidOutPart found, findPart(source, maker, choice));
    RecordContent content{
        .method = method, .graph = inspector::graphOf(walk, found.part), .maps = mapsOf(source, choice)};
    for (const auto& [value, order] : found.orders) {
        inspector::turnBorder(content.graph, value, order);
    }
    if (maker.shrunk() != nullptr) {
        changeAskedSizes(content.graph, maker.shrunk()->asked);
        content.constants = maker.shrunk()->constants;
        shrinkWeights(content.graph, content.constants);
        ET_TRY(followInputs(maker, record, content));
    }
    ET_ASSIGN(ByteVector bytes, write(content, record));
    ET_TRY(checkRecord(bytes, maker));
    return bytes;
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

}  // namespace et::tasks
