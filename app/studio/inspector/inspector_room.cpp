#include "app/studio/inspector/inspector_room.h"

#include "app/studio/inspector/operator_sections.h"
#include "visualizers/events/event_description.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/histogram_widget.h"

#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace et::studio {

using visualizers::Description;
using visualizers::DetailSection;
using visualizers::Selection;

namespace {

/// Sections of an event that come before those of its operator: what it is and how long it takes.
constexpr std::ptrdiff_t eventSectionsFirst = 2;

void insert(std::vector<DetailSection>& into, std::vector<DetailSection> sections) {
    const auto at = into.begin() + std::min(eventSectionsFirst, static_cast<std::ptrdiff_t>(into.size()));
    into.insert(at, std::make_move_iterator(sections.begin()), std::make_move_iterator(sections.end()));
}

}  // namespace

InspectorRoom::InspectorRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
      opened(context.opened),
      chosen(context.selection),
      results(context.results),
      notes(context.notes),
      enterRoom(context.enter),
      reading(this),
      distribution(new visualizers::HistogramWidget(this)),
      text(new QTextBrowser(this)) {
    text->setObjectName(QStringLiteral("details"));
    text->setOpenLinks(false);
    text->setFrameShape(QFrame::NoFrame);
    text->document()->setDefaultStyleSheet(visualizers::descriptionStyle());
    text->setPlaceholderText(tr("Select an operator to see its times, tensors, memory, error and source."));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(distribution);
    layout->addWidget(text, 1);
    setFocusProxy(text);
    connect(text, &QTextBrowser::anchorClicked, this, &InspectorRoom::follow);
    connect(&opened, &visualizers::OpenSession::changed, this, &InspectorRoom::readSession);
    connect(&chosen, &Selection::currentChanged, this, &InspectorRoom::showChoice);
    connect(&chosen, &Selection::eventsChanged, this, &InspectorRoom::showChoice);
    connect(&results, &visualizers::Results::shownGapChanged, this, &InspectorRoom::showChoice);
    connect(&notes, &QAbstractItemModel::dataChanged, this, &InspectorRoom::showChoice);
    connect(&notes, &QAbstractItemModel::rowsInserted, this, &InspectorRoom::showChoice);
    connect(&notes, &QAbstractItemModel::rowsRemoved, this, &InspectorRoom::showChoice);
    connect(&notes, &QAbstractItemModel::modelReset, this, &InspectorRoom::showChoice);
    readSession();
}

bool InspectorRoom::hasContent() const {
    return opened.session() != nullptr;
}

QString InspectorRoom::plainText() const {
    return text->toPlainText();
}

void InspectorRoom::readSession() {
    reading.forget();
    facts = nullptr;
    if (const auto& session = opened.session()) {
        reading.start([session] { return ModelFacts::of(session); },
                      [this](const std::shared_ptr<const ModelFacts>& read) {
                          facts = read;
                          showChoice();
                      });
    }
    showChoice();
}

Description InspectorRoom::describe() const {
    const inspector::EventBlocks* const blocks = opened.blocks();
    if (blocks != nullptr && chosen.events().size() > 1 && facts != nullptr) {
        return visualizers::describeEvents(*blocks, facts->rows, chosen.events());
    }
    const bool any = chosen.current() || chosen.currentOperator() || !chosen.currentHandles().empty();
    if (!any) {
        return {};
    }
    Description description = chosen.current() ? describeEvent(*blocks, *chosen.current()) : Description();
    Description program = facts != nullptr ? describeOperator(*facts, chosen) : Description();
    if (description.title.isEmpty()) {
        description.title = program.title;
        description.subtitle = program.subtitle;
    }
    std::ranges::move(relatedSections(facts.get(), chosen, results, notes),
                      std::back_inserter(program.sections));
    insert(description.sections, std::move(program.sections));
    return description;
}

void InspectorRoom::showChoice() {
    const inspector::EventBlocks* const blocks = opened.blocks();
    const bool alone = chosen.events().size() <= 1;
    distribution->show(alone ? chosen.currentEvent() : nullptr,
                       blocks != nullptr ? blocks->options().target : inspector::TimeScale::Nanoseconds);
    const Description description = describe();
    const bool empty = description.title.isEmpty() && description.sections.empty();
    text->setHtml(empty ? QString() : toHtml(description));
}

void InspectorRoom::follow(const QUrl& link) {
    if (link.scheme() == QStringLiteral("room") && enterRoom) {
        enterRoom(link.path().toStdString());
    }
}

}  // namespace et::studio
