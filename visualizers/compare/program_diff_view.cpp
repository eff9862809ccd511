#include "visualizers/compare/program_diff_view.h"

#include "inspector/program_diff/program_diff_lines.h"
#include "visualizers/compare/aligned_widget.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace et::visualizers {

namespace {

constexpr int diffMargin = 6;
constexpr int openedLevels = 1;  // methods and their changes

}  // namespace

ProgramDiffView::ProgramDiffView(Selection& selection, QWidget* parent)
    : QWidget(parent),
      chosen(selection),
      head(new QLabel(this)),
      filter(new QLineEdit(this)),
      rows(new ReportTable(this)),
      graphs(new AlignedWidget(selection, this)) {
    head->setObjectName(QStringLiteral("programDiff"));
    head->setTextFormat(Qt::PlainText);
    head->setWordWrap(true);
    head->setMargin(diffMargin);
    filter->setObjectName(QStringLiteral("programDiffFilter"));
    filter->setClearButtonEnabled(true);
    filter->setPlaceholderText(QStringLiteral("Filter by operator, delegate, argument or value"));
    rows->setHint(QStringLiteral("The programs are equivalent."));
    rows->view().setAccessibleName(QStringLiteral("Differences of two programs"));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    auto* const list = new QWidget(this);
    auto* const column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(filter);
    column->addWidget(rows, 1);
    auto* const beside = new Splitter(this);
    beside->addWidget(list);
    beside->addWidget(graphs);
    beside->setSizes({1000, 1000});  // half of the available space each
    beside->setChildrenCollapsible(false);
    layout->addWidget(beside, 1);
    addActions(graphs->actions());
    setFocusProxy(rows);
    connect(filter, &QLineEdit::textChanged, rows, &ReportTable::setFilter);
    connect(rows, &ReportTable::rowChosen, this, [this](std::size_t row) {
        if (row < operators.size() && operators[row]) {
            chosen.setOperator(*operators[row]);
        }
    });
}

void ProgramDiffView::show(const inspector::ProgramDiff& diff, const std::array<LinksByMethod, 2>& links) {
    graphs->show(AlignedSteps::of(diff, links));
    head->setText(toQString(summaryOf(diff)));
    ProgramDiffRows made = rowsOf(diff);
    operators = std::move(made.operators);
    rows->setRows(std::move(made.rows));
    rows->view().expandToDepth(openedLevels);
    rows->fitColumns();
}

void ProgramDiffView::focusFilter() {
    filter->setFocus(Qt::ShortcutFocusReason);
    filter->selectAll();
}

}  // namespace et::visualizers
