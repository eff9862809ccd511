#include "app/studio/graph/graph_panel.h"

#include "app/studio/extract_command.h"
#include "app/studio/graph/graph_export.h"
#include "app/studio/graph/graph_finder.h"
#include "app/studio/graph/graph_tracing.h"
#include "app/studio/graph/overlay_box.h"
#include "app/studio/graph/selected_nodes.h"
#include "app/studio/panel_command.h"
#include "inspector/graph/box_info.h"
#include "inspector/graph/repeat_statistics.h"
#include "inspector/session/same_model.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/graph/graph_details_pane.h"
#include "visualizers/graph/graph_find_bar.h"
#include "visualizers/graph/graph_legend.h"
#include "visualizers/graph/graph_trail.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDataStream>
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

}  // namespace

GraphPanel::GraphPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      results(context.results),
      notes(context.notes),
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
    auto* const more = new QToolBar(this);
    more->addWidget(search);
    more->addSeparator();
    tracing = new GraphTracing(*view, *more, this);
    finder = new GraphFinder(*search, *view, this);
    saving = new GraphExport(*view, context.settings, this);
    createActions();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(more);
    createBody();
    connectViews();
    addActions(view->actions());
    offerOnRightClick(*view, {addExtract(*this, context),
                              addWayTo("lab", QStringLiteral("Sho&w Effect of Int8 (Lab)"), *this, context)});
    setFocusProxy(view);
    showSession();
}

void GraphPanel::connectViews() {
    connect(&opened, &visualizers::OpenSession::changed, this, &GraphPanel::showSession);
    connect(&chosen, &visualizers::Selection::currentChanged, this, &GraphPanel::followSelection);
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
    connect(&notes, &visualizers::NoteModel::changed, this, &GraphPanel::showNotes);
    connect(view, &GraphCanvas::pointed, this, &GraphPanel::point);
    connect(view, &GraphCanvas::viewMoved, this, &Panel::viewChanged);
    connect(view, &GraphCanvas::resized, &filling, qOverload<>(&QTimer::start));
    connect(&filling, &QTimer::timeout, this, &GraphPanel::fillPane);
    connect(&chosen, &visualizers::Selection::hoverChanged, this,
            [this] { view->setGlowing(hovering.nodesOf(chosen.hovered())); });
    connect(view, &GraphCanvas::openRequested, this, &GraphPanel::openGroup);
    connect(view, &GraphCanvas::foldRequested, this, &GraphPanel::foldGroup);
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
    return pending || loader->busy() || finder->busy() || filling.isActive();
}

void GraphPanel::find() {
    search->focusText();
}

const GraphChoice* GraphPanel::choice() const {
    const int place = graphBox->currentIndex();
    return place < 0 ? nullptr : &choices[static_cast<std::size_t>(place)];
}

void GraphPanel::showSession() {
    keepPlace();
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
void GraphPanel::keepPlace() {
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
    hovering = HoverLink(*graph, *choice(), opened.blocks());
    hiddenNodes = reading.hidden;
    if (!turnedByHand) {
        direction->setChecked(isWide());
    }
    finder->setGraph(graph);
    layOut(kept ? visualizers::openAgain(*graph, kept->open) : inspector::DiagramOptions{});
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
    showNotes();
    followSelection();
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
    if (view->scene() && view->currentBox()) {
        choosing = true;
        select(chosen, *graph, *choice(), view->scene()->diagram().boxes[*view->currentBox()]);
        choosing = false;
        view->setRelated(selectedNodes(*graph, *choice(), chosen));
    }
}

void GraphPanel::showChoice() {
    if (!view->scene()) {
        return;
    }
    const std::optional<DiagramBox> part = view->chosenPart();
    if (!part) {
        info->showHint(QStringLiteral("Click a box for details."));
        trail->show(*graph, std::nullopt, {});
        return;
    }
    inspector::BoxInfo known =
        inspector::infoOf(*graph, *part, opened.session()->record.get(), choice()->method);
    if (part->kind == DiagramBox::Kind::Group) {
        auto repeats = inspector::repeatSections(*graph, core::GraphGroupId(part->id), times);
        known.sections.insert(known.sections.begin(), std::make_move_iterator(repeats.begin()),
                              std::make_move_iterator(repeats.end()));
    }
    info->show(known);
    trail->show(*graph, inspector::groupAround(*graph, *part), toQString(known.title));
}

/// Highlights the hovered box here and in the other panels.
void GraphPanel::point(std::optional<std::size_t> box) {
    const auto* const over = view->scene() && box ? &view->scene()->diagram().boxes[*box] : nullptr;
    chosen.setHovered(over == nullptr || over->nodes.empty() ? std::nullopt
                                                             : hovering.eventOf(over->nodes.front()));
}

// Called when another panel changes the selection.
void GraphPanel::followSelection() {
    if (choosing || !view->scene()) {
        return;
    }
    const std::vector<bool> nodes = selectedNodes(*graph, *choice(), chosen);
    view->setRelated(nodes);
    const auto node = std::ranges::find(nodes, true);
    if (node == nodes.end()) {
        return;
    }
    const auto current = view->currentBox();
    if (current && view->marks().related[*current]) {
        return;  // already included
    }
    const auto box = view->scene()->boxOf(GraphNodeId(static_cast<std::uint32_t>(node - nodes.begin())));
    if (box) {
        view->showBox(*box);
        showChoice();
    }
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

void GraphPanel::openGroup(GraphGroupId group) {
    groups.openGroup(group);
    showGroups();
}

void GraphPanel::foldGroup(GraphGroupId group) {
    groups.fold(group);
    showGroups();
}

void GraphPanel::showGroups() {
    if (view->scene()) {
        layOut(groups.options());
    }
}

void GraphPanel::copyDetails() {
    if (!info->plainText().isEmpty()) {
        QApplication::clipboard()->setText(info->plainText());
    }
}

QByteArray GraphPanel::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << stateVersion << splitter->saveState() << overlayBox->currentIndex()
        << (direction->isChecked() && turnedByHand);
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
        direction->setChecked(turned);
        turnedByHand = turned;
    }
}

}  // namespace et::studio
