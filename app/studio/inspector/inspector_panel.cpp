#include "app/studio/inspector/inspector_panel.h"

#include "app/studio/inspector/model_summary.h"
#include "app/studio/inspector/operator_sections.h"
#include "app/studio/key_figures.h"
#include "app/studio/perspectives.h"
#include "inspector/events/slowest_operators.h"
#include "inspector/findings/answers.h"
#include "inspector/format/quantities.h"
#include "inspector/memory/memory_text.h"
#include "visualizers/events/event_description.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/description.h"
#include "visualizers/toolkit/histogram_widget.h"
#include "visualizers/toolkit/prose.h"
#include "visualizers/toolkit/skeleton.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QEvent>
#include <QImage>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>

#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace et::studio {

using inspector::events::SlowOperator;
using visualizers::Description;
using visualizers::DetailSection;
using visualizers::Selection;
using visualizers::toQString;

namespace {

constexpr std::size_t mostLines = 8;

DetailSection timeSection(const ModelSummary& facts) {
    DetailSection section{
        .title = QStringLiteral("Most time"), .info = {}, .link = QStringLiteral("panel:events")};
    for (const SlowOperator& each : inspector::events::slowestOperators(facts.rows, mostLines)) {
        section.info.push_back({.label = toQString(inspector::format::readablePercent(each.share)),
                                .text = toQString(each.name),
                                .link = QStringLiteral("event:%1:%2").arg(each.block).arg(each.event)});
    }
    return section;
}

/// The largest tensors that are alive at the peak of their arena.
DetailSection memorySection(const ModelSummary& facts) {
    std::vector<const inspector::PlannedTensor*> tensors;
    for (const MethodCounts& method : facts.methods) {
        for (const auto& arena :
             method.memory ? std::span(method.memory->arenas) : std::span<const inspector::ArenaTimeline>()) {
            for (const std::size_t at : arena.peakTensors) {
                tensors.push_back(&method.memory->tensors[at]);
            }
        }
    }
    std::ranges::stable_sort(tensors, std::ranges::greater{}, &inspector::PlannedTensor::bytes);
    DetailSection section{
        .title = QStringLiteral("Most memory"), .info = {}, .link = QStringLiteral("panel:memory")};
    for (const inspector::PlannedTensor* const each : tensors | std::views::take(mostLines)) {
        section.info.push_back({.label = toQString(inspector::format::readableBytes(each->bytes)),
                                .text = QStringLiteral("%1, %2").arg(
                                    toQString(inspector::readableWriter(*each)), toQString(each->type))});
    }
    return section;
}

DetailSection findingsSection(const ModelSummary& facts) {
    DetailSection section{
        .title = QStringLiteral("Top findings"), .info = {}, .link = QStringLiteral("panel:overview")};
    for (std::size_t i = 0; i < std::min(mostLines, facts.findings.size()); ++i) {
        const inspector::Finding& finding = facts.findings[i];
        const bool hasPlace = !finding.instructions.empty() || !finding.handles.empty();
        section.info.push_back({.label = {},
                                .text = visualizers::prosePlain(toQString(finding.title)),
                                .link = hasPlace ? QStringLiteral("finding:%1").arg(i) : QString()});
    }
    return section;
}

/// Operators with the longest time or the largest tensors, and the most important findings. Texts link to
/// "event:BLOCK:EVENT" and "finding:PLACE".
visualizers::Description describeModel(const ModelSummary& facts, bool ofMemory) {
    visualizers::Description description{.title = fileNames(facts.session->files),
                                         .subtitle = keyFigures(*facts.session),
                                         .warnings = {},
                                         .sections = {}};
    addSection(description.sections, ofMemory ? memorySection(facts) : timeSection(facts));
    addSection(description.sections, findingsSection(facts));
    return description;
}

/// Selects the operators of ModelSummary::findings[place]; returns false if it has none, or the index is
/// invalid.
bool chooseFinding(const ModelSummary& facts, std::size_t place, visualizers::Selection& selection) {
    if (place >= facts.findings.size()) {
        return false;
    }
    const inspector::Finding& finding = facts.findings[place];
    if (!finding.instructions.empty()) {
        selection.setOperator({.method = finding.method, .instruction = finding.instructions.front()});
    } else if (!finding.handles.empty()) {
        selection.setHandles(finding.method, finding.handles);
    }
    return !finding.instructions.empty() || !finding.handles.empty();
}

/// Number of an event's sections before those of its operator: description and time.
constexpr std::ptrdiff_t eventSectionsFirst = 2;

void insert(std::vector<DetailSection>& into, std::vector<DetailSection> sections) {
    const auto at = into.begin() + std::min(eventSectionsFirst, static_cast<std::ptrdiff_t>(into.size()));
    into.insert(at, std::make_move_iterator(sections.begin()), std::make_move_iterator(sections.end()));
}

}  // namespace

InspectorPanel::InspectorPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      results(context.results),
      notes(context.notes),
      enterPanel(context.enter),
      reading(this),
      extras(context.settings, this),
      distribution(new visualizers::HistogramWidget(this)),
      text(new QTextBrowser(this)),
      skeleton(new visualizers::Skeleton(visualizers::Skeleton::Shape::Rows, text)) {
    text->setObjectName(QStringLiteral("details"));
    text->setOpenLinks(false);
    text->setFrameShape(QFrame::NoFrame);
    text->document()->setDefaultStyleSheet(visualizers::descriptionStyle());
    text->setPlaceholderText(
        QStringLiteral("Select an operator to see its times, tensors, memory, error and source."));
    visualizers::fillColumn(*this, {distribution, text});
    setFocusProxy(text);
    connect(text, &QTextBrowser::anchorClicked, this, &InspectorPanel::follow);
    connect(&opened, &visualizers::OpenSession::changed, this, &InspectorPanel::readSession);
    connect(&extras, &ChoiceExtras::arrived, this, &InspectorPanel::display);
    connect(&chosen, &Selection::currentChanged, this, &InspectorPanel::showChoice);
    connect(&chosen, &Selection::eventsChanged, this, &InspectorPanel::showChoice);
    connect(&results, &visualizers::Results::shownGapChanged, this, &InspectorPanel::showChoice);
    connect(&notes, &visualizers::NoteModel::changed, this, &InspectorPanel::showChoice);
    readSession();
}

bool InspectorPanel::hasContent() const {
    return opened.session() != nullptr;
}

void InspectorPanel::arrangedFor(const Perspective& perspective) {
    aboutMemory = std::string_view(perspective.id) == "memory";
    display();
}

QString InspectorPanel::plainText() const {
    return text->toPlainText();
}

void InspectorPanel::readSession() {
    reading.forget();
    facts = nullptr;
    extras.setSession(opened.session());
    skeleton->setWaiting(opened.session() != nullptr);
    if (const auto& session = opened.session()) {
        reading.start([session] { return ModelSummary::of(session); },
                      [this](const std::shared_ptr<const ModelSummary>& read) {
                          facts = read;
                          extras.setCatalog(facts->tensors);
                          skeleton->setWaiting(false);
                          showChoice();
                      });
    }
    showChoice();
}

Description InspectorPanel::describe() const {
    const inspector::EventBlocks* const blocks = opened.blocks();
    if (blocks != nullptr && chosen.events().size() > 1 && facts != nullptr) {
        Description together = visualizers::describeEvents(*blocks, facts->rows, chosen.events());
        if (chosen.currentEvent() != nullptr) {
            DetailSection line = lineSection(*chosen.currentBlock(), *chosen.currentEvent(), extras);
            line.title = QStringLiteral("Source line of the slowest operator");
            const auto second = together.sections.begin() + (together.sections.empty() ? 0 : 1);
            if (!line.info.empty()) {
                together.sections.insert(second, std::move(line));
            }
        }
        return together;
    }
    const bool any = chosen.current() || chosen.currentOperator() || !chosen.currentHandles().empty();
    if (!any) {
        return facts != nullptr ? describeModel(*facts, aboutMemory) : Description();
    }
    Description description =
        blocks != nullptr && chosen.current()
            ? describeEvent(*blocks, *chosen.current(),
                            visualizers::toQString(inspector::missingProgramHint(*opened.session())))
            : Description();
    Description program = facts != nullptr ? describeOperator(*facts, chosen) : Description();
    std::vector<DetailSection> first;
    if (const inspector::Block* const block = chosen.currentBlock()) {
        visualizers::addSection(first, lineSection(*block, *chosen.currentEvent(), extras));
    }
    if (facts != nullptr) {
        visualizers::addSection(first, delegationSection(*facts, chosen));
    }
    if (description.title.isEmpty()) {
        description.title = program.title;
        description.subtitle = program.subtitle;
    }
    std::ranges::move(relatedSections(facts.get(), chosen, results, notes, extras),
                      std::back_inserter(program.sections));
    insert(description.sections, std::move(program.sections));
    description.sections.insert(description.sections.begin(), std::make_move_iterator(first.begin()),
                                std::make_move_iterator(first.end()));
    return description;
}

ChoiceExtras::Wanted InspectorPanel::wanted() const {
    ChoiceExtras::Wanted out;
    if (facts != nullptr && chosen.events().size() <= 1) {
        out.tensors = chosenTensors(*facts, chosen);
    }
    if (const inspector::Block* const block = chosen.currentBlock()) {
        for (const inspector::PythonFrame& frame : sourceFrames(*block, *chosen.currentEvent())) {
            out.files.emplace_back(frame.path);
        }
    }
    return out;
}

void InspectorPanel::showChoice() {
    extras.want(wanted());
    display();
}

void InspectorPanel::display() {
    const inspector::EventBlocks* const blocks = opened.blocks();
    const bool alone = chosen.events().size() <= 1;
    distribution->show(alone ? chosen.currentEvent() : nullptr,
                       blocks != nullptr ? blocks->options().target : inspector::TimeScale::Nanoseconds);
    const Description description = describe();
    const bool empty = description.title.isEmpty() && description.sections.empty();
    const QString html = empty ? QString() : toHtml(description);
    std::vector<std::pair<QUrl, QImage>> pictures;
    QString made = html;
    for (const std::size_t tensor : wanted().tensors) {
        if (QImage picture = extras.pictureOf(tensor); !picture.isNull()) {
            made += u' ' + QString::number(picture.cacheKey());
            pictures.emplace_back(pictureName(tensor), std::move(picture));
        }
    }
    if (std::exchange(shownText, made) != made) {
        setText(html, pictures, shownTitle == description.title);
    }
    shownTitle = description.title;
}

/// Lays rich text out only once, which is slow, by showing the scroll bar from the start. Data that arrives
/// later does not change the scroll position.
void InspectorPanel::setText(const QString& html, const std::vector<std::pair<QUrl, QImage>>& pictures,
                             bool goesOn) {
    const int scrolled = text->verticalScrollBar()->value();
    text->clear();
    for (const auto& [name, picture] : pictures) {
        text->document()->addResource(QTextDocument::ImageResource, name, picture);
    }
    text->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    text->setHtml(html);
    text->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    text->verticalScrollBar()->setValue(goesOn ? scrolled : 0);
}

/// Rich text keeps the link colours that it was created with.
void InspectorPanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        shownText.clear();
        QTimer::singleShot(0, this, &InspectorPanel::display);
    }
}

void InspectorPanel::follow(const QUrl& link) {
    const QStringList parts = link.path().split(u':');
    if (link.scheme() == QStringLiteral("panel") && enterPanel) {
        enterPanel(link.path().toStdString());
    } else if (link.scheme() == QStringLiteral("event") && parts.size() == 2) {
        chosen.setCurrent(
            visualizers::EventRef{.block = parts[0].toULongLong(), .event = parts[1].toULongLong()});
    } else if (link.scheme() == QStringLiteral("finding") && facts != nullptr) {
        chooseFinding(*facts, link.path().toULongLong(), chosen);
    }
}

}  // namespace et::studio
