#include "inspector/format/json_text.h"
#include "inspector/format/list_of.h"
#include "inspector/format/text_cell.h"
#include "inspector/program_diff/program_diff_report.h"

#include <algorithm>
#include <string>
#include <utility>

namespace et::inspector {
namespace {

using format::listOf;

format::Cell numberOrNone(const std::optional<std::size_t>& number) {
    return number ? format::Cell(std::uint64_t{*number}) : format::Cell();
}

std::string nameOf(Change change) {
    return std::string(traits(change).name);
}

format::Dict pair(const BeforeAfter<std::uint64_t>& value) {
    return {{"before", value.before}, {"after", value.after}};
}

format::Dict attributeInfo(const AttributeChange& change) {
    return {{"name", change.name},
            {"before", format::textCell(change.before)},
            {"after", format::textCell(change.after)}};
}

format::Dict slotInfo(const SlotDiff& slot) {
    return {{"position", std::uint64_t{slot.position}},
            {"change", nameOf(slot.change)},
            {"before", format::textCell(slot.before)},
            {"after", format::textCell(slot.after)},
            {"attributes", listOf(slot.attributes, attributeInfo)}};
}

format::Dict stepInfo(const StepDiff& step, bool chains) {
    format::Dict out{{"change", nameOf(step.change)},
                     {"moved", step.moved},
                     {"name", step.name},
                     {"before", numberOrNone(step.before)},
                     {"after", numberOrNone(step.after)},
                     {"attributes", listOf(step.attributes, attributeInfo)}};
    if (chains) {
        out.insert(out.begin() + 3, {"chain", std::uint64_t{step.chain}});
    }
    return out;
}

format::List stepList(const std::vector<StepDiff>& steps, bool all, bool chains) {
    format::List list;
    for (const StepDiff& step : steps) {
        if (all || step.differs()) {
            list.emplace_back(stepInfo(step, chains));
        }
    }
    return list;
}

format::Dict stepCounts(const std::vector<StepDiff>& steps) {
    format::Dict out;
    for (const Change change : {Change::Same, Change::Changed, Change::Added, Change::Removed}) {
        out.emplace_back(nameOf(change),
                         static_cast<std::uint64_t>(std::ranges::count(steps, change, &StepDiff::change)));
    }
    out.emplace_back("moved", static_cast<std::uint64_t>(std::ranges::count(steps, true, &StepDiff::moved)));
    return out;
}

format::Dict countInfo(const CountDiff& count) {
    return {{"name", count.name}, {"before", count.count.before}, {"after", count.count.after}};
}

format::Dict constantInfo(const ConstantDiff& constant) {
    return {{"name", constant.name},
            {"type", constant.type},
            {"elements", constant.elements},
            {"different", constant.different},
            {"max_abs_difference", format::optionalCell(constant.maxAbsoluteDifference)}};
}

format::Dict delegateDetails(const DelegateDiff& delegate, bool all) {
    return {{"change", nameOf(delegate.change)},
            {"backend", delegate.backend},
            {"before", numberOrNone(delegate.before)},
            {"after", numberOrNone(delegate.after)},
            {"payload_bytes", pair(delegate.payloadBytes)},
            {"payload_same", delegate.payloadSame},
            {"compile_specs", listOf(delegate.compileSpecs, attributeInfo)},
            {"described",
             format::Dict{{"before", delegate.described.before}, {"after", delegate.described.after}}},
            {"nodes_by_kind", listOf(delegate.kinds, countInfo)},
            {"node_counts", stepCounts(delegate.nodes)},
            {"nodes", stepList(delegate.nodes, all, false)}};
}

format::Dict partitionInfo(const PartitionDiff& partition) {
    return {{"backend", partition.backend},
            {"calls", pair(partition.calls)},
            {"between", listOf(partition.between, countInfo)}};
}

format::Dict arenaInfo(const ArenaDiff& arena) {
    return {{"id", std::uint64_t{arena.id}}, {"before", arena.bytes.before}, {"after", arena.bytes.after}};
}

format::Dict makeMethodInfo(const MethodDiff& method, bool all) {
    return {{"name", method.name},
            {"change", nameOf(method.change)},
            {"inputs", listOf(method.inputs, slotInfo)},
            {"outputs", listOf(method.outputs, slotInfo)},
            {"instruction_counts", stepCounts(method.steps)},
            {"instructions", stepList(method.steps, all, true)},
            {"operators", listOf(method.operators, countInfo)},
            {"delegates", listOf(method.delegates,
                                 [all](const DelegateDiff& each) { return delegateDetails(each, all); })},
            {"partitions", listOf(method.partitions, partitionInfo)},
            {"planned_bytes", pair(method.plannedBytes)},
            {"memory", listOf(method.arenas, arenaInfo)},
            {"constant_bytes", pair(method.constantBytes)},
            {"constants", listOf(method.constants, constantInfo)}};
}

format::Dict namedDataInfo(const NamedDataDiff& data) {
    return {{"change", nameOf(data.change)},
            {"name", data.name},
            {"before", data.bytes.before},
            {"after", data.bytes.after},
            {"external", data.external}};
}

}  // namespace

format::Dict programDiffInfo(const ProgramDiff& diff, bool all) {
    return {{"before", diff.names.before},
            {"after", diff.names.after},
            {"same", diff.same()},
            {"identical", diff.identical},
            {"file_bytes", pair(diff.fileBytes)},
            {"segment_bytes", pair(diff.segmentBytes)},
            {"methods",
             listOf(diff.methods, [all](const MethodDiff& each) { return makeMethodInfo(each, all); })},
            {"named_data", listOf(diff.namedData, namedDataInfo)}};
}

std::string programDiffJson(const ProgramDiff& diff, bool all) {
    constexpr std::int64_t diffSchema = 1;
    format::Dict info = programDiffInfo(diff, all);
    info.insert(info.begin(), {"schema", diffSchema});
    std::string text;
    format::appendJson(text, format::Cell(std::move(info)));
    return text + "\n";
}

}  // namespace et::inspector
