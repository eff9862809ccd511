#pragma once

#include "inspector/format/table.h"
#include "inspector/join/event_blocks.h"
#include "inspector/join/node_fields.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Fields of an event as cells, shared by columns, JSON and the trace export.
namespace et::inspector::events {

/// Distinct Edge nodes of an event; empty for the runtime's own steps, whose instruction 0 is not an
/// instruction.
[[nodiscard]] std::vector<const etrecord::Node*> nodesOf(const Block& block, const Event& event);

[[nodiscard]] format::List opTypeCells(const Block& block, const Event& event, OpTypes which = OpTypes::All);
/// The delegate's identifier: a number, a text, or no value.
[[nodiscard]] format::Cell delegateIdentifier(const Event& event);
/// A number or a list, as in the record; no value if the record has none.
[[nodiscard]] format::Cell debugHandleCell(const Event& event);
/// {node: stack trace}
[[nodiscard]] format::Dict stackTraces(const Block& block, const Event& event);
/// {node: {module path: [name, type]}}
[[nodiscard]] format::Dict moduleHierarchy(const Block& block, const Event& event);
/// Distinct Python lines of the event's nodes: "model.py:7", the innermost frame outside PyTorch.
using inspector::commonModule;
using inspector::sourceLines;
[[nodiscard]] format::List sourceLines(const Block& block, const Event& event);
/// Name of the module that contains all of the event's nodes: "features.0", "" for the root. No value: no
/// modules.
[[nodiscard]] format::Cell commonModule(const Block& block, const Event& event);
/// Delegate metadata of each sample: as text (unprintable bytes as `\xNN`), as hexadecimal numbers, and
/// decoded. Empty if there is none, or no decoder supports it.
[[nodiscard]] format::Cell delegateMetadata(const EventBlocks& blocks, const Event& event);
[[nodiscard]] format::Cell delegateMetadataHex(const EventBlocks& blocks, const Event& event);
[[nodiscard]] format::Cell delegateMetadataDecoded(const EventBlocks& blocks, const Event& event);
/// How the debug handles were found: "instruction", "delegate_map", …; "none".
[[nodiscard]] std::string_view handleSourceName(HandleSource source);

/// Summaries of debug events (in file order), one list for each run that has any.
[[nodiscard]] std::vector<format::List> debugDataByRun(const EventBlocks& blocks,
                                                       std::span<const etdump::EventIndex> events);

}  // namespace et::inspector::events
