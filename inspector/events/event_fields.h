#pragma once

#include "inspector/format/table.h"
#include "inspector/join/event_blocks.h"
#include "inspector/join/node_fields.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Fields of an event as cells: what columns, JSON and the trace export show alike.
namespace et::inspector::report {

/// Edge nodes that an event stands for, each once; none for the runtime's own steps, whose instruction 0 is
/// no instruction.
[[nodiscard]] std::vector<const etrecord::Node*> nodesOf(const Block& block, const Event& event);

[[nodiscard]] List opTypeCells(const Block& block, const Event& event, OpTypes which = OpTypes::All);
/// The delegate's identifier: a number, a text, or no value.
[[nodiscard]] Cell delegateIdentifier(const Event& event);
/// One number or a list, as the record has it; no value where the record knows none.
[[nodiscard]] Cell debugHandleCell(const Event& event);
/// {node: stack trace}
[[nodiscard]] Dict stackTraces(const Block& block, const Event& event);
/// {node: {module path: [name, type]}}
[[nodiscard]] Dict moduleHierarchy(const Block& block, const Event& event);
/// Python lines of the event's nodes, each once: "model.py:7", the innermost frame that is not PyTorch's own.
[[nodiscard]] List sourceLines(const Block& block, const Event& event);
/// Name of the module that holds all of the event's nodes: "features.0", "" for the root. No value: no
/// modules.
[[nodiscard]] Cell commonModule(const Block& block, const Event& event);
/// What the delegate wrote beside each sample: as text (what does not print as `\xNN`), as hexadecimal
/// numbers, and in the words of a decoder. Nothing where it wrote nothing, or no decoder reads it.
[[nodiscard]] Cell delegateMetadata(const EventBlocks& blocks, const Event& event);
[[nodiscard]] Cell delegateMetadataHex(const EventBlocks& blocks, const Event& event);
[[nodiscard]] Cell delegateMetadataDecoded(const EventBlocks& blocks, const Event& event);
/// How the debug handles were found: "instruction", "delegate_map", …; "none".
[[nodiscard]] std::string_view handleSourceName(HandleSource source);

/// Summaries of debug events (in file order), one list for each run that has any.
[[nodiscard]] std::vector<List> debugDataByRun(const EventBlocks& blocks,
                                               std::span<const etdump::EventIndex> events);

}  // namespace et::inspector::report
