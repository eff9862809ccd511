#pragma once

#include "inspector/program_diff/program_diff.h"
#include "visualizers/compare/aligned_steps.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table_model.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QLineEdit;

namespace et::visualizers {

class AlignedWidget;
class ReportTable;
class Selection;

/// Differences between two programs as a tree: methods, their changes, and details.
struct ProgramDiffRows {
    ReportRows rows;
    /// By row: the operator of the first program, or nothing.
    std::vector<std::optional<OperatorRef>> operators;
};

/// Differences between two programs: a summary above a tree with a filter, and both programs as graphs side
/// by side. Choosing a row sets its operator of the first program in the selection.
class ProgramDiffView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit ProgramDiffView(Selection& selection, QWidget* parent = nullptr);

    void show(const inspector::ProgramDiff& diff, const std::array<LinksByMethod, 2>& links);
    [[nodiscard]] ReportTable& table() { return *rows; }
    [[nodiscard]] AlignedWidget& picture() { return *graphs; }

  private:
    Selection& chosen;
    QLabel* head;
    QLineEdit* filter;
    ReportTable* rows;
    AlignedWidget* graphs;
    std::vector<std::optional<OperatorRef>> operators;
};

}  // namespace et::visualizers
