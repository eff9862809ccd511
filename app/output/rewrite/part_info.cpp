#include "app/output/rewrite/part_info.h"

#include "app/tasks/rewrite/number_list.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace et::output {
namespace {

void addValues(std::string& text, std::string_view title, const std::vector<tasks::PartValue>& values) {
    for (const tasks::PartValue& each : values) {
        text += fmt::format("  {:<6} value {}: {}\n", title, each.value, core::printable(each.type));
    }
}

List valuesInfo(const std::vector<tasks::PartValue>& values) {
    return listOf(values, [](const tasks::PartValue& each) {
        return Dict{{"value", std::uint64_t{each.value}}, {"type", each.type}};
    });
}

}  // namespace

std::string partText(const tasks::PartResult& part) {
    std::string text = fmt::format(
        "{}: {} of {} instructions ({}){}, {} case{}, {} of {}\n", core::printable(part.method),
        part.taken.size(), part.instructions, tasks::numberListText(part.taken),
        part.nodes.empty()
            ? ""
            : fmt::format(", operators {} of {}", tasks::nodeChoiceText(part.nodes, part.taken),
                          part.taken.size() == 1 ? "its delegate" : "its delegates"),
        part.cases, part.cases == 1 ? "" : "s", readableBytes(part.bytes), readableBytes(part.bytesBefore));
    addValues(text, "in", part.inputs);
    addValues(text, "out", part.outputs);
    if (!part.record.empty()) {
        text += fmt::format("  record {}\n", core::printable(part.record.string()));
    }
    return text;
}

Dict partInfo(const tasks::PartResult& part) {
    return {{"method", part.method},
            {"first", std::uint64_t{part.taken.front()}},
            {"last", std::uint64_t{part.taken.back()}},
            {"taken", tasks::numberListText(part.taken)},
            {"nodes", tasks::nodeChoiceText(part.nodes, part.taken)},
            {"instructions", std::uint64_t{part.instructions}},
            {"inputs", valuesInfo(part.inputs)},
            {"outputs", valuesInfo(part.outputs)},
            {"cases", std::uint64_t{part.cases}},
            {"record", part.record.empty() ? Cell() : part.record.string()},
            {"bytes_before", part.bytesBefore},
            {"bytes", part.bytes}};
}

}  // namespace et::output
