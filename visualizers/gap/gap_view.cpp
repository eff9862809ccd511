#include "visualizers/gap/gap_view.h"

#include "inspector/numeric_gap/gap_sets.h"
#include "visualizers/gap/gap_filter.h"
#include "visualizers/gap/gap_hover.h"
#include "visualizers/gap/gap_model.h"
#include "visualizers/gap/gap_plot.h"
#include "visualizers/gap/gap_quantity.h"
#include "visualizers/gap/gap_table.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/copy_actions.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDataStream>
#include <QHeaderView>
#include <QIODevice>
#include <QLineEdit>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::visualizers {

namespace {

/// Default quantity: the source of errors, if known.
QString usualQuantity(const inspector::GapReport& report) {
    return report.bisected ? QStringLiteral("errors") : QStringLiteral("mse");
}

}  // namespace

GapView::GapView(Selection& selection, Results& computed, QWidget* parent)
    : QWidget(parent),
      chosen(selection),
      results(computed),
      tools(new QToolBar(this)),
      quantities(new QComboBox(this)),
      sets(new QComboBox(this)),
      filter(new QLineEdit(this)),
      splitter(new Splitter(this)),
      graph(new GapPlot(this)),
      list(new GapTable(this)) {
    createTools();
    connect(list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &GapView::takeRow);
    connect(list, &QTreeView::activated, this, &GapView::showInOtherPanels);
    splitter->addWidget(graph);
    splitter->addWidget(list);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({1000, 1000});  // half of the available space each
    splitter->setChildrenCollapsible(false);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(splitter, 1);
    setFocusProxy(list);
    connect(graph, &GapPlot::rowChosen, this, &GapView::setCurrentRow);
    connect(graph, &GapPlot::rowActivated, this, [this](std::size_t row) {
        setCurrentRow(row);
        showInOtherPanels();
    });
    connect(graph, &GapPlot::viewMoved, this, &GapView::viewMoved);
    new GapHover(*graph, *list, chosen, results, this);
    connect(&results, &Results::shownGapChanged, this, &GapView::showReport);
    connect(&chosen, &Selection::currentChanged, this, &GapView::followSelection);
    list->showColumns();
    fillSets();
    showReport();
}

void GapView::createTools() {
    quantities->setObjectName(QStringLiteral("gapQuantity"));
    quantities->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    tools->addWidget(quantities);
    connect(quantities, &QComboBox::activated, this, [this] {
        wantedQuantity = quantities->currentData().toString();
        showQuantity();
    });
    createSets();
    divergingOnly =
        keyedToggle(*this, QStringLiteral("Di&verging Only"), Qt::Key_V, false, [this](bool only) {
            list->filter().setDivergingOnly(only);
            showKept();
        });
    setTip(*divergingOnly, QStringLiteral("Show only operators whose own error exceeds rounding"));
    tools->addAction(divergingOnly);
    filter->setObjectName(QStringLiteral("gapFilter"));
    filter->setClearButtonEnabled(true);
    filter->setPlaceholderText(QStringLiteral("Filter by operator, handle, module or line"));
    tools->addWidget(filter);
    connect(filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        list->filter().setFilterFixedString(text);
        showKept();
    });
    keyedAction(*this, QStringLiteral("&Show in Other Panels"), Qt::Key_G, [this] { showInOtherPanels(); });
    addCopyActions(*this, [this](inspector::format::Format format) { return list->selectedText(format); });
    keyedAction(*this, QStringLiteral("Copy Plot as &Picture"), {},
                [this] { QApplication::clipboard()->setPixmap(graph->grab()); });
}

void GapView::createSets() {
    sets->setObjectName(QStringLiteral("gapSet"));
    sets->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    sets->setToolTip(QStringLiteral(
        "Input set; \"worst of all inputs\" shows each operator with the set that has its largest error"));
    setsAction = tools->addWidget(sets);
    nextSetAction = keyedAction(*this, QStringLiteral("Next Set of &Inputs"), Qt::Key_I, [this] {
        const int next = (sets->currentIndex() + 1) % sets->count();
        sets->setCurrentIndex(next);
        emit sets->activated(next);
    });
    connect(sets, &QComboBox::activated, this, [this](int place) {
        results.setGapSet(place + 1 < sets->count() ? std::optional(static_cast<std::size_t>(place))
                                                    : std::nullopt);
    });
}

void GapView::fillSets() {
    const auto names =
        results.wholeGap() ? inspector::setsOf(*results.wholeGap()) : std::vector<std::string>();
    sets->clear();
    for (const std::string& each : names) {
        sets->addItem(QStringLiteral("inputs: %1").arg(toQString(each)));
    }
    sets->addItem(QStringLiteral("worst of all inputs"));
    sets->setCurrentIndex(results.gapSet() ? static_cast<int>(*results.gapSet()) : sets->count() - 1);
    setsAction->setVisible(names.size() > 1);
    nextSetAction->setEnabled(names.size() > 1);
}

void GapView::showReport() {
    list->rows().setPale(results.gapIsStale());
    graph->setPale(results.gapIsStale());
    if (results.gap().get() == list->rows().report()) {
        return;
    }
    const auto before = currentRow();
    const bool another = std::exchange(whole, results.wholeGap()) != results.wholeGap();
    const auto row = before && !another
                         ? std::optional<inspector::GapOperator>(list->rows().report()->rows[*before])
                         : std::nullopt;
    list->rows().setReport(
        results.gap(), results.gapSet() || !whole ? std::vector<std::string>() : inspector::setsOf(*whole));
    graph->setReport(results.gap());
    list->showColumns();
    divergingOnly->setEnabled(results.gap() && results.gap()->bisected);
    fillSets();
    fillQuantities();
    showQuantity();
    showKept();
    if (row) {
        reselect(*row);
    } else {
        chooseFirst();
    }
    if (!wantedView.isEmpty() && results.gap()) {
        restoreView(std::exchange(wantedView, {}));
    }
    emit currentRowChanged();
}

/// Restores the current operator on another input set, or selects the first relevant one if it did not run
/// there.
void GapView::reselect(const inspector::GapOperator& row) {
    const auto& all = list->rows().report()->rows;
    const auto same = std::ranges::find_if(
        all, [&](const inspector::GapOperator& each) { return inspector::isSameOperator(each, row); });
    if (same == all.end()) {
        chooseFirst();
    } else {
        setCurrentRow(static_cast<std::size_t>(same - all.begin()));
    }
}

// Selects the first divergence, otherwise the shared selection, otherwise the operator with the largest
// error.
void GapView::chooseFirst() {
    const auto gap = results.gap();
    if (!gap) {
        return;
    }
    if (gap->firstDivergence) {
        setCurrentRow(gap->firstDivergence->row);
        return;
    }
    followSelection();
    if (currentRow() || gap->rows.empty()) {
        return;
    }
    const auto worst = std::ranges::max_element(gap->rows, {}, [](const inspector::GapReportRow& row) {
        return metricOf(row, inspector::GapMetric::Mse).value_or(0);
    });
    setCurrentRow(static_cast<std::size_t>(worst - gap->rows.begin()));
}

void GapView::fillQuantities() {
    quantities->clear();
    if (!results.gap()) {
        return;
    }
    const QString wanted = wantedQuantity.isEmpty() ? usualQuantity(*results.gap()) : wantedQuantity;
    for (const GapQuantity& each : gapQuantities()) {
        if (!each.needsBisection || results.gap()->bisected) {
            quantities->addItem(each.title, each.id);
            quantities->setItemData(quantities->count() - 1, each.meaning, Qt::ToolTipRole);
        }
    }
    const int place = quantities->findData(wanted);
    quantities->setCurrentIndex(place >= 0 ? place : quantities->findData(usualQuantity(*results.gap())));
}

void GapView::showQuantity() {
    const QString id = quantities->currentData().toString();
    const auto found = std::ranges::find(gapQuantities(), id, &GapQuantity::id);
    if (found == gapQuantities().end()) {
        return;
    }
    quantities->setToolTip(found->meaning);
    graph->setQuantity(*found);
    const auto metric = std::ranges::find(inspector::gapMetrics, id.toStdString(),
                                          [](const auto& info) { return std::string(info.name); });
    list->rows().setMetric(metric == inspector::gapMetrics.end() ? inspector::GapMetric::Mse
                                                                 : metric->metric);
}

/// Makes rows that the table hides pale in the plot.
void GapView::showKept() {
    graph->setKept(list->keptRows());
}

std::optional<std::size_t> GapView::currentRow() const {
    return list->currentRow();
}

void GapView::setCurrentRow(std::size_t row) {
    list->setCurrentRow(row);
}

void GapView::takeRow(const QModelIndex& index) {
    const auto at = list->rowOf(index);
    graph->setCurrent(at);
    if (at && !following) {
        following = true;
        chosen.setHandles(list->rows().report()->method, list->rows().report()->rows[*at].referenceHandles);
        following = false;
    }
    emit currentRowChanged();
}

// Marks the row that matches the shared selection without changing the selection.
void GapView::followSelection() {
    if (following || !results.gap()) {
        return;
    }
    if (const auto row = rowOfHandles(*results.gap(), chosen.currentHandles())) {
        following = true;
        setCurrentRow(*row);
        following = false;
    }
}

void GapView::showInOtherPanels() {
    if (currentRow()) {
        chosen.reveal();
    }
}

void GapView::focusFilter() {
    filter->setFocus(Qt::ShortcutFocusReason);
    filter->selectAll();
}

QByteArray GapView::viewState() const {
    if (!results.gap()) {
        return wantedView;
    }
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << quantities->currentData().toString() << graph->range().from() << graph->range().to();
    return state;
}

void GapView::restoreView(const QByteArray& state) {
    if (!results.gap()) {
        wantedView = state;  // applied once a gap is calculated
        return;
    }
    wantedView.clear();
    QString quantity;
    double from = 0;
    double to = 0;
    QDataStream stream(state);
    stream >> quantity >> from >> to;
    if (stream.status() != QDataStream::Ok || !std::isfinite(from) || !std::isfinite(to) || from >= to) {
        return;
    }
    if (const int place = quantities->findData(quantity); place >= 0) {
        quantities->setCurrentIndex(place);
        wantedQuantity = quantity;
        showQuantity();
    }
    graph->showRows(from, to);
}

QByteArray GapView::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << splitter->saveState() << list->header()->saveState() << wantedQuantity;
    return state;
}

void GapView::restoreState(const QByteArray& state) {
    QByteArray sizes;
    QByteArray header;
    QDataStream stream(state);
    stream >> sizes >> header >> wantedQuantity;
    splitter->restoreState(sizes);
    list->header()->restoreState(header);
    list->showColumns();
    fillQuantities();
    showQuantity();
}

}  // namespace et::visualizers
