#include "inspector/memory/memory_text.h"

#include "inspector/format/python_text.h"
#include "inspector/format/quantities.h"
#include "inspector/join/node_fields.h"
#include "inspector/memory/detail/storages.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace et::inspector {

namespace {

/// Whether the step is after the last instruction.
bool isEnd(Step step, const MemoryTimeline& timeline) {
    return step >= static_cast<Step>(timeline.steps.size());
}

/// Rank of a type: 4 for "float32 [1, 16, 48, 48]".
std::size_t rankOf(std::string_view type) {
    const std::size_t sizes = type.find('[');
    return sizes == std::string_view::npos || type.substr(sizes).starts_with("[]")
               ? 0
               : 1 + static_cast<std::size_t>(std::ranges::count(type.substr(sizes), ','));
}

std::string writerText(const PlannedTensor& tensor, const InstructionNodes& known) {
    const std::string plain = readableWriter(tensor);
    std::string text = plain == tensor.producerName
                           ? fmt::format("\nwritten by {}", plain)
                           : fmt::format("\nwritten by {} ({})", plain, tensor.producerName);
    const auto nodes = known.nodesOf(tensor.producer->instruction);
    const format::Cell module = inspector::commonModule(nodes);
    if (const auto* name = std::get_if<std::string>(&module); name != nullptr && !name->empty()) {
        text += fmt::format("\nmodule {}", *name);
    }
    for (const format::Cell& line : inspector::sourceLines(nodes)) {
        text += "\n" + format::pythonValue(line);
    }
    return text;
}

}  // namespace

std::string tensorText(const program::TensorInfo& tensor) {
    return memory::detail::tensorType(tensor);
}

std::string lifeText(const PlannedTensor& tensor, const MemoryTimeline& timeline) {
    if (tensor.firstStep > tensor.lastStep) {
        return "never";
    }
    return fmt::format("{}-{}", tensor.firstStep < 0 ? "start" : fmt::to_string(tensor.firstStep),
                       isEnd(tensor.lastStep, timeline) ? "end" : fmt::to_string(tensor.lastStep));
}

std::string readableWriter(const PlannedTensor& tensor) {
    if (tensor.producerName.empty()) {
        return std::string(tensorKindName(tensor.kind));
    }
    const std::string_view kernel = names::detail::kernelOperator(tensor.producerName);
    return kernel.empty() ? tensor.producerName : plainOperator(kernel, rankOf(tensor.type));
}

std::string describe(const PlannedTensor& tensor, const MemoryView& view) {
    std::string text = fmt::format(
        "value {}: {} {}\n{} bytes at offset {}\nalive from {} to {}", tensor.value.value,
        tensorKindName(tensor.kind), tensor.type, tensor.bytes, tensor.offset,
        tensor.firstStep < 0 ? "the start" : fmt::format("instruction {}", tensor.firstStep),
        isEnd(tensor.lastStep, view.timeline) ? "the end" : fmt::format("instruction {}", tensor.lastStep));
    if (!tensor.name.empty()) {
        text += fmt::format("\nname {}", tensor.name);
    }
    if (!tensor.aliases.empty()) {
        text += "\nviews of it: values";
        for (const program::ValueId alias : tensor.aliases) {
            text += fmt::format(" {}", alias.value);
        }
    }
    return tensor.producer ? text + writerText(tensor, view.nodes) : text;
}

std::string describe(const ArenaTimeline& arena, const MemoryTimeline& timeline) {
    const std::string unused = arena.plannedBytes <= arena.peakBytes
                                   ? std::string("no unused space at the peak")
                                   : fmt::format("{} of the plan unused at the peak",
                                                 format::readablePercent(arena.fragmentation()));
    return fmt::format("{} planned, {} live at the peak ({}), {}", format::readableBytes(arena.plannedBytes),
                       format::readableBytes(arena.peakBytes), stepText(timeline, arena.peakStep), unused);
}

}  // namespace et::inspector
