#pragma once

#include "inspector/program_diff/program_diff.h"
#include "visualizers/compare/program_diff_rows.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace et::visualizers {

class ReportTable;
class Selection;

/// What changed from one program to another: a summary above a tree that filters. Choosing a row chooses its
/// operator of the first program in the selection.
class ProgramDiffView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit ProgramDiffView(Selection& selection, QWidget* parent = nullptr);

    void show(const inspector::ProgramDiff& diff);
    [[nodiscard]] ReportTable& table() { return *rows; }
    void focusFilter();

  private:
    Selection& chosen;
    QLabel* head;
    QLineEdit* filter;
    ReportTable* rows;
    std::vector<std::optional<OperatorRef>> operators;
};

}  // namespace et::visualizers
