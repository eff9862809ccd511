// Tools of the graph panel, and the layout of its views.
#include "app/studio/graph/graph_finder.h"
#include "app/studio/graph/graph_panel.h"
#include "app/studio/graph/noted_nodes.h"
#include "app/studio/graph/overlay_box.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/graph/graph_legend.h"
#include "visualizers/graph/graph_trail.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/open_session.h"
#include "visualizers/toolkit/splitter.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace et::studio {

namespace {

constexpr int canvasWidth = 900;
constexpr QSize leastCanvas(160, 140);
constexpr int detailsWidth = 320;  // fixed when the window grows
constexpr int mostOfDetails = 40;  // percent of the panel
/// Aspect ratio above which a canvas is filled from left to right, unless the user has chosen the direction.
constexpr double widePart = 1.6;
constexpr double paneEdge = 18;  // margin in pixels around fitted content
/// Long enough for splitters and docks to reach their final sizes.
constexpr auto fillingTime = std::chrono::milliseconds(120);

/// True if the size changed too little for another layout.
bool isMuchTheSame(const QSize& now, const QSize& before) {
    constexpr int part = 10;  // tolerance of one tenth
    return std::abs(now.width() - before.width()) * part <= before.width() &&
           std::abs(now.height() - before.height()) * part <= before.height();
}

}  // namespace

void GraphPanel::createTools(QToolBar& tools) {
    filling.setSingleShot(true);
    filling.setInterval(fillingTime);
    graphBox->setObjectName(QStringLiteral("graphChoice"));
    graphBox->setToolTip(QStringLiteral("Graph"));
    graphBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    tools.addWidget(graphBox);
    tools.addSeparator();
    tools.addWidget(new QLabel(QStringLiteral(" Colours "), &tools));
    tools.addWidget(overlayBox);
    tools.addSeparator();
    tools.addAction(
        add(QStringLiteral("Open All &Groups"), QKeySequence(Qt::CTRL | Qt::Key_BracketRight), [this] {
            groups.openAll();
            showGroups();
        }));
    tools.addAction(
        add(QStringLiteral("Fo&ld All Groups"), QKeySequence(Qt::CTRL | Qt::Key_BracketLeft), [this] {
            groups.foldAll();
            showGroups();
        }));
    direction = add(QStringLiteral("Left to &Right"), QKeySequence(Qt::CTRL | Qt::Key_K), [this] {
        turnedByHand = true;
        showGroups();
    });
    direction->setCheckable(true);
    tools.addAction(direction);
    everything =
        add(QStringLiteral("All &Nodes"), QKeySequence(Qt::CTRL | Qt::Key_H), [this] { chooseGraph(); });
    everything->setCheckable(true);
    everything->setToolTip(QStringLiteral("Show scalars, views and checks too, and each repeated module"));
    tools.addAction(everything);
}

void GraphPanel::createBody() {
    auto* const line = new QHBoxLayout;
    line->setContentsMargins(0, 0, 4, 0);
    line->addWidget(trail, 1);
    line->addWidget(status, 1);
    line->addWidget(cancelButton);
    status->setObjectName(QStringLiteral("graphStatus"));
    status->setTextFormat(Qt::PlainText);
    status->setWordWrap(true);
    status->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    cancelButton->setText(QStringLiteral("Cancel"));
    cancelButton->hide();
    view->setMinimumSize(leastCanvas);  // in a lower pane the panel scrolls
    splitter->setSizes({canvasWidth, detailsWidth});
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    auto* const body = static_cast<QVBoxLayout*>(layout());
    body->addLayout(line);
    body->addWidget(splitter, 1);
    body->addWidget(legend);
}

QAction* GraphPanel::add(const QString& text, const QKeySequence& key, const std::function<void()>& slot) {
    auto* const action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, slot);
    view->addAction(action);
    return action;
}

bool GraphPanel::isWide() const {
    return view->width() > widePart * view->height();
}

/// The size for which a graph is laid out. The width is the canvas's; its height would change with each line
/// of the status text, and layouts add such a line.
QSize GraphPanel::paneSize() const {
    return {view->width(), height()};
}

void GraphPanel::layOut(const inspector::DiagramOptions& options) {
    setStatus(QStringLiteral("Laying out %1 nodes…").arg(graph->nodes().size()), true);
    laidOutFor = paneSize();
    loader->layOut(graph, options, direction->isChecked(),
                   {.width = view->width() - 2 * paneEdge, .height = view->height() - 2 * paneEdge});
}

/// Another perspective resizes the pane of the graph.
void GraphPanel::arrangedFor(const Perspective&) {
    filling.start();
}

/// Lays the graph out again for a resized pane, with another direction or other rows, unless the user has
/// moved the view.
void GraphPanel::fillPane() {
    if (!isVisible() || !view->scene() || view->wasMoved() || isMuchTheSame(paneSize(), laidOutFor)) {
        return;
    }
    if (busy()) {
        filling.start();
        return;
    }
    if (!turnedByHand) {
        direction->setChecked(isWide());
    }
    showGroups();
}

/// In a narrow pane, the graph has priority over the details, which return to their full width in a wide one.
void GraphPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    const int most = width() * mostOfDetails / 100;
    if (squeezed || splitter->sizes().last() > most) {
        const int details = std::min(detailsWidth, most);
        squeezed = details < detailsWidth;
        splitter->setSizes({width() - details, details});
    }
}

void GraphPanel::showNotes() {
    if (view->scene() && choice() != nullptr) {
        view->setNotes(notedNodes(notes.notes(), *graph, *choice(), opened.blocks(), hovering));
    }
}

void GraphPanel::createActions() {
    add(QStringLiteral("Next &Match"), Qt::Key_F3, [this] { finder->next(); });
    add(QStringLiteral("Pre&vious Match"), QKeySequence(Qt::SHIFT | Qt::Key_F3),
        [this] { finder->previous(); });
    add(QStringLiteral("&Copy Details as Text"), QKeySequence::Copy, [this] { copyDetails(); });
}

}  // namespace et::studio
