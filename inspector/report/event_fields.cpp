#include "inspector/report/event_fields.h"

#include "inspector/detail/operator_names.h"
#include "inspector/report/tensor_summary.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

namespace et::inspector::report {
namespace {

struct HandleSourceWord {
    HandleSource source;
    std::string_view word;
};
constexpr std::array handleSourceWords{
    HandleSourceWord{HandleSource::None, "none"},
    HandleSourceWord{HandleSource::Instruction, "instruction"},
    HandleSourceWord{HandleSource::DelegateMap, "delegate_map"},
    HandleSourceWord{HandleSource::DelegateMetadata, "delegate_metadata"},
    HandleSourceWord{HandleSource::WholeDelegate, "whole_delegate"},
    HandleSourceWord{HandleSource::UnmappedDelegate, "unmapped_delegate"},
};

/// One `File "PATH", line N` of a Python stack trace.
struct Frame {
    std::string_view path;
    std::string_view line;
};

std::optional<Frame> nextFrame(std::string_view& trace) {
    constexpr std::string_view open = "File \"";
    constexpr std::string_view between = "\", line ";
    const std::size_t start = trace.find(open);
    if (start == std::string_view::npos) {
        return std::nullopt;
    }
    trace.remove_prefix(start + open.size());
    const std::size_t end = trace.find(between);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view path = trace.substr(0, end);
    trace.remove_prefix(end + between.size());
    return Frame{path, trace.substr(0, std::min(trace.find_first_not_of("0123456789"), trace.size()))};
}

bool isLibrary(std::string_view path) {
    return path.find("/torch/") != std::string_view::npos || path.find("\\torch\\") != std::string_view::npos;
}

/// The innermost frame of the user's own, the innermost of all where there is none.
std::string sourceLine(std::string_view trace) {
    std::optional<Frame> chosen;
    while (const auto frame = nextFrame(trace)) {
        if (!chosen || !isLibrary(frame->path) || isLibrary(chosen->path)) {
            chosen = frame;
        }
    }
    return chosen ? std::string(chosen->path) + ":" + std::string(chosen->line) : std::string();
}

}  // namespace

std::vector<const etrecord::Node*> nodesOf(const Block& block, const Event& event) {
    std::vector<const etrecord::Node*> nodes;
    if (block.graph == nullptr || detail::isFrameworkEvent(event.name)) {
        return nodes;
    }
    std::unordered_set<std::string_view> seen;
    for (const etrecord::NodeIndex index : event.nodes) {
        const etrecord::Node& node = block.graph->nodes[index];
        if (seen.insert(node.name).second) {
            nodes.push_back(&node);
        }
    }
    return nodes;
}

List opTypeCells(const Block& block, const Event& event, OpTypes which) {
    List cells;
    for (const std::string_view type : opTypes(block, event, which)) {
        cells.emplace_back(std::string(type));
    }
    return cells;
}

Cell delegateIdentifier(const Event& event) {
    if (event.delegateInt) {
        return std::int64_t{*event.delegateInt};
    }
    return event.delegateString ? Cell(std::string(*event.delegateString)) : Cell();
}

Cell debugHandleCell(const Event& event) {
    if (event.handles.empty() && !event.handlesAreList) {
        return {};
    }
    if (!event.handlesAreList) {
        return event.handles.front().value;
    }
    std::vector<std::int64_t> numbers;
    for (const core::DebugHandle handle : event.handles) {
        numbers.push_back(handle.value);
    }
    return numbers;
}

Dict stackTraces(const Block& block, const Event& event) {
    Dict out;
    for (const etrecord::Node* node : nodesOf(block, event)) {
        out.emplace_back(node->name, node->stackTrace.empty() ? Cell() : Cell(node->stackTrace));
    }
    return out;
}

Dict moduleHierarchy(const Block& block, const Event& event) {
    Dict out;
    for (const etrecord::Node* node : nodesOf(block, event)) {
        Dict modules;
        for (const etrecord::ModuleFrame& frame : node->moduleStack) {
            modules.emplace_back(frame.path, List{frame.fqn, frame.type});
        }
        out.emplace_back(node->name, std::move(modules));
    }
    return out;
}

List sourceLines(const Block& block, const Event& event) {
    return sourceLines(nodesOf(block, event));
}

List sourceLines(std::span<const etrecord::Node* const> nodes) {
    std::vector<std::string> lines;
    for (const etrecord::Node* node : nodes) {
        std::string line = sourceLine(node->stackTrace);
        if (!line.empty() && std::ranges::find(lines, line) == lines.end()) {
            lines.push_back(std::move(line));
        }
    }
    return {lines.begin(), lines.end()};
}

Cell commonModule(const Block& block, const Event& event) {
    return commonModule(nodesOf(block, event));
}

std::optional<std::span<const etrecord::ModuleFrame>> commonModules(
    std::span<const etrecord::Node* const> nodes) {
    const std::vector<etrecord::ModuleFrame>* stack = nullptr;
    std::size_t depth = 0;
    for (const etrecord::Node* node : nodes) {
        if (node->moduleStack.empty()) {
            continue;
        }
        if (stack == nullptr) {
            stack = &node->moduleStack;
            depth = stack->size();
        }
        const auto same = [](const auto& a, const auto& b) { return a.path == b.path; };
        const auto split = std::ranges::mismatch(*stack, node->moduleStack, same).in1;
        depth = std::min(depth, static_cast<std::size_t>(split - stack->begin()));
    }
    if (stack == nullptr) {
        return std::nullopt;
    }
    return std::span(*stack).first(depth);
}

Cell commonModule(std::span<const etrecord::Node* const> nodes) {
    const auto modules = commonModules(nodes);
    if (!modules) {
        return {};
    }
    return modules->empty() ? std::string() : modules->back().fqn;
}

Cell delegateMetadata(const EventBlocks& blocks, const Event& event) {
    List out;
    bool any = false;
    for (const etdump::EventIndex index : event.profileEvents) {
        const core::Bytes bytes = blocks.trace().metadata(index);
        any = any || !bytes.empty();
        out.emplace_back(core::printable({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    }
    return any ? Cell(std::move(out)) : Cell();
}

std::string_view handleSourceName(HandleSource source) {
    const auto* found = std::ranges::find(handleSourceWords, source, &HandleSourceWord::source);
    return found == handleSourceWords.end() ? std::string_view{} : found->word;
}

const etdump::Run& runOf(const etdump::Trace& trace, etdump::EventIndex event) {
    return *(std::ranges::upper_bound(trace.runs(), event, {}, &etdump::Run::firstEvent) - 1);
}

std::vector<List> debugDataByRun(const EventBlocks& blocks, std::span<const etdump::EventIndex> events) {
    const etdump::Trace& trace = blocks.trace();
    std::vector<List> out;
    const etdump::Run* run = nullptr;
    for (const etdump::EventIndex event : events) {
        if (const etdump::Run* own = &runOf(trace, event); own != run) {
            run = own;
            out.emplace_back();
        }
        out.back().push_back(debugValueSummary(trace.debugValue(event), blocks.debugBuffer()));
    }
    return out;
}

}  // namespace et::inspector::report
