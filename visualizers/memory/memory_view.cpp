#include "visualizers/memory/memory_view.h"

#include "inspector/memory/memory_text.h"
#include "visualizers/memory/memory_tables.h"
#include "visualizers/memory/tensor_model.h"
#include "visualizers/memory/tensor_pane.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QComboBox>
#include <QDataStream>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::visualizers {

using inspector::Step;

namespace {

constexpr int pictureShare = 3;  // of the width, to 2 of the tables
constexpr int tableShare = 2;
constexpr int margin = 4;
constexpr quint32 stateVersion = 1;
enum Axis : int { Instructions, Time };

QComboBox* addChoice(QToolBar& tools, const char* name, const QString& tip) {
    auto* const box = new QComboBox(&tools);
    box->setObjectName(QLatin1String(name));
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    tools.addWidget(box);
    return box;
}

QLabel* addLine(QWidget* parent, const char* name) {
    auto* const label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setMargin(margin);
    label->setWordWrap(true);
    return label;
}

}  // namespace

MemoryView::MemoryView(const OpenSession& session, Selection& selection, QWidget* parent)
    : QWidget(parent),
      opened(session),
      chosen(selection),
      tools(new QToolBar(this)),
      head(addLine(this, "memoryHead")),
      legend(addLine(this, "memoryLegend")),
      widget(new PlanWidget(this)),
      split(new QSplitter(this)),
      side(new QTabWidget(this)) {
    createTools();
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
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(split, 1);
    setFocusProxy(widget);
    connectViews();
    showMethod();
}

void MemoryView::createTools() {
    methods = addChoice(*tools, "memoryMethod", tr("The method"));
    arenas = addChoice(*tools, "memoryArena", tr("The arena: memory that is planned by itself"));
    axes = addChoice(*tools, "memoryAxis", tr("What the horizontal axis is"));
    axes->addItems({tr("Over instructions"), tr("Over time")});
    colours = addChoice(*tools, "memoryColours", tr("What the colours say"));
    colours->addItems({tr("Coloured by kind"), tr("Coloured by type"), tr("Coloured by operator"),
                       tr("Coloured by lifetime")});
    planChoice =
        addChoice(*tools, "memoryPlan", tr("Where the tensors lie: as in the program, or planned anew"));
    filter = new QLineEdit(tools);
    filter->setObjectName(QStringLiteral("memoryFilter"));
    filter->setClearButtonEnabled(true);
    filter->setPlaceholderText(tr("Find tensors by operator, kind, type or value"));
    tools->addWidget(filter);
}

void MemoryView::createSide(QSplitter& splitter) {
    tensorPane = new TensorPane(side);
    planTable = new ReportTable(side);
    besideTable = new ReportTable(side);
    planTable->setObjectName(QStringLiteral("otherPlans"));
    besideTable->setObjectName(QStringLiteral("besideThePlan"));
    side->setDocumentMode(true);
    side->addTab(tensorPane, tr("Tensors"));
    side->addTab(planTable, tr("Other plans"));
    side->addTab(besideTable, tr("Beside the plan"));
    side->setTabToolTip(1, tr("What other plans of the same tensors would take"));
    side->setTabToolTip(2, tr("Constants, delegates, and what running takes"));
    splitter.addWidget(side);
    splitter.setStretchFactor(0, pictureShare);
    splitter.setStretchFactor(1, tableShare);
    addActions(widget->actions());
}

void MemoryView::connectViews() {
    connect(methods, &QComboBox::currentIndexChanged, this, &MemoryView::showMethod);
    connect(arenas, &QComboBox::currentIndexChanged, this, &MemoryView::showArena);
    connect(axes, &QComboBox::currentIndexChanged, this, &MemoryView::showAxis);
    connect(planChoice, &QComboBox::currentIndexChanged, this, &MemoryView::showPlan);
    connect(colours, &QComboBox::currentIndexChanged, this, [this](int by) {
        widget->setColours(static_cast<ColourBy>(by));
        showLegend();
    });
    connect(filter, &QLineEdit::textChanged, this, &MemoryView::applyFilter);
    connect(widget, &PlanWidget::tensorChosen, this, &MemoryView::chooseTensor);
    connect(widget, &PlanWidget::stepChosen, this, &MemoryView::chooseStep);
    connect(widget, &PlanWidget::rangeMarked, this, &MemoryView::markRange);
    connect(tensorPane, &TensorPane::tensorChosen, this, &MemoryView::chooseTensor);
    connect(planTable, &ReportTable::rowChosen, this, [this](std::size_t row) {
        if (static_cast<int>(row) < planChoice->count()) {
            planChoice->setCurrentIndex(static_cast<int>(row));
        }
    });
    connect(&chosen, &Selection::currentChanged, this, &MemoryView::showSelection);
    connect(&chosen, &Selection::rangeChanged, this, &MemoryView::showSelectedRange);
}

std::shared_ptr<const MemoryPlan> MemoryView::sharedPlan() const {
    const auto at = static_cast<std::size_t>(std::max(methods->currentIndex(), 0));
    return at < plans.methods.size() ? plans.methods[at] : nullptr;
}

const MemoryPlan* MemoryView::plan() const {
    return sharedPlan().get();
}

std::size_t MemoryView::arenaAt() const {
    return static_cast<std::size_t>(std::max(arenas->currentIndex(), 0));
}

void MemoryView::setPlans(MemoryPlans shown) {
    plans = std::move(shown);
    others.clear();
    {
        const QSignalBlocker quiet(methods);
        const QString before = methods->currentText();
        methods->clear();
        for (const auto& each : plans.methods) {
            methods->addItem(toQString(each->timeline.method->name));
        }
        methods->setCurrentIndex(std::max(methods->findText(before), plans.methods.empty() ? -1 : 0));
    }
    tools->actions().front()->setVisible(plans.methods.size() > 1);
    showMethod();
}

void MemoryView::setOtherPlans(std::vector<OtherPlans> computed) {
    others = std::move(computed);
    showOtherPlans();
    planChoice->setCurrentIndex(std::max(planChoice->findText(std::exchange(wantedPlan, {})), 0));
}

std::optional<MemoryPlace> MemoryView::place() const {
    if (plan() == nullptr) {
        return std::nullopt;
    }
    return MemoryPlace{.method = methods->currentText(),
                       .arena = arenas->currentText(),
                       .plan = planChoice->currentIndex() > 0 ? planChoice->currentText() : wantedPlan,
                       .window = widget->window()};
}

void MemoryView::showPlace(const MemoryPlace& place) {
    wantedPlan = place.plan;
    const int method = methods->findText(place.method);
    if (method < 0) {
        return;
    }
    methods->setCurrentIndex(method);
    const int arena = arenas->findText(place.arena);
    if (arena >= 0) {
        arenas->setCurrentIndex(arena);
        widget->keepWindow(place.window);
    }
}

void MemoryView::showMethod() {
    {
        const QSignalBlocker quiet(arenas);
        arenas->clear();
        const MemoryPlan* const shown = plan();
        for (std::size_t i = 0; shown != nullptr && i < shown->timeline.arenas.size(); ++i) {
            arenas->addItem(tr("Arena %1").arg(shown->timeline.arenas[i].arena.value));
        }
        besideTable->setRows(shown == nullptr ? ReportRows{} : besideRows(*shown));
    }
    tools->actions().at(1)->setVisible(arenas->count() > 1);
    besideTable->view().expandAll();
    showOtherPlans();
    showArena();
}

void MemoryView::showArena() {
    widget->setPlan(sharedPlan(), arenaAt(), chosenOffsets());
    widget->setColours(static_cast<ColourBy>(colours->currentIndex()));
    tensorPane->setPlan(sharedPlan(), arenaAt());
    times.reset();
    showSelectedRange();
    applyFilter(filter->text());
    showHeadline();
    showLegend();
    showSelection();
}

std::vector<std::uint64_t> MemoryView::chosenOffsets() const {
    const auto method = static_cast<std::size_t>(std::max(methods->currentIndex(), 0));
    const int choice = planChoice->currentIndex() - 1;  // the first is the program's own
    if (choice < 0 || method >= others.size() ||
        static_cast<std::size_t>(choice) >= others[method].plans.size()) {
        return {};
    }
    return others[method].plans[static_cast<std::size_t>(choice)].offsets;
}

void MemoryView::showPlan() {
    widget->setPlan(sharedPlan(), arenaAt(), chosenOffsets());
    showHeadline();
}

void MemoryView::showOtherPlans() {
    const auto method = static_cast<std::size_t>(std::max(methods->currentIndex(), 0));
    const OtherPlans known = method < others.size() ? others[method] : OtherPlans{};
    {
        const QSignalBlocker quiet(planChoice);
        planChoice->clear();
        planChoice->addItem(tr("As planned"));
        for (const inspector::WhatIf& each : known.plans) {
            planChoice->addItem(tr("Planned %1, aligned to %2")
                                    .arg(toQString(inspector::strategyName(each.strategy)))
                                    .arg(each.alignment));
        }
    }
    const MemoryPlan* const shown = plan();
    planTable->setRows(shown == nullptr || !known.problem.isEmpty() ? ReportRows{}
                                                                    : planRows(shown->timeline, known.plans));
    planTable->setHint(known.problem);
    showPlan();
}

void MemoryView::showAxis() {
    const bool time = axes->currentIndex() == Time && times;
    const MemoryPlan* const shown = plan();
    widget->setAxis(time ? clock : PlanAxis(shown == nullptr ? 0 : shown->timeline.steps.size()));
    showSelectedRange();
}

QString MemoryView::headline() const {
    const MemoryPlan* const shown = plan();
    if (shown == nullptr) {
        return {};
    }
    const inspector::MemoryTimeline& timeline = shown->timeline;
    const QString method = toQString(timeline.method->name);
    if (timeline.arenas.empty()) {
        return tr("%1 plans no memory").arg(method);
    }
    const inspector::ArenaTimeline& arena = timeline.arenas[std::min(arenaAt(), timeline.arenas.size() - 1)];
    QString text =
        tr("%1, arena %2: %3").arg(method).arg(arena.arena.value).arg(toQString(describe(arena, timeline)));
    if (!timeline.overlaps.empty()) {
        text +=
            tr(". The plan destroys data: %1").arg(toQString(describe(timeline.overlaps.front(), timeline)));
        text +=
            timeline.overlaps.size() == 1 ? QString() : tr(", and %1 more").arg(timeline.overlaps.size() - 1);
    }
    return text;
}

void MemoryView::showHeadline() {
    QStringList lines{headline()};
    for (const std::string& problem : plans.problems) {
        lines.append(toQString(problem));
    }
    head->setText(lines.join(u'\n'));
}

void MemoryView::showLegend() {
    QStringList parts;
    for (const LegendEntry& entry : widget->colours().legend) {
        parts.append(QStringLiteral("<span style=\"color:%1\">■</span>&nbsp;%2")
                         .arg(entry.colour.name(), entry.text.toHtmlEscaped().replace(
                                                       QStringLiteral(" "), QStringLiteral("&nbsp;"))));
    }
    legend->setText(parts.join(QStringLiteral(" &nbsp; ")) +
                    tr(" &nbsp; · &nbsp; W S zoom, with Shift the offsets · A D pan · P peak · F fits the "
                       "chosen tensor · Space all · Shift-drag marks a range"));
}

void MemoryView::applyFilter(const QString& text) {
    std::vector<bool> matches;
    if (const MemoryPlan* const shown = plan(); shown != nullptr && !text.isEmpty()) {
        for (const inspector::PlannedTensor& each : shown->timeline.tensors) {
            matches.push_back(TensorModel::matches(each, text));
        }
    }
    widget->setMatches(std::move(matches));
    tensorPane->setFilter(text);
}

void MemoryView::focusFilter() {
    filter->setFocus(Qt::ShortcutFocusReason);
    filter->selectAll();
}

QByteArray MemoryView::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << stateVersion << axes->currentIndex() << colours->currentIndex() << split->saveState()
           << tensorPane->saveState();
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
        axes->setCurrentIndex(axis);
        colours->setCurrentIndex(colour);
        split->restoreState(sizes);
        tensorPane->restoreState(table);
    }
}

}  // namespace et::visualizers
