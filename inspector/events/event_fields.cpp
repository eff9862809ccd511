#include "inspector/events/event_fields.h"

#include "inspector/events/tensor_summary.h"
#include "inspector/names/operator_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

namespace et::inspector::events {
namespace {

struct HandleSourceName {
    HandleSource source;
    std::string_view word;
};
constexpr std::array handleSourceNames{
    HandleSourceName{HandleSource::None, "none"},
    HandleSourceName{HandleSource::Instruction, "instruction"},
    HandleSourceName{HandleSource::DelegateMap, "delegate_map"},
    HandleSourceName{HandleSource::DelegateMetadata, "delegate_metadata"},
    HandleSourceName{HandleSource::DelegatePayload, "delegate_payload"},
    HandleSourceName{HandleSource::WholeDelegate, "whole_delegate"},
    HandleSourceName{HandleSource::UnmappedDelegate, "unmapped_delegate"},
};

}  // namespace

std::vector<const etrecord::Node*> nodesOf(const Block& block, const Event& event) {
    std::vector<const etrecord::Node*> nodes;
    if (block.graph == nullptr || names::detail::isFrameworkEvent(event.name)) {
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

format::List opTypeCells(const Block& block, const Event& event, OpTypes which) {
    format::List cells;
    for (const std::string_view type : opTypes(block, event, which)) {
        cells.emplace_back(std::string(type));
    }
    return cells;
}

format::Cell delegateIdentifier(const Event& event) {
    if (event.delegateInt) {
        return std::int64_t{*event.delegateInt};
    }
    return event.delegateString ? format::Cell(std::string(*event.delegateString)) : format::Cell();
}

format::Cell debugHandleCell(const Event& event) {
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

format::Dict stackTraces(const Block& block, const Event& event) {
    format::Dict out;
    for (const etrecord::Node* node : nodesOf(block, event)) {
        out.emplace_back(node->name,
                         node->stackTrace.empty() ? format::Cell() : format::Cell(node->stackTrace));
    }
    return out;
}

format::Dict moduleHierarchy(const Block& block, const Event& event) {
    format::Dict out;
    for (const etrecord::Node* node : nodesOf(block, event)) {
        format::Dict modules;
        for (const etrecord::ModuleFrame& frame : node->moduleStack) {
            modules.emplace_back(frame.path, format::List{frame.fqn, frame.type});
        }
        out.emplace_back(node->name, std::move(modules));
    }
    return out;
}

format::List sourceLines(const Block& block, const Event& event) {
    return inspector::sourceLines(nodesOf(block, event));
}

format::Cell commonModule(const Block& block, const Event& event) {
    return inspector::commonModule(nodesOf(block, event));
}

namespace {

/// Applies `show` to each sample's metadata; empty if no sample has metadata that it can show.
template <class Show>
format::Cell metadataCells(const EventBlocks& blocks, const Event& event, const Show& show) {
    format::List out;
    bool any = false;
    for (const etdump::EventIndex index : event.profileEvents) {
        const std::optional<std::string> text = show(blocks.trace().metadata(index));
        any = any || (text && !text->empty());
        out.emplace_back(text.value_or(std::string()));
    }
    return any ? format::Cell(std::move(out)) : format::Cell();
}

}  // namespace

format::Cell delegateMetadata(const EventBlocks& blocks, const Event& event) {
    return metadataCells(blocks, event, [](core::Bytes bytes) -> std::optional<std::string> {
        return core::printable(core::textOf(bytes));
    });
}

format::Cell delegateMetadataHex(const EventBlocks& blocks, const Event& event) {
    return metadataCells(blocks, event,
                         [](core::Bytes bytes) -> std::optional<std::string> { return metadataHex(bytes); });
}

format::Cell delegateMetadataDecoded(const EventBlocks& blocks, const Event& event) {
    return metadataCells(blocks, event, [&](core::Bytes bytes) {
        return decodedMetadata(blocks.options().decoders, event.backend, event.name, bytes);
    });
}

std::string_view handleSourceName(HandleSource source) {
    const auto* found = std::ranges::find(handleSourceNames, source, &HandleSourceName::source);
    return found == handleSourceNames.end() ? std::string_view{} : found->word;
}

std::vector<format::List> debugDataByRun(const EventBlocks& blocks,
                                         std::span<const etdump::EventIndex> events) {
    const etdump::Trace& trace = blocks.trace();
    std::vector<format::List> out;
    const etdump::Run* run = nullptr;
    for (const etdump::EventIndex event : events) {
        if (const etdump::Run* own = &trace.runOf(event); own != run) {
            run = own;
            out.emplace_back();
        }
        out.back().push_back(debugValueSummary(trace.debugValue(event), blocks.debugBuffer()));
    }
    return out;
}

}  // namespace et::inspector::events
