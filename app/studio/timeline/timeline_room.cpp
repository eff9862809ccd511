#include "app/studio/timeline/timeline_room.h"

#include "visualizers/open_session.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QComboBox>
#include <QDataStream>
#include <QLabel>
#include <QLineEdit>
#include <QToolBar>
#include <QVBoxLayout>

#include <utility>

namespace et::studio {

using visualizers::Timeline;
using visualizers::toQString;

namespace {

QString nameOf(const std::filesystem::path& path) {
    return toQString(path.filename().string());
}

}  // namespace

TimelineRoom::TimelineRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
      opened(context.opened),
      building(this),
      buildingOther(this),
      search(new QLineEdit(this)),
      matches(new QLabel(this)),
      others(new QComboBox(this)),
      widget(new visualizers::TimelineWidget(context.selection, this)),
      measurement(new QLabel(this)) {
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    createTools();
    layout->addWidget(widget, 1);
    layout->addWidget(measurement);
    measurement->setObjectName(QStringLiteral("measurement"));
    measurement->setTextFormat(Qt::PlainText);
    measurement->setMargin(4);
    measurement->setWordWrap(true);
    measurement->setTextInteractionFlags(Qt::TextSelectableByMouse);
    addActions(widget->actions());
    setFocusProxy(widget);
    connect(widget, &visualizers::TimelineWidget::measured, this, [this](const QString& text) {
        measurement->setText(text.isEmpty() ? tr("Shift-drag measures · W/S zoom · A/D or drag pan · "
                                                 "Space fits all · F fits the event · ←/→ step")
                                            : text);
    });
    connect(widget, &visualizers::TimelineWidget::viewMoved, this, &Room::viewChanged);
    connect(&opened, &visualizers::OpenSession::changed, this, &TimelineRoom::showSession);
    showSession();
}

void TimelineRoom::createTools() {
    auto* const tools = new QToolBar(this);
    search->setObjectName(QStringLiteral("timelineSearch"));
    search->setClearButtonEnabled(true);
    search->setPlaceholderText(tr("Highlight events by name; Enter jumps to the next"));
    matches->setObjectName(QStringLiteral("timelineMatches"));
    matches->setContentsMargins(8, 0, 8, 0);
    others->setObjectName(QStringLiteral("timelineOthers"));
    others->setToolTip(tr("Show a second trace below, aligned at the same run"));
    tools->addWidget(search);
    tools->addWidget(matches);
    othersAction = tools->addWidget(others);
    layout()->addWidget(tools);
    connect(search, &QLineEdit::textChanged, this, &TimelineRoom::showMatches);
    connect(search, &QLineEdit::returnPressed, widget, &visualizers::TimelineWidget::nextMatch);
    connect(others, &QComboBox::currentIndexChanged, this, &TimelineRoom::showOther);
}

bool TimelineRoom::hasContent() const {
    return opened.blocks() != nullptr;
}

void TimelineRoom::find() {
    search->setFocus(Qt::ShortcutFocusReason);
    search->selectAll();
}

QByteArray TimelineRoom::viewState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << widget->view().from() << widget->view().to();
    return state;
}

void TimelineRoom::restoreView(const QByteArray& state) {
    QDataStream stream(state);
    double from = 0;
    double to = 0;
    stream >> from >> to;
    if (stream.status() == QDataStream::Ok && from < to) {
        widget->showTimes(from, to);
    }
}

void TimelineRoom::showMatches() {
    widget->setSearch(search->text());
    matches->setText(widget->matchText());
}

void TimelineRoom::showSession() {
    const auto& session = opened.session();
    listOthers();
    auto blocks = session ? session->blocks : nullptr;
    if (blocks == shown) {
        showOther();  // another trace came beside it: what is on screen stays
        return;
    }
    keepView();
    shown = blocks;
    widget->setTimeline(nullptr);
    building.forget();
    if (blocks) {
        widget->setName(nameOf(session->files.trace));
        building.start([blocks] { return Timeline::build(blocks); },
                       [this](const Built& built) {
                           widget->setTimeline(built);
                           restoreView(std::exchange(kept, {}));
                           showMatches();
                       });
    }
    showOther();
}

/// A trace that is read again is looked at where it was, as far as it still goes.
void TimelineRoom::keepView() {
    const std::filesystem::path now = opened.blocks() ? opened.session()->files.trace : "";
    if (now.empty() || now != file) {
        kept.clear();
    } else if (!building.running()) {
        kept = widget->view().isWhole() ? QByteArray() : viewState();
    }
    file = now;
}

/// The newest is shown: it is what a person has just opened. What was shown stays where nothing is new.
void TimelineRoom::listOthers() {
    const QSignalBlocker quiet(others);
    const QString before = others->currentText();
    const int known = others->count();
    others->clear();
    others->addItem(tr("No second trace"));
    const auto& session = opened.session();
    for (std::size_t i = 0; session && i < session->others.size(); ++i) {
        others->addItem(tr("Below: %1").arg(nameOf(session->others[i].files.trace)));
    }
    const int place = others->count() == known ? others->findText(before) : -1;
    others->setCurrentIndex(place >= 0 ? place : others->count() - 1);
    othersAction->setVisible(others->count() > 1);
}

void TimelineRoom::showOther() {
    buildingOther.forget();
    const auto place = static_cast<std::size_t>(others->currentIndex());
    const auto& session = opened.session();
    if (!session || place == 0 || place > session->others.size()) {
        widget->setOverlay(nullptr, {});
        return;
    }
    const inspector::OtherTrace& other = session->others[place - 1];
    buildingOther.start(
        [blocks = other.blocks] { return Timeline::build(blocks); },
        [this, name = nameOf(other.files.trace)](const Built& built) { widget->setOverlay(built, name); });
}

}  // namespace et::studio
