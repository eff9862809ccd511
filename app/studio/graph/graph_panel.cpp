#include "app/studio/graph/graph_panel.h"

#include "app/studio/breakpoint_command.h"
#include "app/studio/extract_command.h"
#include "app/studio/graph/graph_debug_marks.h"
#include "app/studio/graph/graph_export.h"
#include "app/studio/graph/graph_finder.h"
#include "app/studio/graph/graph_fit.h"
#include "app/studio/graph/graph_selection_link.h"
#include "app/studio/graph/graph_tracing.h"
#include "app/studio/graph/overlay_box.h"
#include "app/studio/graph/saved_graph_view.h"
#include "app/studio/panel_command.h"
#include "app/studio/start_command.h"
#include "inspector/graph/box_info.h"
#include "inspector/graph/repeat_statistics.h"
#include "inspector/session/same_model.h"
#include "visualizers/debug_state.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/graph/graph_details_pane.h"
#include "visualizers/graph/graph_find_bar.h"
#include "visualizers/graph/graph_legend.h"
#include "visualizers/graph/graph_trail.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace et::studio {

using core::GraphGroupId;
using core::GraphNodeId;
using inspector::DiagramBox;
using inspector::GraphChoice;
using visualizers::GraphCanvas;
using visualizers::toQString;

namespace {

constexpr quint32 stateVersion = 1;
constexpr int canvasWidth = 900;
constexpr QSize leastCanvas(160, 140);
constexpr int detailsWidth = 320;  // fixed when the window grows
constexpr int mostOfDetails = 40;  // percent of the panel

}  // namespace

GraphPanel::GraphPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      results(context.results),
      loader(new GraphLoader(this)),
      graphBox(new QComboBox(this)),
      overlayBox(new OverlayBox(this)),
      search(new visualizers::GraphFindBar(this)),
      trail(new visualizers::GraphTrail(this)),
      status(new QLabel(this)),
      cancelButton(new QToolButton(this)),
      splitter(new visualizers::Splitter(this)),
      view(new GraphCanvas(splitter)),
      info(new visualizers::GraphDetailsPane(splitter)),
      legend(new visualizers::GraphLegend(this)) {
    auto* const tools = new QToolBar(this);
    createTools(*tools);
    finder = new GraphFinder(*search, *view, this);
    link = new GraphSelectionLink(*view, context, this);
    debugMarks = new GraphDebugMarks(*view, context, this);
    saving = new GraphExport(*view, context.settings, [this] { return explorerContent(); }, this);
    createActions();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    createBody();
    connectViews();
    QAction* const breakpoint = addBreakpointToggle(*view, context);
    connect(view, &GraphCanvas::nodeDoubleClicked, breakpoint, [breakpoint, &debugger = context.debugger] {
        if (debugger.running()) {
            breakpoint->trigger();
        }
    });
    addActions(view->actions());
    connect(view, &QWidget::customContextMenuRequested, view, [this](const QPoint& at) { view->click(at); });
    offerOnRightClick(*view, {breakpoint, addExtract(*this, context),
                              addWayTo("lab", QStringLiteral("Sho&w Effect of Int8"), *this, context)});
    setFocusProxy(view);
    showSession();
}

void GraphPanel::createTools(QToolBar& tools) {
    graphBox->setObjectName(QStringLiteral("graphChoice"));
    graphBox->setToolTip(QStringLiteral("Graph"));
    graphBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    tools.addWidget(graphBox);
    tools.addSeparator();
    tools.addWidget(new QLabel(QStringLiteral(" Colours "), &tools));
    tools.addWidget(overlayBox);
    QAction* const openAll =
        add(QStringLiteral("Open All &Groups"), QKeySequence(Qt::CTRL | Qt::Key_BracketRight), [this] {
            groups.openAll();
            showGroups();
        });
    QAction* const foldAll =
        add(QStringLiteral("Fo&ld All Groups"), QKeySequence(Qt::CTRL | Qt::Key_BracketLeft), [this] {
            groups.foldAll();
            showGroups();
        });
    QAction* const direction =
        add(QStringLiteral("Left to &Right"), QKeySequence(Qt::CTRL | Qt::Key_K), [this] {
            fit->setTurnedByUser(true);
            showGroups();
        });
    direction->setCheckable(true);
    fit = new GraphFit(*view, *direction, *this, this);
    everything =
        add(QStringLiteral("All &Nodes"), QKeySequence(Qt::CTRL | Qt::Key_H), [this] { chooseGraph(); });
    everything->setCheckable(true);
    everything->setToolTip(QStringLiteral("Show scalars, views and checks too, and each repeated module"));
    tools.addWidget(search);
    tracing = new GraphTracing(*view, tools, this);
    addMore(tools, {openAll, foldAll, direction, everything});
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

void GraphPanel::createActions() {
    add(QStringLiteral("Next &Match"), Qt::Key_F3, [this] { finder->next(); });
    add(QStringLiteral("Pre&vious Match"), QKeySequence(Qt::SHIFT | Qt::Key_F3),
        [this] { finder->previous(); });
    add(QStringLiteral("&Copy Details as Text"), QKeySequence::Copy, [this] {
        if (!info->plainText().isEmpty()) {
            QApplication::clipboard()->setText(info->plainText());
        }
    });
}

void GraphPanel::connectViews() {
    connect(&opened, &visualizers::OpenSession::changed, this, &GraphPanel::showSession);
    connect(&results, &visualizers::Results::shownGapChanged, this, &GraphPanel::showColours);
    connect(&results, &visualizers::Results::siteErrorsChanged, this, [this] {
        if (results.siteErrors()) {
            overlayBox->choose(inspector::Overlay::Sensitivity);
        }
        showColours();
    });
    connect(graphBox, &QComboBox::activated, this, &GraphPanel::chooseGraph);
    connect(overlayBox, &QComboBox::currentIndexChanged, this, &GraphPanel::showColours);
    connect(view, &GraphCanvas::chosen, this, &GraphPanel::takeChoice);
    connect(link, &GraphSelectionLink::boxShown, this, &GraphPanel::showChoice);
    connect(view, &GraphCanvas::viewMoved, this, &Panel::viewChanged);
    connect(fit, &GraphFit::layoutWanted, this, &GraphPanel::refit);
    connect(view, &GraphCanvas::openRequested, this, [this](GraphGroupId group) {
        groups.openGroup(group);
        showGroups();
    });
    connect(view, &GraphCanvas::foldRequested, this, [this](GraphGroupId group) {
        groups.fold(group);
        showGroups();
    });
    connect(trail, &visualizers::GraphTrail::groupRequested, this, [this](GraphGroupId group) {
        view->showGroup(group);
        takeChoice();
    });
    connect(trail, &visualizers::GraphTrail::graphRequested, view, &GraphCanvas::fitAll);
    connect(loader, &GraphLoader::graphRead, this, &GraphPanel::takeGraph);
    connect(loader, &GraphLoader::sceneMade, this, &GraphPanel::takeScene);
    connect(finder, &GraphFinder::nodeWanted, this, &GraphPanel::showNode);
    connect(saving, &GraphExport::noticed, this, &GraphPanel::noticed);
    connect(cancelButton, &QToolButton::clicked, this, &GraphPanel::cancel);
}

bool GraphPanel::hasContent() const {
    return !choices.empty();
}

bool GraphPanel::busy() const {
    return pending || loader->busy() || finder->busy() || fit->isWaiting();
}

void GraphPanel::find() {
    search->focusText();
}

const GraphChoice* GraphPanel::choice() const {
    const int place = graphBox->currentIndex();
    return place < 0 ? nullptr : &choices[static_cast<std::size_t>(place)];
}

void GraphPanel::showSession() {
    saveViewState();
    loader->setSession(opened.session());
    const QString before = graphBox->currentText();
    choices = opened.session() ? inspector::graphChoices(*opened.session()) : std::vector<GraphChoice>();
    graphBox->clear();
    for (const GraphChoice& each : choices) {
        graphBox->addItem(toQString(each.title));
    }
    const int place = graphBox->findText(before);
    graphBox->setCurrentIndex(std::max(place, choices.empty() ? -1 : 0));
    auto again = place < 0 ? std::nullopt : std::exchange(kept, std::nullopt);
    chooseGraph();
    kept = std::move(again);
}

// Keeps the view when the graph's files are reloaded.
void GraphPanel::saveViewState() {
    const inspector::SessionFiles now =
        opened.session() ? opened.session()->files : inspector::SessionFiles();
    if (!opened.session() || !inspector::haveSameModel(now, files)) {
        kept.reset();
    } else if (view->scene()) {
        kept = view->place();
    }
    files = now;
}

void GraphPanel::chooseGraph() {
    loader->cancel();
    setStatus({}, false);
    graph = nullptr;
    first = true;
    wanted.reset();
    kept.reset();
    pending = choice() != nullptr;
    view->setScene(nullptr, {});
    view->setHint(QStringLiteral("Open a program (.pte, .bpte) or an ETRecord to see its graph."));
    info->showHint(QStringLiteral("Click a box for details."));
    tracing->forget();
    finder->setGraph(nullptr);
    legend->clear();
    trail->clear();
    update();
}

// Reading starts when the panel is first painted.
void GraphPanel::paintEvent(QPaintEvent*) {
    const GraphChoice* const wish = choice();
    if (std::exchange(pending, false) && wish != nullptr) {
        setStatus(QStringLiteral("Reading the graph…"), true);
        view->setHint({});
        loader->read(*wish, everything->isChecked());
    }
}

void GraphPanel::takeGraph(const GraphReading& reading) {
    setStatus({}, false);
    if (!reading.graph || reading.graph->nodes().empty()) {
        view->setHint(reading.graph
                          ? QStringLiteral("This graph has no nodes.")
                          : QStringLiteral("Cannot show the graph: %1").arg(toQString(reading.error)));
        return;
    }
    graph = reading.graph;
    times = reading.times;
    link->setGraph(graph, *choice());
    debugMarks->setGraph(graph, *choice());
    hiddenNodes = reading.hidden;
    fit->adaptDirection();
    finder->setGraph(graph);
    layOut(kept ? visualizers::reopenGroups(*graph, kept->open) : inspector::DiagramOptions{});
}

void GraphPanel::layOut(const inspector::DiagramOptions& options) {
    setStatus(QStringLiteral("Laying out %1 nodes…").arg(graph->nodes().size()), true);
    loader->layOut(graph, options, fit->isLeftToRight(), fit->takePane());
}

/// Another perspective resizes the pane of the graph.
void GraphPanel::arrangedFor(const Perspective&) {
    fit->restart();
}

void GraphPanel::setInspectorOpen(bool open) {
    info->setVisible(!open);
}

void GraphPanel::refit() {
    if (busy()) {
        fit->restart();
        return;
    }
    showGroups();
}

void GraphPanel::takeScene(const SceneOutcome& outcome) {
    QString said = toQString(outcome.notice);
    if (said.isEmpty() && hiddenNodes > 0) {
        said = visualizers::counted(hiddenNodes, QStringLiteral("1 view, scalar or check is hidden"),
                                    QStringLiteral("%1 views, scalars and checks are hidden"));
    }
    setStatus(said, false);
    if (!outcome.scene) {
        return;
    }
    if (std::exchange(first, false)) {
        groups = visualizers::OpenGroups(graph, outcome.scene->diagram());
    }
    view->setScene(outcome.scene, colours(*outcome.scene));
    legend->show(view->colours());
    if (const auto place = std::exchange(kept, std::nullopt)) {
        view->showPlace(*place);
    }
    link->showNotes();
    link->follow();
    debugMarks->show();
    if (const auto node = std::exchange(wanted, std::nullopt)) {
        view->chooseBox(outcome.scene->boxOf(*node));
    }
    showChoice();
}

void GraphPanel::cancel() {
    loader->cancel();
    setStatus({}, false);
    if (view->scene()) {
        groups = visualizers::OpenGroups(graph, view->scene()->diagram());
    } else {
        view->setHint(QStringLiteral("Layout cancelled. Choose the graph again to restart."));
    }
}

void GraphPanel::setStatus(const QString& text, bool cancellable) {
    status->setText(text);
    status->setVisible(!text.isEmpty());
    cancelButton->setVisible(cancellable);
}

ExplorerContent GraphPanel::explorerContent() const {
    const inspector::GapReport* const gap = results.gap().get();
    const bool isOfMethod = gap != nullptr && choice() != nullptr && gap->method == choice()->method;
    return makeExplorerContent(files, static_cast<inspector::Overlay>(overlayBox->currentData().toInt()),
                               times, *graph, isOfMethod ? gap : nullptr);
}

inspector::BoxColours GraphPanel::colours(const visualizers::GraphScene& scene) const {
    const GraphChoice* const what = choice();
    return overlayBox->coloursOf(scene, times, results, what == nullptr ? std::string_view() : what->method);
}

void GraphPanel::showColours() {
    if (view->scene()) {
        view->setColours(colours(*view->scene()));
        legend->show(view->colours());
    }
}

// Called when the user selects something on the canvas.
void GraphPanel::takeChoice() {
    showChoice();
    tracing->follow();
    link->select();
}

void GraphPanel::showChoice() {
    if (!view->scene()) {
        return;
    }
    const std::optional<DiagramBox> part = view->marked().part();
    if (!part) {
        info->showHint(QStringLiteral("Click a box for details."));
        trail->show(*graph, std::nullopt, {});
        return;
    }
    inspector::BoxInfo known =
        inspector::infoOf(*graph, *part, opened.session()->record.get(), choice()->method);
    if (part->kind == DiagramBox::Kind::Group) {
        auto repeats = inspector::repeatSections(*graph, GraphGroupId(part->id), times);
        std::ranges::move(repeats, std::inserter(known.sections, known.sections.begin()));
    }
    info->show(known);
    trail->show(*graph, inspector::groupAround(*graph, *part), toQString(known.title));
}

void GraphPanel::showNode(GraphNodeId node) {
    if (!view->scene()) {
        return;
    }
    if (groups.openTo(node)) {
        wanted = node;
        layOut(groups.options());
    } else {
        view->chooseBox(view->scene()->boxOf(node));
    }
}

void GraphPanel::showGroups() {
    if (view->scene()) {
        layOut(groups.options());
    }
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

QByteArray GraphPanel::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << stateVersion << splitter->saveState() << overlayBox->currentIndex()
        << (fit->isLeftToRight() && fit->isTurnedByUser());
    return state;
}

void GraphPanel::restoreState(const QByteArray& state) {
    QDataStream in(state);
    quint32 version = 0;
    QByteArray sizes;
    int overlay = 0;
    bool turned = false;
    in >> version >> sizes >> overlay >> turned;
    if (in.status() == QDataStream::Ok && version == stateVersion) {
        splitter->restoreState(sizes);
        overlayBox->setCurrentIndex(std::clamp(overlay, 0, overlayBox->count() - 1));
        fit->setDirection(turned);
    }
}

QByteArray GraphPanel::viewState() const {
    auto place = view->scene() ? view->place() : std::nullopt;
    return place ? SavedGraphView{.graph = graphBox->currentText(), .place = *std::move(place)}.toBytes()
                 : QByteArray();
}

void GraphPanel::restoreView(const QByteArray& state) {
    auto read = SavedGraphView::fromBytes(state);
    const int which = read ? graphBox->findText(read->graph) : -1;
    if (which < 0) {
        return;
    }
    visualizers::GraphViewState& place = read->place;
    if (which != graphBox->currentIndex()) {
        graphBox->setCurrentIndex(which);
        chooseGraph();
    }
    const auto now = view->scene() ? view->place() : std::nullopt;
    if (now && now->open == place.open) {
        place.chosen = now->chosen;
        view->showPlace(place);
        return;
    }
    kept = std::move(place);
    if (now) {
        first = true;  // the set of open groups differs
        layOut(visualizers::reopenGroups(*graph, kept->open));
    }
}

}  // namespace et::studio
