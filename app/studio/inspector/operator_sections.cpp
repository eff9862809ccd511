#include "app/studio/inspector/operator_sections.h"

#include "inspector/delegates/instruction_placement.h"
#include "inspector/events/event_fields.h"
#include "inspector/format/quantities.h"
#include "inspector/graph/box_info.h"
#include "visualizers/gap/gap_model.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/notes/note_target.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/prose.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <variant>

namespace et::studio {

namespace {

using core::GraphNode;
using visualizers::addDetail;
using visualizers::addSection;
using visualizers::DetailSection;
using visualizers::OperatorRef;
using visualizers::Selection;
using visualizers::toQString;

constexpr std::size_t maxDetailRows = 20;

bool shareHandle(std::span<const core::DebugHandle> some, std::span<const core::DebugHandle> others) {
    return std::ranges::any_of(some,
                               [&](core::DebugHandle each) { return std::ranges::contains(others, each); });
}

/// Returns the node with the selected debug handles and the fewest others, else one of the instruction.
std::optional<core::GraphNodeId> findNode(const core::ModelGraph& graph, const Selection& selection) {
    const auto& chosen = selection.currentOperator();
    const auto handles = selection.currentHandles();
    std::optional<core::GraphNodeId> best;
    std::size_t bestHandles = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
        const GraphNode& node = graph.nodes()[i];
        const bool ofInstruction = !chosen || node.instruction == chosen->instruction;
        if (!ofInstruction || (!handles.empty() && !shareHandle(node.debugHandles, handles))) {
            continue;
        }
        if (node.debugHandles.size() < bestHandles) {
            best = core::GraphNodeId(static_cast<std::uint32_t>(i));
            bestHandles = node.debugHandles.size();
        }
    }
    return best;
}

DetailSection toSection(const inspector::DetailSection& from) {
    DetailSection section{.title = toQString(from.title), .info = {}, .link = QStringLiteral("panel:graph")};
    for (const auto& [name, text] : from.rows) {
        addDetail(section, toQString(name), visualizers::toQStringLines(text));
    }
    addDetail(section, {}, visualizers::toQStringLines(from.text), true);
    return section;
}

/// The tensors of the operator that are part of the model, or the others.
DetailSection tensorSection(const ModelSummary& facts, const Selection& selection, const ChoiceExtras& extras,
                            bool weights) {
    DetailSection section{.title = weights ? QStringLiteral("Weights") : QStringLiteral("Logged values"),
                          .info = {},
                          .link = QStringLiteral("panel:tensors")};
    std::optional<inspector::TensorOrigin> origin;  // each file contains the same weights
    for (const std::size_t at : chosenTensors(facts, selection)) {
        const inspector::CatalogTensor& tensor = facts.tensors->tensors()[at];
        if (inspector::traits(tensor.origin).isWeight != weights || section.info.size() >= maxDetailRows) {
            continue;
        }
        origin = origin.value_or(tensor.origin);
        const QString name = toQString(tensor.name);
        const bool isKnown =
            weights && (tensor.origin != *origin ||
                        std::ranges::any_of(section.info, [&](const visualizers::Detail& listed) {
                            return listed.label == name;
                        }));
        if (!isKnown) {
            section.info.push_back(
                {.label = name,
                 .text = QStringLiteral("%1, %2").arg(toQString(tensor.type), toQString(tensor.place)),
                 .link = section.link,
                 .picture = extras.pictureOf(at).isNull() ? QString() : pictureName(at)});
        }
    }
    return section;
}

QString tensorText(const inspector::ArenaTimeline& arena, const inspector::PlannedTensor& tensor,
                   std::size_t at) {
    QString text = QStringLiteral("%1 at offset %2 of arena %3, instructions %4 to %5")
                       .arg(toQString(inspector::format::readableBytes(tensor.bytes)))
                       .arg(tensor.offset)
                       .arg(tensor.arena.value)
                       .arg(tensor.firstStep)
                       .arg(tensor.lastStep);
    return std::ranges::contains(arena.peakTensors, at) ? QStringLiteral("%1, in the peak").arg(text) : text;
}

DetailSection memorySection(const inspector::MemoryTimeline& memory, const OperatorRef& chosen) {
    DetailSection section{
        .title = QStringLiteral("Memory"), .info = {}, .link = QStringLiteral("panel:memory")};
    for (std::size_t i = 0; i < memory.tensors.size() && section.info.size() < maxDetailRows; ++i) {
        const inspector::PlannedTensor& tensor = memory.tensors[i];
        const bool made = tensor.producer && tensor.producer->chain == 0 &&
                          tensor.producer->instruction == chosen.instruction;
        const auto arena = std::ranges::find(memory.arenas, tensor.arena, &inspector::ArenaTimeline::arena);
        if (made && arena != memory.arenas.end()) {
            addDetail(section, toQString(tensor.type), tensorText(*arena, tensor, i));
        }
    }
    return section;
}

DetailSection errorSection(const visualizers::Results& results, const Selection& selection) {
    DetailSection section{.title = QStringLiteral("Error"), .info = {}, .link = QStringLiteral("panel:gap")};
    const auto& gap = results.gap();
    const auto row = gap ? inspector::rowOfHandles(*gap, selection.currentHandles()) : std::nullopt;
    if (!row) {
        return section;
    }
    if (const auto& own = gap->rows[*row].own) {
        addDetail(section, QStringLiteral("own"), visualizers::gapNumberText(own->own));
        addDetail(section, QStringLiteral("inherited"), visualizers::gapNumberText(own->inherited));
        addDetail(section, {}, own->diverges ? toQString(own->reason) : QStringLiteral("within rounding"));
    }
    // The metrics compare with the whole graph, whose errors the operator inherits.
    for (const inspector::GapMetricInfo& each : inspector::gapMetrics) {
        if (gap->rows[*row].own) {
            break;
        }
        if (const auto number = inspector::metricOf(gap->rows[*row], each.metric)) {
            addDetail(section, toQString(each.title), visualizers::gapNumberText(*number));
        }
    }
    return section;
}

bool concerns(const inspector::Finding& finding, const Selection& selection) {
    const auto& chosen = selection.currentOperator();
    const bool sameMethod =
        !chosen || chosen->method.empty() || finding.method.empty() || chosen->method == finding.method;
    return sameMethod && ((chosen && std::ranges::contains(finding.instructions, chosen->instruction)) ||
                          shareHandle(finding.handles, selection.currentHandles()));
}

DetailSection findingSection(const ModelSummary& facts, const Selection& selection) {
    DetailSection section{
        .title = QStringLiteral("Findings"), .info = {}, .link = QStringLiteral("panel:overview")};
    for (const inspector::Finding& finding : facts.findings) {
        if (concerns(finding, selection) && section.info.size() < maxDetailRows) {
            addDetail(section, {}, visualizers::prosePlain(toQString(finding.title)));
        }
    }
    return section;
}

DetailSection noteSection(const visualizers::NoteModel& notes, const Selection& selection) {
    DetailSection section{
        .title = QStringLiteral("Notes"), .info = {}, .link = QStringLiteral("panel:notes")};
    const inspector::store::Note place = visualizers::noteTo(selection);
    for (const inspector::store::Note& note : notes.notes()) {
        const bool here = !visualizers::isAboutSession(note) && note.method == place.method &&
                          note.instruction == place.instruction && note.delegated == place.delegated;
        if (here && section.info.size() < maxDetailRows) {
            addDetail(section, {}, visualizers::toQStringLines(note.text));
        }
    }
    return section;
}

}  // namespace

visualizers::Description describeOperator(const ModelSummary& facts, const Selection& selection) {
    const auto& chosen = selection.currentOperator();
    const std::string method = chosen ? chosen->method : selection.choice().method;
    const MethodCounts* const known = facts.findMethod(method);
    const auto node = known == nullptr ? std::nullopt : findNode(known->graph, selection);
    visualizers::Description description;
    if (!node) {
        return description;
    }
    const inspector::DiagramBox box{
        .kind = inspector::DiagramBox::Kind::Node, .id = node->value, .parent = {}, .nodes = {*node}};
    const inspector::BoxInfo info = inspector::infoOf(known->graph, box);
    description.title = toQString(info.title);
    description.subtitle = toQString(info.subtitle);
    for (const inspector::DetailSection& section : info.sections) {
        addSection(description.sections, toSection(section));
    }
    return description;
}

std::vector<std::size_t> chosenTensors(const ModelSummary& facts, const Selection& selection) {
    const auto& chosen = selection.currentOperator();
    return facts.tensors == nullptr
               ? std::vector<std::size_t>()
               : facts.tensors->tensorsOf(chosen ? chosen->method : selection.choice().method,
                                          chosen ? chosen->instruction : core::InstructionId(-1),
                                          selection.currentHandles());
}

QString pictureName(std::size_t tensor) {
    return QStringLiteral("tensor:%1").arg(tensor);
}

std::vector<inspector::PythonFrame> sourceFrames(const inspector::Block& block,
                                                 const inspector::Event& event) {
    constexpr std::size_t mostFrames = 3;
    std::vector<inspector::PythonFrame> frames;
    for (const inspector::NodeStack& stack : inspector::stacksOf(inspector::events::nodesOf(block, event))) {
        const auto own = inspector::ownFrame(stack.frames);
        if (own && frames.size() < mostFrames && !std::ranges::contains(frames, *own)) {
            frames.push_back(*own);
        }
    }
    return frames;
}

DetailSection lineSection(const inspector::Block& block, const inspector::Event& event,
                          const ChoiceExtras& extras) {
    DetailSection section{
        .title = QStringLiteral("Source line"), .info = {}, .link = QStringLiteral("panel:source")};
    for (const inspector::PythonFrame& frame : sourceFrames(block, event)) {
        // The Python stack below shows the folders.
        const QString place =
            QStringLiteral("%1:%2").arg(toQString(frame.path).section(u'/', -1)).arg(frame.line);
        const QString around = extras.linesAround(std::string(frame.path), frame.line);
        const QString code = around.isEmpty() ? toQString(frame.code) : around;
        if (code.isEmpty()) {
            addDetail(section, {}, place);
        } else {
            addDetail(section, place, code, true);
        }
    }
    return section;
}

DetailSection delegationSection(const ModelSummary& facts, const Selection& selection) {
    DetailSection section{
        .title = QStringLiteral("Delegation"), .info = {}, .link = QStringLiteral("panel:delegates")};
    const auto& chosen = selection.currentOperator();
    const inspector::MethodDelegates* const known = chosen ? facts.findDelegates(chosen->method) : nullptr;
    const auto placement = known == nullptr ? std::nullopt : findPlacement(*known, chosen->instruction);
    if (!placement) {
        return section;
    }
    if (placement->delegate) {
        addDetail(section, {},
                  QStringLiteral("runs in %1, delegate %2")
                      .arg(toQString(placement->backend))
                      .arg(*placement->delegate));
        return section;
    }
    addDetail(section, {}, QStringLiteral("not delegated: runs in a kernel of the runtime"));
    addDetail(section, QStringLiteral("why"), toQString(placement->why));
    if (placement->splits) {
        addDetail(section, QStringLiteral("splits"),
                  QStringLiteral("%1: calls at instructions %2 and %3")
                      .arg(toQString(placement->splits->backend))
                      .arg(placement->splits->before.value)
                      .arg(placement->splits->after.value));
    }
    return section;
}

std::vector<DetailSection> relatedSections(const ModelSummary* facts, const Selection& selection,
                                           const visualizers::Results& results,
                                           const visualizers::NoteModel& notes, const ChoiceExtras& extras) {
    std::vector<DetailSection> sections;
    const auto& chosen = selection.currentOperator();
    const MethodCounts* const known =
        facts != nullptr && chosen ? facts->findMethod(chosen->method) : nullptr;
    if (facts != nullptr && facts->tensors != nullptr) {
        addSection(sections, tensorSection(*facts, selection, extras, true));
        addSection(sections, tensorSection(*facts, selection, extras, false));
    }
    if (known != nullptr && known->memory) {
        addSection(sections, memorySection(*known->memory, *chosen));
    }
    addSection(sections, errorSection(results, selection));
    if (facts != nullptr) {
        addSection(sections, findingSection(*facts, selection));
    }
    addSection(sections, noteSection(notes, selection));
    return sections;
}

}  // namespace et::studio
