#include "visualizers/events/event_description.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/readable_name.h"
#include "inspector/events/tensor_summary.h"
#include "inspector/format/python_text.h"
#include "inspector/format/quantities.h"
#include "inspector/join/counter_kinds.h"
#include "runtime/core/scalar_type.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::visualizers {

namespace {

using inspector::Block;
using inspector::Event;
using inspector::EventBlocks;
using inspector::HandleSource;
using inspector::format::Cell;
using inspector::format::pythonG;

constexpr std::size_t maxSamples = 1000;
constexpr std::size_t maxValues = 100;
constexpr std::size_t maxNodes = 50;
constexpr std::size_t maxRegionHandles = 12;  // of a delegate call, which may have hundreds
constexpr std::size_t maxBlobBytes = 256;
constexpr std::int64_t summaryBudget = std::int64_t{16} << 20;  // maximum number of bytes read while the user
                                                                // waits

/// Texts for the sources of debug handles, in the order of HandleSource.
constexpr std::array handleSourceTexts{
    "not in the ETRecord",
    "from the instruction",
    "from the delegate's debug map",
    "from the delegate's event",
    "from the delegate's payload, matched by operator names",
    "of the whole delegated instruction: the ETRecord has no debug map for it",
    "unknown: the delegate does not name this event",
};

/// "1, 2, 3, … (7 more)" for any range.
template <class Range, class Text>
QString joined(const Range& values, std::size_t max, const QString& separator, Text&& text) {
    QStringList parts;
    const auto first = values | std::views::take(max);
    for (const auto& value : first) {
        parts.append(text(value));
    }
    if (std::ranges::size(values) > max) {
        parts.append(QStringLiteral("… (%1 more)").arg(std::ranges::size(values) - max));
    }
    return parts.join(separator);
}

QString handleList(std::span<const core::DebugHandle> handles, std::size_t max = maxValues) {
    return joined(handles, max, QStringLiteral(", "),
                  [](core::DebugHandle handle) { return QString::number(handle.value); });
}

/// Each type once, in the order of their first nodes: "aten.view_copy.default ×3".
QString opTypeList(const Block& block, const Event& event) {
    std::vector<std::pair<std::string_view, std::size_t>> counts;
    for (const std::string_view op : opTypes(block, event, inspector::OpTypes::All)) {
        const auto known = std::ranges::find(counts, op, &std::pair<std::string_view, std::size_t>::first);
        if (known == counts.end()) {
            counts.emplace_back(op, 1);
        } else {
            ++known->second;
        }
    }
    return joined(counts, maxNodes, QStringLiteral(", "), [](const auto& type) {
        return type.second == 1 ? toQString(type.first)
                                : QStringLiteral("%1 ×%2").arg(toQString(type.first)).arg(type.second);
    });
}

DetailSection identity(const Block& block, const Event& event, const QString& missing) {
    DetailSection section{QStringLiteral("Event"), {}, QStringLiteral("panel:timeline")};
    addDetail(section, QStringLiteral("Event"), toQString(event.name));
    addDetail(section, QStringLiteral("Op types"), opTypeList(block, event));
    addDetail(section, QStringLiteral("Backend"), toQString(event.backend));
    if (const Cell id = inspector::events::delegateIdentifier(event);
        !std::holds_alternative<std::monostate>(id)) {
        addDetail(section, QStringLiteral("Delegate id"), toQString(inspector::format::pythonValue(id)));
    }
    if (event.instruction.value >= 0 && event.chain >= 0) {
        addDetail(section, QStringLiteral("Instruction"),
                  QStringLiteral("%1 of chain %2").arg(event.instruction.value).arg(event.chain));
    }
    const bool isUnmapped = event.handleSource == HandleSource::UnmappedDelegate;
    const QString source =
        isUnmapped && !missing.isEmpty()
            ? QStringLiteral("unknown: %1").arg(missing)
            : QString::fromUtf8(handleSourceTexts.at(static_cast<std::size_t>(event.handleSource)));
    addDetail(
        section, QStringLiteral("Debug handles"),
        event.handles.empty() ? source : QStringLiteral("%1 (%2)").arg(handleList(event.handles), source));
    if (isUnmapped) {
        addDetail(section, QStringLiteral("Within"), handleList(event.regionHandles, maxRegionHandles));
    }
    if (event.outputCount) {
        addDetail(section, QStringLiteral("Outputs"), QString::number(*event.outputCount));
    }
    return section;
}

DetailSection eventStatistics(const Event& event, inspector::TimeScale scale) {
    DetailSection section{QStringLiteral("Statistics"), {}, QStringLiteral("panel:events")};
    if (event.samples.empty()) {
        return section;
    }
    if (event.samples.size() == 1) {
        addDetail(section, QStringLiteral("time"), timeText(event.samples.front(), scale));
        return section;
    }
    const inspector::Statistics& of = event.statistics;
    const std::array<std::pair<const char*, double>, 6> named{{{"p10", of.p10},
                                                               {"p50", of.p50},
                                                               {"p90", of.p90},
                                                               {"avg", of.average},
                                                               {"min", of.minimum},
                                                               {"max", of.maximum}}};
    for (const auto& [label, value] : named) {
        addDetail(section, QString::fromLatin1(label), timeText(value, scale));
    }
    return section;
}

DetailSection counts(const Event& event) {
    DetailSection section{QStringLiteral("Counters, mean per run"), {}, QStringLiteral("panel:events")};
    for (const inspector::CounterInfo& traits : inspector::counterInfos) {
        const std::size_t i = static_cast<std::size_t>(traits.counter);
        if (const auto& counted = event.counts == nullptr ? std::nullopt : (*event.counts)[i]) {
            addDetail(section, toQString(traits.title), QString::fromStdString(pythonG(*counted)));
        }
    }
    return section;
}

DetailSection samples(const Event& event, inspector::TimeScale scale) {
    DetailSection section{QStringLiteral("Samples in run order"), {}};
    if (event.samples.size() == 1) {
        return section;
    }
    addDetail(section, {}, joined(event.samples, maxSamples, QStringLiteral(", "), [scale](double value) {
                  return timeText(value, scale);
              }));
    return section;
}

/// "layer1.0 (BasicBlock)", outermost first.
QString modulePath(const etrecord::Node& node) {
    QStringList frames;
    for (const etrecord::ModuleFrame& frame : node.moduleStack) {
        const std::string_view name =
            frame.fqn.empty() ? std::string_view(frame.path) : std::string_view(frame.fqn);
        frames.append(QStringLiteral("%1  (%2)").arg(toQString(name), toQString(frame.type)));
    }
    return frames.join(u'\n');
}

/// A section for one kind of text of the event's nodes; equal texts of several nodes appear once.
DetailSection ofNodes(const Block& block, const Event& event, const QString& title, bool code,
                      QString (*text)(const etrecord::Node&)) {
    DetailSection section{title, {}, QStringLiteral("panel:source")};
    std::set<QString> seen;
    for (const etrecord::Node* const node : inspector::events::nodesOf(block, event)) {
        const QString found = text(*node);
        if (found.isEmpty() || !seen.insert(found).second) {
            continue;
        }
        if (section.info.size() == maxNodes) {
            addDetail(section, {}, QStringLiteral("… and more"));
            break;
        }
        addDetail(section, toQString(node->name), found, code);
    }
    return section;
}

/// Number of debug buffer bytes that summarizing `value` reads.
std::int64_t bytesOf(const etdump::DebugValue& value) {
    const auto size = [](const etdump::DebugTensor& tensor) {
        return core::tensorBytes(tensor.scalarType, tensor.sizes).value_or(0);
    };
    if (const auto* const tensor = std::get_if<etdump::DebugTensor>(&value.value)) {
        return size(*tensor);
    }
    std::int64_t bytes = 0;
    if (const auto* const tensors = std::get_if<std::vector<etdump::DebugTensor>>(&value.value)) {
        for (const etdump::DebugTensor& tensor : *tensors) {
            bytes += std::min(size(tensor), summaryBudget);
        }
    }
    return bytes;
}

/// A summary for display: numbers with six digits, without braces and quotes.
QString compactText(const Cell& cell) {
    if (const double* const number = std::get_if<double>(&cell)) {
        return QString::fromStdString(pythonG(*number));
    }
    if (const auto* const list = std::get_if<inspector::format::List>(&cell)) {
        return QStringLiteral("[%1]").arg(joined(*list, maxValues, QStringLiteral(", "), compactText));
    }
    if (const auto* const numbers = std::get_if<std::vector<double>>(&cell)) {
        return QStringLiteral("[%1]").arg(joined(*numbers, maxValues, QStringLiteral(", "), [](double value) {
            return QString::fromStdString(pythonG(value));
        }));
    }
    if (const auto* const entries = std::get_if<inspector::format::Dict>(&cell)) {
        return joined(*entries, maxValues, QStringLiteral("  ·  "), [](const auto& entry) {
            return QStringLiteral("%1 %2").arg(toQString(entry.first), compactText(entry.second));
        });
    }
    return toQString(inspector::format::pythonValue(cell));
}

/// Logged values, summarized within the byte budget; beyond it, only dtype and shape.
DetailSection debugValues(const EventBlocks& blocks, const Event& event) {
    DetailSection section{QStringLiteral("Logged values, in run order"), {}};
    std::int64_t budget = summaryBudget;
    const auto first = event.debugEvents | std::views::take(maxValues);
    for (const etdump::EventIndex index : first) {
        const etdump::DebugValue& value = blocks.trace().debugValue(index);
        budget -= std::min(bytesOf(value), summaryBudget);
        const Cell summary =
            inspector::events::debugValueSummary(value, budget > 0 ? blocks.debugBuffer() : nullptr);
        addDetail(section, {}, compactText(summary));
    }
    if (event.debugEvents.size() > maxValues) {
        addDetail(section, {}, QStringLiteral("… and %1 more").arg(event.debugEvents.size() - maxValues));
    }
    return section;
}

QString metadataText(core::Bytes bytes) {
    const core::Bytes shown = bytes.first(std::min(bytes.size(), maxBlobBytes));
    const QString text = toQString({reinterpret_cast<const char*>(shown.data()), shown.size()});
    return bytes.size() > maxBlobBytes ? QStringLiteral("%1 … (%2 bytes)").arg(text).arg(bytes.size()) : text;
}

/// The delegate's metadata, which may differ between runs; each text appears once.
DetailSection metadata(const EventBlocks& blocks, const Event& event) {
    DetailSection section{QStringLiteral("Delegate metadata"), {}};
    std::set<QString> seen;
    for (const etdump::EventIndex index : event.profileEvents) {
        const QString text = metadataText(blocks.trace().metadata(index));
        if (seen.size() < maxNodes && seen.insert(text).second) {
            addDetail(section, {}, text, true);
        }
    }
    return section;
}

QStringList makeWarnings(const Event& event) {
    QStringList warnings;
    if (event.debugDiffers) {
        warnings.append(QStringLiteral("Logged values differ between runs."));
    }
    if (event.droppedRepeats > 0) {
        warnings.append(
            QStringLiteral("%1 repetitions within a run are not counted; only the last of each run is.")
                .arg(event.droppedRepeats));
    }
    return warnings;
}

QString subtitleOf(const Block& block, const Event& event) {
    QStringList parts{toQString(inspector::events::readableBlock(block))};
    if (!block.method.empty()) {
        parts.append(toQString(block.method));
    }
    parts.append(counted(event.samples.size(), QStringLiteral("1 sample"), QStringLiteral("%1 samples")));
    return parts.join(QStringLiteral(" · "));
}

bool hasAncestor(const inspector::events::EventRows& rows, std::size_t row,
                 const std::set<std::size_t>& among) {
    for (auto parent = rows.rows[row].parent; parent; parent = rows.rows[*parent].parent) {
        if (among.contains(*parent)) {
            return true;
        }
    }
    return false;
}

}  // namespace

Description describeEvent(const EventBlocks& blocks, EventRef ref, const QString& missing) {
    const Block& block = blocks.blocks()[ref.block];
    const Event& event = block.events[ref.event];
    const inspector::TimeScale scale = blocks.options().target;
    Description description{toQString(inspector::events::readableName(block, event)),
                            subtitleOf(block, event),
                            makeWarnings(event),
                            {}};
    for (DetailSection& section : std::to_array<DetailSection>(
             {identity(block, event, missing), eventStatistics(event, scale), counts(event),
              ofNodes(block, event, QStringLiteral("Modules"), false, modulePath),
              ofNodes(block, event, QStringLiteral("Python stack"), true,
                      [](const etrecord::Node& node) { return toQStringLines(node.stackTrace); }),
              debugValues(blocks, event), metadata(blocks, event), samples(event, scale)})) {
        addSection(description.sections, std::move(section));
    }
    return description;
}

Description describeEvents(const EventBlocks& blocks, const inspector::events::EventRows& rows,
                           std::span<const EventRef> events) {
    const inspector::TimeScale scale = blocks.options().target;
    std::set<std::size_t> places;
    for (const EventRef& ref : events) {
        places.insert(rows.blocks[ref.block].firstRow + ref.event);
    }
    double time = 0;
    double share = 0;
    DetailSection list{QStringLiteral("Selected"), {}};
    for (const std::size_t place : places) {
        const inspector::events::EventRow& row = rows.rows[place];
        const bool within = hasAncestor(rows, place, places);
        time += within ? 0 : row.typical;
        share += within ? 0 : rows.share(row).value_or(0);
        if (list.info.size() < maxNodes) {
            addDetail(list, toQString(inspector::events::readableName(*row.block, *row.event)),
                      timeText(row.typical / static_cast<double>(rows.blocks[row.blockAt].runs), scale));
        }
    }
    if (places.size() > maxNodes) {
        addDetail(list, {}, QStringLiteral("… and %1 more").arg(places.size() - maxNodes));
    }
    const auto runs = static_cast<double>(rows.blocks[events.front().block].runs);
    DetailSection sums{QStringLiteral("Together"), {}};
    addDetail(sums, QStringLiteral("Time per run"), timeText(time / runs, scale));
    addDetail(sums, QStringLiteral("Share"), toQString(inspector::format::readablePercent(share)));
    Description description{
        counted(events.size(), QStringLiteral("1 event"), QStringLiteral("%1 events")), {}, {}, {}};
    addSection(description.sections, std::move(sums));
    addSection(description.sections, std::move(list));
    return description;
}

}  // namespace et::visualizers
