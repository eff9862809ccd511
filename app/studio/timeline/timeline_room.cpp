#include "app/studio/timeline/timeline_room.h"

#include "visualizers/selection.h"
#include "visualizers/timeline/timeline_widget.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QToolBar>
#include <QVBoxLayout>

namespace et::studio {

using visualizers::Timeline;

TimelineRoom::TimelineRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
      chosen(context.selection),
      building(this),
      search(new QLineEdit(this)),
      widget(new visualizers::TimelineWidget(context.selection, this)),
      measurement(new QLabel(this)) {
    auto* const tools = new QToolBar(this);
    search->setObjectName(QStringLiteral("timelineSearch"));
    search->setClearButtonEnabled(true);
    search->setPlaceholderText(tr("Highlight events by name"));
    tools->addWidget(search);
    measurement->setObjectName(QStringLiteral("measurement"));
    measurement->setTextFormat(Qt::PlainText);
    measurement->setMargin(4);
    measurement->setWordWrap(true);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(widget, 1);
    layout->addWidget(measurement);
    addActions(widget->actions());
    setFocusProxy(widget);
    connect(search, &QLineEdit::textChanged, widget, &visualizers::TimelineWidget::setSearch);
    connect(widget, &visualizers::TimelineWidget::measured, this, [this](const QString& text) {
        measurement->setText(text.isEmpty() ? tr("Drag to measure · W S zoom · A D pan · Space fits all · "
                                                 "F fits the chosen event")
                                            : text);
    });
    connect(&chosen, &visualizers::Selection::sessionChanged, this, &TimelineRoom::showSession);
    showSession();
}

bool TimelineRoom::hasContent() const {
    return chosen.blocks() != nullptr;
}

void TimelineRoom::find() {
    search->setFocus(Qt::ShortcutFocusReason);
    search->selectAll();
}

void TimelineRoom::showSession() {
    widget->setTimeline(nullptr);
    building.forget();
    if (hasContent()) {
        building.start([blocks = chosen.session()->blocks] { return Timeline::build(blocks); },
                       [this](const std::shared_ptr<const Timeline>& built) { widget->setTimeline(built); });
    }
}

}  // namespace et::studio
