#include "visualizers/gap/gap_view.h"

#include "inspector/numeric_gap/gap_sets.h"
#include "visualizers/gap/gap_filter.h"
#include "visualizers/gap/gap_model.h"
#include "visualizers/gap/gap_plot.h"
#include "visualizers/gap/gap_quantity.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/copy_actions.h"
#include "visualizers/toolkit/hover_tree.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/table_view.h"
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
#include <array>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int widestColumn = 40;  ///< maximum initial width in characters

/// Column widths in characters.
constexpr std::array<int, GapModel::columnTotal> widths{5, 24, 9, 16, 14, 14, 14, 9, 13, 14, 14, 40, 30, 70};

/// Default quantity: the source of errors, if known.
QString usualQuantity(const inspector::GapReport& report) {
    return report.bisected ? QStringLiteral("errors") : QStringLiteral("mse");
}

}  // namespace

GapView::GapView(Selection& selection, Results& computed, QWidget* parent)
    : QWidget(parent),
      chosen(selection),
      results(computed),
      rows(new GapModel(this)),
      proxy(new GapFilter(this)),
      tools(new QToolBar(this)),
      quantities(new QComboBox(this)),
      sets(new QComboBox(this)),
      filter(new QLineEdit(this)),
      splitter(new Splitter(this)),
      graph(new GapPlot(this)),
      list(new HoverTree(this)) {
    createTools();
    createTable();
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
        showElsewhere();
    });
    connect(graph, &GapPlot::viewMoved, this, &GapView::viewMoved);
    connectHover();
    connect(&results, &Results::shownGapChanged, this, &GapView::showReport);
    connect(&chosen, &Selection::currentChanged, this, &GapView::followSelection);
    showColumns();
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
            proxy->setDivergingOnly(only);
            showKept();
        });
    setTip(*divergingOnly, QStringLiteral("Show only operators whose own error exceeds rounding"));
    tools->addAction(divergingOnly);
    filter->setObjectName(QStringLiteral("gapFilter"));
    filter->setClearButtonEnabled(true);
    filter->setPlaceholderText(QStringLiteral("Filter by operator, handle, module or line"));
    tools->addWidget(filter);
    connect(filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        proxy->setFilterFixedString(text);
        showKept();
    });
    keyedAction(*this, QStringLiteral("&Show in Other Panels"), Qt::Key_G, [this] { showElsewhere(); });
    addCopyActions(*this, [this](inspector::format::Format format) { return copied(format); });
    keyedAction(*this, QStringLiteral("Copy Plot as &Picture"), {}, [this] { copyPicture(); });
}

void GapView::createSets() {
    sets->setObjectName(QStringLiteral("gapSet"));
    sets->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    sets->setToolTip(QStringLiteral(
        "Input set; \"worst of all inputs\" shows each operator with the set that has its largest error"));
    setsPlace = tools->addWidget(sets);
    nextSetAction =
        keyedAction(*this, QStringLiteral("Next Set of &Inputs"), Qt::Key_I, [this] { nextSet(); });
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
    setsPlace->setVisible(names.size() > 1);
    nextSetAction->setEnabled(names.size() > 1);
}

void GapView::nextSet() {
    const int next = (sets->currentIndex() + 1) % sets->count();
    sets->setCurrentIndex(next);
    emit sets->activated(next);
}

void GapView::createTable() {
    proxy->setSourceModel(rows);
    list->setObjectName(QStringLiteral("gapRows"));
    list->setModel(proxy);
    list->setRootIsDecorated(false);
    list->header()->setStretchLastSection(false);
    dressTable(*list);
    setColumnWidths(*list, widths);
    connect(list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &GapView::takeRow);
    connect(list, &QTreeView::activated, this, &GapView::showElsewhere);
}

void GapView::showReport() {
    rows->setPale(results.gapIsStale());
    graph->setPale(results.gapIsStale());
    if (results.gap().get() == rows->report()) {
        return;
    }
    const auto before = currentRow();
    const bool another = std::exchange(whole, results.wholeGap()) != results.wholeGap();
    const auto row = before && !another ? std::optional<inspector::GapOperator>(rows->report()->rows[*before])
                                        : std::nullopt;
    rows->setReport(results.gap(),
                    results.gapSet() || !whole ? std::vector<std::string>() : inspector::setsOf(*whole));
    graph->setReport(results.gap());
    showColumns();
    divergingOnly->setEnabled(results.gap() && results.gap()->bisected);
    fillSets();
    fillQuantities();
    showQuantity();
    showKept();
    if (row) {
        chooseAgain(*row);
    } else {
        chooseFirst();
    }
    if (!wantedView.isEmpty() && results.gap()) {
        restoreView(std::exchange(wantedView, {}));
    }
    emit currentRowChanged();
}

void GapView::showColumns() {
    for (int column = 0; column < GapModel::columnTotal; ++column) {
        list->setColumnHidden(column, !rows->isFilled(static_cast<GapModel::Column>(column)));
    }
    widenColumns(*list, widestColumn);
}

/// Restores the current operator on another input set, or selects the first relevant one if it did not run
/// there.
void GapView::chooseAgain(const inspector::GapOperator& row) {
    const auto& all = rows->report()->rows;
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
    rows->setMetric(metric == inspector::gapMetrics.end() ? inspector::GapMetric::Mse : metric->metric);
}

// Makes rows that the table hides pale in the plot.
void GapView::showKept() {
    const bool all = proxy->rowCount() == rows->rowCount();
    std::vector<bool> kept(all ? 0 : static_cast<std::size_t>(rows->rowCount()), false);
    for (int row = 0; !all && row < proxy->rowCount(); ++row) {
        kept[static_cast<std::size_t>(proxy->mapToSource(proxy->index(row, 0)).row())] = true;
    }
    graph->setKept(std::move(kept));
}

std::optional<std::size_t> GapView::currentRow() const {
    const QModelIndex index = proxy->mapToSource(list->currentIndex());
    return index.isValid() ? std::optional(static_cast<std::size_t>(index.row())) : std::nullopt;
}

void GapView::setCurrentRow(std::size_t row) {
    const QModelIndex index = proxy->mapFromSource(rows->index(static_cast<int>(row), 0));
    if (index.isValid() && index.row() != list->currentIndex().row()) {
        list->setCurrentIndex(index);
        list->scrollTo(index);
    }
}

void GapView::takeRow(const QModelIndex& index) {
    const QModelIndex source = proxy->mapToSource(index);
    const inspector::GapReportRow* const row = rows->row(source);
    graph->setCurrent(row ? std::optional(static_cast<std::size_t>(source.row())) : std::nullopt);
    if (row != nullptr && !following) {
        following = true;
        chosen.setHandles(rows->report()->method, row->referenceHandles);
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

void GapView::showElsewhere() {
    if (currentRow()) {
        chosen.reveal();
    }
}

// The selected rows in screen order, with all digits.
QString GapView::copied(inspector::format::Format format) const {
    std::vector<int> columns;
    inspector::format::Table table;
    table.indexed = false;
    for (int visual = 0; visual < GapModel::columnTotal; ++visual) {
        const int column = list->header()->logicalIndex(visual);
        if (!list->isColumnHidden(column)) {
            columns.push_back(column);
            table.columns.push_back(rows->reportColumn(static_cast<GapModel::Column>(column)));
        }
    }
    QModelIndexList selected = list->selectionModel()->selectedRows();
    std::ranges::sort(selected, {}, [](const QModelIndex& row) { return row.row(); });
    for (const QModelIndex& row : selected) {
        std::vector<inspector::format::Cell>& cells = table.rows.emplace_back();
        for (const int column : columns) {
            cells.push_back(rows->cell(proxy->mapToSource(row.siblingAtColumn(column))));
        }
    }
    return QString::fromStdString(inspector::format::render(table, format));
}

void GapView::copyPicture() {
    QApplication::clipboard()->setPixmap(graph->grab());
}

void GapView::focusFilter() {
    filter->setFocus(Qt::ShortcutFocusReason);
    filter->selectAll();
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
    showColumns();
    fillQuantities();
    showQuantity();
}

}  // namespace et::visualizers
