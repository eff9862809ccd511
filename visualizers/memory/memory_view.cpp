#include "visualizers/memory/memory_view.h"

#include "inspector/memory/host_cache_text.h"
#include "visualizers/memory/memory_captions.h"
#include "visualizers/memory/memory_selection.h"
#include "visualizers/memory/memory_tables.h"
#include "visualizers/memory/memory_tools.h"
#include "visualizers/memory/tensor_model.h"
#include "visualizers/memory/tensor_pane.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QDataStream>
#include <QLabel>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int pictureShare = 3;  // of the width, against 2 for the tables
constexpr int memoryTableShare = 2;
constexpr int lineMargin = 4;
constexpr quint32 stateVersion = 1;

QLabel* addLine(QWidget* parent, const char* name) {
    auto* const label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setMargin(lineMargin);
    label->setWordWrap(true);
    return label;
}

}  // namespace

MemoryView::MemoryView(const OpenSession& session, Selection& selection, const DebugState& debugger,
                       QWidget* parent)
    : QWidget(parent),
      opened(session),
      chosen(selection),
      tools(new MemoryTools(this)),
      head(addLine(this, "memoryHead")),
      legend(addLine(this, "memoryLegend")),
      widget(new PlanWidget(this)),
      split(new Splitter(this)),
      side(new QTabWidget(this)) {
    auto* const left = new QWidget(split);
    auto* const column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    head->setTextFormat(Qt::PlainText);
    legend->setTextFormat(Qt::RichText);
    column->addWidget(head);
    column->addWidget(widget, 1);
    column->addWidget(legend);
    split->addWidget(left);
    createSide(*split);
    link = new MemorySelection(*widget, *tensorPane, opened, chosen, debugger, this);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(split, 1);
    setFocusProxy(widget);
    connectViews();
    showMethod();
}

void MemoryView::createSide(Splitter& splitter) {
    tensorPane = new TensorPane(side);
    planTable = new ReportTable(side);
    besideTable = new ReportTable(side);
    planTable->setObjectName(QStringLiteral("otherPlans"));
    besideTable->setObjectName(QStringLiteral("besideThePlan"));
    side->setDocumentMode(true);
    side->addTab(tensorPane, QStringLiteral("Tensors"));
    side->addTab(planTable, QStringLiteral("Other plans"));
    side->addTab(besideTable, QStringLiteral("Outside the plan"));
    side->setTabToolTip(1, QStringLiteral("Memory needed by other plans of the same tensors"));
    side->setTabToolTip(2, QStringLiteral("Constants, delegates and memory allocated at run time"));
    splitter.addWidget(side);
    splitter.setStretchFactor(0, pictureShare);
    splitter.setStretchFactor(1, memoryTableShare);
    addActions(widget->actions());
}

void MemoryView::connectViews() {
    connect(tools, &MemoryTools::methodChanged, this, &MemoryView::showMethod);
    connect(tools, &MemoryTools::arenaChanged, this, &MemoryView::showArena);
    connect(tools, &MemoryTools::axisChanged, this, &MemoryView::showAxis);
    connect(tools, &MemoryTools::planChanged, this, &MemoryView::showPlan);
    connect(tools, &MemoryTools::coloursChanged, this, [this] {
        widget->setColours(tools->colourBy());
        showLegend();
    });
    connect(tools, &MemoryTools::filterChanged, this, &MemoryView::applyFilter);
    connect(widget, &PlanWidget::rangeMarked, this, &MemoryView::markRange);
    connect(planTable, &ReportTable::rowChosen, this, [this](std::size_t row) { tools->choosePlan(row); });
    connect(&chosen, &Selection::rangeChanged, this, &MemoryView::showSelectedRange);
    connect(link, &MemorySelection::methodWanted, this, [this](const std::string& method) {
        const auto found = std::ranges::find_if(
            plans.methods, [&](const auto& each) { return each->timeline.method->name == method; });
        if (found != plans.methods.end() && *found != plan()) {
            tools->chooseMethod(static_cast<std::size_t>(found - plans.methods.begin()));
        }
    });
}

std::shared_ptr<const MemoryPlan> MemoryView::plan() const {
    const std::size_t at = tools->method();
    return at < plans.methods.size() ? plans.methods[at] : nullptr;
}

void MemoryView::setPlans(MemoryPlans shown) {
    plans = std::move(shown);
    others.clear();
    tools->setMethods(plans);
    showMethod();
}

void MemoryView::setOtherPlans(std::vector<OtherPlans> computed) {
    others = std::move(computed);
    showOtherPlans();
    tools->choosePlan(std::exchange(wantedPlan, {}));
}

std::optional<MemoryViewState> MemoryView::place() const {
    if (plan() == nullptr) {
        return std::nullopt;
    }
    return MemoryViewState{.method = tools->methodName(),
                           .arena = tools->arenaName(),
                           .plan = tools->plan() > 0 ? tools->planName() : wantedPlan,
                           .window = widget->window()};
}

void MemoryView::showPlace(const MemoryViewState& place) {
    wantedPlan = place.plan;
    if (tools->chooseMethod(place.method) && tools->chooseArena(place.arena)) {
        widget->keepWindow(place.window);
    }
}

void MemoryView::showMethod() {
    const auto shown = plan();
    link->setPlan(shown);
    tools->setArenas(shown.get());
    besideTable->setRows(shown == nullptr ? ReportRows{} : besideRows(*shown));
    besideTable->view().expandAll();
    showOtherPlans();
    showArena();
}

void MemoryView::showArena() {
    showPlan();
    widget->setColours(tools->colourBy());
    tensorPane->setPlan(plan(), tools->arena());
    clock.forget();
    showSelectedRange();
    applyFilter(tools->filter());
    showLegend();
    link->follow();
}

const inspector::AlternativePlan* MemoryView::otherPlan() const {
    const std::size_t method = tools->method();
    const std::size_t choice = tools->plan();  // the first is the program's own plan
    const bool isOther = choice > 0 && method < others.size() && choice <= others[method].plans.size();
    return isOther ? &others[method].plans[choice - 1] : nullptr;
}

void MemoryView::showPlan() {
    const inspector::AlternativePlan* const other = otherPlan();
    widget->setPlan(plan(), tools->arena(), other == nullptr ? std::vector<std::uint64_t>() : other->offsets);
    showHeadline();
}

void MemoryView::showOtherPlans() {
    const std::size_t method = tools->method();
    const OtherPlans known = method < others.size() ? others[method] : OtherPlans{};
    tools->setPlans(known.plans);
    const auto shown = plan();
    planTable->setRows(shown == nullptr || !known.problem.isEmpty() ? ReportRows{}
                                                                    : planRows(shown->timeline, known.plans));
    planTable->setHint(known.problem);
    showPlan();
}

void MemoryView::showAxis() {
    const auto shown = plan();
    widget->setAxis(tools->overTime() && clock
                        ? clock.axis()
                        : inspector::PlanAxis(shown == nullptr ? 0 : shown->timeline.steps.size()));
    showSelectedRange();
}

void MemoryView::showHeadline() {
    const auto shown = plan();
    QStringList lines{shown == nullptr ? QString() : memoryHeadline(*shown, tools->arena())};
    if (const std::string caches = inspector::hostCacheText(plans.caches); !caches.empty()) {
        lines.append(toQString(caches));
    }
    for (const std::string& problem : plans.problems) {
        lines.append(toQString(problem));
    }
    head->setText(lines.join(u'\n'));
}

void MemoryView::showLegend() {
    legend->setText(memoryLegend(widget->colours()));
}

void MemoryView::applyFilter(const QString& text) {
    std::vector<bool> matches;
    if (const auto shown = plan(); shown != nullptr && !text.isEmpty()) {
        for (const inspector::PlannedTensor& each : shown->timeline.tensors) {
            matches.push_back(TensorModel::matches(each, text));
        }
    }
    widget->setMatches(std::move(matches));
    tensorPane->setFilter(text);
}

void MemoryView::showSelectedRange() {
    const inspector::EventBlocks* const blocks = opened.blocks();
    const auto range = chosen.range();
    const auto shown = plan();
    if (shown != nullptr && blocks != nullptr && clock.follow(*shown, *blocks, range)) {
        if (tools->overTime() && clock) {
            widget->setAxis(clock.axis());
        }
    }
    tools->setTimed(static_cast<bool>(clock));
    widget->setRange(range ? clock.rangeOn(*range, widget->window().axis.isTime()) : std::nullopt);
}

void MemoryView::markRange(double from, double to) {
    if (clock) {
        chosen.setRange(clock.ticksOf({.from = from, .to = to}, widget->window().axis.isTime()));
    }
}

QByteArray MemoryView::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    const auto [axis, colour] = tools->looks();
    stream << stateVersion << axis << colour << split->saveState() << tensorPane->saveState();
    return state;
}

void MemoryView::restoreState(const QByteArray& state) {
    QDataStream stream(state);
    quint32 version = 0;
    int axis = 0;
    int colour = 0;
    QByteArray sizes;
    QByteArray table;
    stream >> version >> axis >> colour >> sizes >> table;
    if (stream.status() == QDataStream::Ok && version == stateVersion) {
        tools->setLooks({axis, colour});
        split->restoreState(sizes);
        tensorPane->restoreState(table);
    }
}

}  // namespace et::visualizers
