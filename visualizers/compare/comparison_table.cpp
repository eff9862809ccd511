#include "visualizers/compare/comparison_table.h"

#include "inspector/comparison/cause.h"
#include "inspector/comparison/headline.h"
#include "inspector/format/table.h"
#include "visualizers/compare/overlaid_histograms.h"
#include "visualizers/compare/scatter_plot.h"
#include "visualizers/compare/waterfall_plot.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/copy_actions.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/table_view.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QToolBar>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <utility>

namespace et::visualizers {

namespace {

/// Column widths in characters.
constexpr std::array<int, ComparisonModel::columnTotal> widths{40, 16, 13, 13, 13, 11, 24, 9, 24, 18};
constexpr int tableShare = 3;  // of the width, against 1 for the histograms

std::vector<double> inUnit(const ComparisonModel& model, std::span<const double> samples) {
    std::vector<double> result;
    for (const double each : samples) {
        result.push_back(model.inUnit(each));
    }
    return result;
}

}  // namespace

/// Filters rows by text and, optionally, by verdict, hiding rows without a notable one. Methods stay above
/// their rows. Sorts by value.
class ComparisonTable::DecidedFilter : public QSortFilterProxyModel {
  public:
    explicit DecidedFilter(QObject* parent) : QSortFilterProxyModel(parent) {
        setSortRole(ComparisonModel::SortRole);
        setFilterKeyColumn(-1);
        setFilterCaseSensitivity(Qt::CaseInsensitive);
    }

    void setDecidedOnly(bool only) {
        decidedOnly = only;
        invalidateRowsFilter();
    }

  protected:
    [[nodiscard]] bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override {
        const QModelIndex row = sourceModel()->index(sourceRow, 0, sourceParent);
        return !sourceParent.isValid() ||
               ((!decidedOnly || row.data(ComparisonModel::DecidedRole).toBool()) &&
                QSortFilterProxyModel::filterAcceptsRow(sourceRow, sourceParent));
    }

  private:
    bool decidedOnly = false;
};

ComparisonTable::ComparisonTable(Selection& selection, QWidget* parent)
    : QWidget(parent),
      chosen(selection),
      pairs(new ComparisonModel(this)),
      proxy(new DecidedFilter(this)),
      summary(plainLabel("compareHeadline", this, {.margin = 6})),
      tools(new QToolBar(this)),
      filter(new FilterField("compareFilter", QStringLiteral("Filter by operator, verdict or kind"), this)),
      rows(new QTreeView(this)),
      title(plainLabel("compareTitle", this, {.margin = 6})),
      distributions(new OverlaidHistograms(this)),
      pictures(new QTabWidget(this)) {
    QFont bold = summary->font();
    bold.setBold(true);
    summary->setFont(bold);
    createTools();
    createTable();
    auto* const side = new QWidget(this);
    fillColumn(*side, {title, pictures});
    createPictures(*side);
    auto* const splitter = new Splitter(this);
    splitter->addParts({{rows, tableShare}, {side, 1}});
    fillColumn(*this, {summary, tools, splitter});
    setFocusProxy(rows);
}

void ComparisonTable::createPictures(QWidget& side) {
    pictures->setObjectName(QStringLiteral("comparePictures"));
    pictures->setDocumentMode(true);
    pictures->addTab(distributions, QStringLiteral("Runs"));
    const auto add = [&](QWidget* picture, const QString& text, const QString& tip) {
        auto* const scroll = new QScrollArea(&side);
        scroll->setWidgetResizable(true);
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setWidget(picture);
        pictures->setTabToolTip(pictures->addTab(scroll, text), tip);
    };
    byOperator = new WaterfallPlot(&side);
    byModule = new WaterfallPlot(&side);
    scatter = new ScatterPlot(&side);
    add(byOperator, QStringLiteral("Waterfall"),
        QStringLiteral("From A's total to B's, operator by operator"));
    add(byModule, QStringLiteral("Modules"), QStringLiteral("From A's total to B's, module by module"));
    pictures->setTabToolTip(pictures->addTab(scatter, QStringLiteral("A : B")),
                            QStringLiteral("Each operator: A's time against B's"));
    connect(byOperator, &WaterfallPlot::rowChosen, this, &ComparisonTable::chooseRow);
    connect(byModule, &WaterfallPlot::rowChosen, this, &ComparisonTable::chooseRow);
    connect(scatter, &ScatterPlot::rowChosen, this, &ComparisonTable::chooseRow);
}

void ComparisonTable::createTools() {
    filterPlace = tools->addWidget(filter);
    connect(filter, &QLineEdit::textChanged, proxy, &QSortFilterProxyModel::setFilterFixedString);
    decidedOnly = keyedToggle(*this, QStringLiteral("&Differences Only"), Qt::Key_D, false,
                              [this](bool only) { proxy->setDecidedOnly(only); });
    tools->insertAction(filterPlace, decidedOnly);
    keyedAction(*this, QStringLiteral("&Next Difference"), Qt::Key_Period, [this] { jump(1); });
    keyedAction(*this, QStringLiteral("&Previous Difference"), Qt::Key_Comma, [this] { jump(-1); });
    addCopyActions(*this, [this](inspector::format::Format format) { return copied(format); });
}

void ComparisonTable::createTable() {
    proxy->setSourceModel(pairs);
    rows->setObjectName(QStringLiteral("comparison"));
    rows->setModel(proxy);
    rows->header()->setStretchLastSection(false);
    dressTable(*rows);
    setColumnWidths(*rows, widths);
    connect(rows->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ComparisonTable::showRow);
}

void ComparisonTable::setComparison(std::shared_ptr<const inspector::Comparison> compared,
                                    inspector::TimeScale unit, OpenSide open) {
    openSide = open;
    shownMethod.reset();
    summary->setText(compared == nullptr ? QString() : toQString(inspector::headline(*compared)));
    pairs->setComparison(std::move(compared), unit);
    rows->expandAll();
    widenColumns(*rows);
    rows->setCurrentIndex(proxy->index(0, 0));
    showRow(rows->currentIndex());
}

void ComparisonTable::insertTools(const QList<QAction*>& actions) {
    tools->insertActions(decidedOnly, actions);
    tools->insertSeparator(decidedOnly);
}

void ComparisonTable::insertTool(QWidget* widget) {
    tools->insertWidget(decidedOnly, widget);
}

void ComparisonTable::showRow(const QModelIndex& index) {
    const auto place = pairs->placeOf(proxy->mapToSource(index));
    if (!place) {
        title->clear();
        distributions->clear();
        byOperator->show({}, pairs->timeScale(), 1);
        byModule->show({}, pairs->timeScale(), 1);
        scatter->clear();
        return;
    }
    showMethod(place->method);
    const inspector::ComparisonRow* const row = pairs->row(*place);
    const QString cause = row == nullptr ? QString() : toQString(inspector::causeOf(*row));
    title->setText(cause.isEmpty() ? pairs->nameOf(*place)
                                   : QStringLiteral("%1\n%2").arg(pairs->nameOf(*place), cause));
    distributions->setSamples(inUnit(*pairs, pairs->samplesA(*place)),
                              inUnit(*pairs, pairs->samplesB(*place)), pairs->timeScale());
    if (row == nullptr) {
        return;
    }
    const inspector::MethodComparison& methods = pairs->comparison()->methods[place->method];
    const bool isA = openSide == OpenSide::A;
    if (const inspector::OperatorTimes* const own = isA ? row->a : row->b; own != nullptr) {
        const bool inside = own->kind == inspector::OperatorKind::DelegatedOperator;
        chosen.setOperator({.method = (isA ? methods.a : methods.b)->method,
                            .instruction = own->instruction,
                            .delegated = inside ? own->name : std::string()});
    }
}

void ComparisonTable::showMethod(std::size_t method) {
    if (std::exchange(shownMethod, method) == method) {
        return;
    }
    const inspector::MethodComparison& of = pairs->comparison()->methods[method];
    const double unitLength = 1 / pairs->inUnit(1);
    byOperator->show(makeWaterfall(of, inspector::WaterfallBy::Operator), pairs->timeScale(), unitLength);
    byModule->show(makeWaterfall(of, inspector::WaterfallBy::Module), pairs->timeScale(), unitLength);
    scatter->show(*pairs, method);
}

/// Selects a row of the method shown; a row hidden by the filter stays hidden.
void ComparisonTable::chooseRow(std::size_t row) {
    const QModelIndex top = pairs->index(static_cast<int>(shownMethod.value_or(0)), 0);
    const QModelIndex index = proxy->mapFromSource(pairs->index(static_cast<int>(row), 0, top));
    if (index.isValid()) {
        rows->setCurrentIndex(index);
        rows->scrollTo(index);
    }
}

// Selects the next or previous row that differs between the sides.
void ComparisonTable::jump(int step) {
    const auto neighbour = [&](const QModelIndex& row) {
        return step > 0 ? rows->indexBelow(row) : rows->indexAbove(row);
    };
    for (QModelIndex row = neighbour(rows->currentIndex()); row.isValid(); row = neighbour(row)) {
        if (row.parent().isValid() && row.data(ComparisonModel::DecidedRole).toBool()) {
            rows->setCurrentIndex(row.siblingAtColumn(0));
            return;
        }
    }
}

QString ComparisonTable::copied(inspector::format::Format format) const {
    inspector::format::Table table;
    table.indexed = false;
    for (int column = 0; column < ComparisonModel::columnTotal; ++column) {
        table.columns.push_back(
            {.id = {}, .header = pairs->headerData(column, Qt::Horizontal).toString().toStdString()});
    }
    QModelIndexList selected = rows->selectionModel()->selectedRows();
    std::ranges::sort(selected, {}, [this](const QModelIndex& row) { return rows->visualRect(row).top(); });
    for (const QModelIndex& row : selected) {
        std::vector<inspector::format::Cell>& cells = table.rows.emplace_back();
        for (int column = 0; column < ComparisonModel::columnTotal; ++column) {
            cells.emplace_back(row.siblingAtColumn(column).data().toString().toStdString());
        }
    }
    return QString::fromStdString(inspector::format::render(table, format));
}

}  // namespace et::visualizers
