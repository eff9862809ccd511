#include "visualizers/toolkit/report_table.h"

#include "visualizers/toolkit/copy_actions.h"
#include "visualizers/toolkit/table_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTreeView>

#include <utility>

namespace et::visualizers {

namespace {

constexpr int widestColumn = 320;
constexpr int columnPadding = 6;
constexpr int hintMargin = 16;
constexpr int maxSized = 60;  // rows used to measure a column

/// Without rows, the hint has the focus: a hidden table would leave it outside, where other shortcuts apply.
void showPage(QWidget& table, QStackedLayout& pages, QWidget* page) {
    const bool hadFocus = pages.currentWidget()->hasFocus();
    table.setFocusProxy(page);
    pages.setCurrentWidget(page);
    if (hadFocus) {
        page->setFocus(Qt::OtherFocusReason);
    }
}

}  // namespace

/// Qt makes the first row current when an empty selection gets the focus, which nobody chose.
class ReportTable::Tree : public QTreeView {
  public:
    Tree(ReportTable& of, QWidget* parent) : QTreeView(parent), table(of) {}

  protected:
    void focusInEvent(QFocusEvent* event) override {
        const bool hadCurrent = currentIndex().isValid();
        const bool before = std::exchange(table.choosing, true);
        QTreeView::focusInEvent(event);
        if (!hadCurrent && currentIndex().isValid()) {
            selectionModel()->clearCurrentIndex();
        }
        table.choosing = before;
    }

  private:
    ReportTable& table;
};

ReportTable::ReportTable(QWidget* parent)
    : QWidget(parent),
      source(new ReportTableModel(this)),
      proxy(new QSortFilterProxyModel(this)),
      pages(new QStackedLayout(this)),
      tree(new Tree(*this, this)),
      hint(new QLabel(this)) {
    proxy->setSourceModel(source);
    proxy->setSortRole(ReportTableModel::SortRole);
    proxy->setFilterKeyColumn(-1);
    proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    proxy->setRecursiveFilteringEnabled(true);
    proxy->setAutoAcceptChildRows(true);
    tree->setModel(proxy);
    dressTable(*tree);
    tree->header()->setResizeContentsPrecision(maxSized);
    hint->setWordWrap(true);
    hint->setTextFormat(Qt::PlainText);
    hint->setAlignment(Qt::AlignCenter);
    hint->setMargin(hintMargin);
    hint->setEnabled(false);  // pale
    pages->addWidget(tree);
    pages->addWidget(hint);
    setFocusProxy(tree);
    createActions();
    connect(tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ReportTable::showCurrent);
}

void ReportTable::createActions() {
    addCopyActions(*this, [this](inspector::format::Format format) {
        return QString::fromStdString(inspector::format::render(shownRows(), format));
    });
    tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    tree->addActions(actions());
}

void ReportTable::setRows(ReportRows rows) {
    const bool empty = rows.table.rows.empty();
    const bool nested = !rows.parents.empty();
    // A header without columns loses their widths.
    widths = saveState();
    choosing = true;
    source->setRows(std::move(rows));
    choosing = false;
    tree->setRootIsDecorated(nested);
    showPage(*this, *pages, empty ? static_cast<QWidget*>(hint) : tree);
    if (empty) {
        return;
    }
    const bool known = !widths.isEmpty() && (widthsOf == 0 || widthsOf == source->columnCount());
    if (!known || !tree->header()->restoreState(widths)) {
        fitColumns();
    }
    widthsOf = source->columnCount();
}

void ReportTable::setHint(const QString& text) {
    hint->setText(text);
}

void ReportTable::setFilter(const QString& text) {
    proxy->setFilterFixedString(text);
}

void ReportTable::fitColumns() {
    visualizers::fitColumns(*tree, columnPadding, widestColumn);
}

void ReportTable::choose(std::optional<std::size_t> row) {
    if (row == currentRow()) {
        return;
    }
    choosing = true;
    const QModelIndex index = row ? proxy->mapFromSource(source->indexOf(*row)) : QModelIndex();
    tree->setCurrentIndex(index);
    if (index.isValid()) {
        tree->scrollTo(index);
    } else {
        tree->clearSelection();
    }
    choosing = false;
}

std::optional<std::size_t> ReportTable::currentRow() const {
    const QModelIndex index = tree->currentIndex();
    return index.isValid() ? std::optional<std::size_t>(index.data(ReportTableModel::RowRole).toULongLong())
                           : std::nullopt;
}

void ReportTable::showCurrent(const QModelIndex& current) {
    if (!choosing && current.isValid()) {
        emit rowChosen(current.data(ReportTableModel::RowRole).toULongLong());
    }
}

void ReportTable::collect(const QModelIndex& parent, bool selectedOnly,
                          inspector::format::Table& into) const {
    for (int row = 0; row < proxy->rowCount(parent); ++row) {
        const QModelIndex index = proxy->index(row, 0, parent);
        if (!selectedOnly || tree->selectionModel()->isSelected(index)) {
            into.rows.push_back(
                source->rows().table.rows[index.data(ReportTableModel::RowRole).toULongLong()]);
        }
        collect(index, selectedOnly, into);
    }
}

inspector::format::Table ReportTable::shownRows() const {
    inspector::format::Table table;
    table.columns = source->rows().table.columns;
    table.indexed = false;
    collect({}, tree->selectionModel()->hasSelection(), table);
    return table;
}

/// Without columns, returns the previous state.
QByteArray ReportTable::saveState() const {
    return widthsOf > 0 && source->columnCount() == widthsOf ? tree->header()->saveState() : widths;
}

void ReportTable::restoreState(const QByteArray& state) {
    widths = state;
    widthsOf = 0;
}

}  // namespace et::visualizers
