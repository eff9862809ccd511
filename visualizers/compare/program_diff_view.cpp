#include "visualizers/compare/program_diff_view.h"

#include "inspector/program_diff/program_diff_lines.h"
#include "visualizers/compare/aligned_widget.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QLabel>
#include <QLineEdit>
#include <QTreeView>

#include <string>
#include <utility>

namespace et::visualizers {

using inspector::DiffLine;
using inspector::DiffPart;
using inspector::DiffSection;

namespace {

class DiffRows {
  public:
    DiffRows() {
        for (const char* const header : {"what", "change", "A", "B"}) {
            out.rows.table.columns.push_back({.id = header, .header = std::string(header)});
        }
    }

    void add(const DiffPart& part) {
        method = part.name;
        const std::string name = part.name.empty() ? std::string("program") : part.name;
        const std::size_t top = row({}, name, std::string(traits(part.change).name), {}, {});
        for (const DiffSection& section : part.sections) {
            const std::size_t heading = row(top, section.title, {}, {}, {});
            for (const DiffLine& line : section.lines) {
                add(heading, line);
            }
        }
    }
    [[nodiscard]] ProgramDiffRows take() && { return std::move(out); }

  private:
    void add(std::size_t parent, const DiffLine& line) {
        const std::string_view change = line.moved && line.change == inspector::Change::Same
                                            ? std::string_view("moved")
                                            : traits(line.change).name;
        const std::size_t here = row(parent, line.what, std::string(change), line.before, line.after);
        if (line.instruction) {
            out.operators.back() = OperatorRef{.method = method, .instruction = *line.instruction};
        }
        for (const inspector::AttributeChange& detail : line.details) {
            row(here, detail.name, {}, detail.before, detail.after);
        }
        for (const DiffLine& inner : line.inside) {
            add(here, inner);
        }
    }
    std::size_t row(std::optional<std::size_t> parent, std::string what, std::string change,
                    std::string before, std::string after) {
        out.rows.table.rows.push_back({inspector::format::Cell(std::move(what)), std::move(change),
                                       std::move(before), std::move(after)});
        out.rows.parents.push_back(parent);
        out.operators.emplace_back();
        return out.operators.size() - 1;
    }

    ProgramDiffRows out;
    std::string method;
};

constexpr int diffMargin = 6;
constexpr int openedLevels = 1;  // methods and their changes

/// Excludes everything that is equal.
ProgramDiffRows rowsOf(const inspector::ProgramDiff& diff) {
    DiffRows rows;
    for (const DiffPart& part : partsOf(diff, false)) {
        rows.add(part);
    }
    return std::move(rows).take();
}

}  // namespace

ProgramDiffView::ProgramDiffView(Selection& selection, QWidget* parent)
    : QWidget(parent),
      chosen(selection),
      head(plainLabel("programDiff", this, {.margin = diffMargin})),
      filter(new FilterField("programDiffFilter",
                             QStringLiteral("Filter by operator, delegate, argument or value"), this)),
      rows(new ReportTable(this)),
      graphs(new AlignedWidget(selection, this)) {
    rows->setHint(QStringLiteral("The programs are equivalent."));
    rows->view().setAccessibleName(QStringLiteral("Differences of two programs"));
    auto* const list = new QWidget(this);
    fillColumn(*list, {filter, rows});
    auto* const beside = new Splitter(this);
    beside->addWidget(list);
    beside->addWidget(graphs);
    beside->setSizes({1000, 1000});  // half of the available space each
    beside->setChildrenCollapsible(false);
    fillColumn(*this, {head, beside});
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

}  // namespace et::visualizers
