#include "app/output/rewrite/reduction_info.h"

#include "app/tasks/rewrite/number_list.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

namespace et::output {
namespace {

using core::printable;

Cell operatorCell(const tasks::ReducedOperator& each) {
    return Dict{{"instruction", std::uint64_t{each.instruction}},
                {"node", each.node ? Cell(std::uint64_t{*each.node}) : Cell()},
                {"name", each.name},
                {"edge_nodes", listOf(each.edgeNodes)},
                {"source", each.source}};
}

}  // namespace

std::string reductionText(const tasks::Reduction& reduction, const std::filesystem::path& folder) {
    std::string text = fmt::format("{}: {} of {} instructions", printable(reduction.method),
                                   reduction.part.instructions.size(), reduction.instructionsBefore);
    if (!reduction.part.nodes.empty()) {
        text += fmt::format(", {} of {} operators of the delegate{}", tasks::nodeCount(reduction.part.nodes),
                            reduction.nodesBefore, reduction.part.nodes.size() == 1 ? "" : "s");
    }
    text += fmt::format(" still fail ({}, {} candidate{}, {:.1f} s)\n", readableBytes(reduction.bytes),
                        reduction.candidates, reduction.candidates == 1 ? "" : "s", reduction.seconds);
    for (const tasks::ReducedOperator& each : reduction.operators) {
        text += fmt::format("  {}{} {}", each.instruction, each.node ? fmt::format(".{}", *each.node) : "",
                            printable(each.name));
        text += each.edgeNodes.empty() ? "" : fmt::format(" ({})", printable(each.edgeNodes.front()));
        text += each.source.empty() ? "\n" : fmt::format(": {}\n", printable(each.source));
    }
    if (reduction.sizes != reduction.sizesBefore) {
        text += fmt::format("inputs of {} instead of {}\n", tasks::partSizesText(reduction.sizes),
                            tasks::partSizesText(reduction.sizesBefore));
    }
    if (!reduction.constants.empty()) {
        text += fmt::format("constants reduced ({})\n", tasks::sizeChangesText(reduction.constants));
    }
    text += fmt::format("{}\n", printable(reduction.report.message));
    if (!reduction.report.expected.empty()) {
        text += fmt::format("expected {}, got {}\n", printable(reduction.report.expected),
                            printable(reduction.report.got));
    }
    return text + fmt::format("{}: {}{} and README.md\n", printable(folder.string()), reduction.file,
                              reduction.hasRecord ? ", part.etrecord" : "");
}

Dict reductionInfo(const tasks::Reduction& reduction) {
    return {{"method", reduction.method},
            {"fails",
             std::string(reduction.kind == tasks::FailureKind::Command ? "command"
                                                                       : tasks::infoOf(reduction.kind).name)},
            {"instructions_before", std::uint64_t{reduction.instructionsBefore}},
            {"instructions", tasks::numberListText(reduction.part.instructions)},
            {"nodes_before", std::uint64_t{reduction.nodesBefore}},
            {"nodes", tasks::nodeChoiceText(reduction.part.nodes, reduction.part.instructions)},
            {"inputs", std::string(!reduction.fill                         ? "recorded"
                                   : *reduction.fill == tasks::Fill::Zeros ? "zeros"
                                                                           : "ones")},
            {"sizes", tasks::partSizesText(reduction.sizes)},
            {"sizes_before", tasks::partSizesText(reduction.sizesBefore)},
            {"constants", tasks::sizeChangesText(reduction.constants)},
            {"operators", listOf(reduction.operators, operatorCell)},
            {"message", reduction.report.message},
            {"expected", reduction.report.expected},
            {"got", reduction.report.got},
            {"candidates", std::uint64_t{reduction.candidates}},
            {"seconds", reduction.seconds},
            {"file", reduction.file},
            {"record", reduction.hasRecord ? Cell("part.etrecord") : Cell()},
            {"bytes_before", reduction.bytesBefore},
            {"bytes", reduction.bytes}};
}

}  // namespace et::output
