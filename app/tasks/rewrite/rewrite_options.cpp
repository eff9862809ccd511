#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/rewrite/part_run.h"
#include "app/tasks/rewrite/replan_run.h"

#include <array>

namespace et::tasks {

void addExtractOptions(OptionList& options, PartSettings& settings) {
    addModelFile(options, settings.model);
    options.group("Part");
    options.text("--instructions FIRST..LAST", settings.instructions,
                 "First and last instruction, inclusive, or a list: 3,5..9");
    options.text(
        "--nodes FIRST..LAST", settings.nodes,
        "Only these operators of an instruction that calls an XNNPACK delegate; of several: 2:3..5+7:0");
    options.text("--module PATH", settings.module, "All instructions of this module; needs --etrecord");
    options.text("--node NAME", settings.node, "All instructions of this Edge node; needs --etrecord");
    options.integer("--delegate N", settings.delegate, "First call of this delegate");
    options
        .integer("--payload N", settings.payload,
                 "Payload of this delegate, byte for byte, with its named data and the files of a container")
        .notWith("--instructions")
        .notWith("--nodes")
        .notWith("--module")
        .notWith("--node")
        .notWith("--delegate");
    addRecordFile(
        options, "--etrecord", settings.options.record,
        "ETRecord of the export, for modules and nodes; a matching ETRecord is written next to the part");
    addModelOptions(options, settings.options);
    options.text("--inputs VALUE", settings.options.inputs, "Alias of --input").withoutHelp();
    addSandbox(options, settings.options);
    options.group("Output");
    options
        .path("-o,--output FILE", settings.output,
              "Program (.pte) or bundled program (.bpte) to write; with --payload any file")
        .mustBeGiven();
}

void addReplanOptions(OptionList& options, ReplanSettings& settings) {
    using inspector::ReplanAlgorithm;
    static constexpr std::array algorithms{
        Choice{"best", ReplanAlgorithm::Best}, Choice{"greedy", ReplanAlgorithm::Greedy},
        Choice{"naive", ReplanAlgorithm::Naive}, Choice{"none", ReplanAlgorithm::None}};
    options.group("Input");
    addModelFile(options, settings.model);
    addTensorData(options, settings.data);
    options.group("Memory plan");
    options.choice("--algorithm", settings.plan.algorithm, algorithms,
                   "Planning algorithm; none: keep the plan (default: best)");
    options.integer("--alignment", settings.plan.alignment, "Alignment of tensors in bytes (default: 16)", 1);
    options.flag("--in-place", settings.plan.inPlace,
                 "Allow elementwise operators to overwrite inputs that are not used later");
    options.duration("--time", settings.seconds, "Time to search for each arena: 500ms, 10s (default: 1s)",
                     {.least = 0, .most = 3600});
    options.group("Other changes");
    options.path("--externalize FILE", settings.weights, "Move constants and named data to this file (.ptd)");
    options.flag("--inline", settings.takeIn, "Move the content of --data files into the program")
        .notWith("--externalize");
    options.flag("--strip", settings.strip,
                 "Remove tensor names that nothing looks up, and unused values and named data");
    options.text("--methods NAME,...", settings.methods, "Keep only these methods");
}

}  // namespace et::tasks
