#pragma once

#include "visualizers/memory/memory_clock.h"
#include "visualizers/memory/memory_plan.h"
#include "visualizers/memory/plan_widget.h"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QTabWidget;

namespace et::visualizers {

class DebugState;
class MemorySelection;
class MemoryTools;
class OpenSession;
class ReportTable;
class Selection;
class Splitter;
class TensorPane;

/// Alternative plans of a method, or the reason for their absence.
struct OtherPlans {
    std::vector<inspector::AlternativePlan> plans{};
    QString problem{};
};

/// View state by names, because a reloaded program may have other methods.
struct MemoryViewState {
    QString method{};
    QString arena{};
    QString plan{};  ///< one of the other plans; empty: the program's own plan
    PlanWindow window{};
};

/// Memory of a program's methods: the plan of an arena and, next to it, the tensors of its peak, other plans,
/// and memory outside of any plan. Follows and sets the shared selection.
class MemoryView : public QWidget {
    Q_OBJECT

  public:
    /// All must outlive the view.
    MemoryView(const OpenSession& session, Selection& selection, const DebugState& debugger,
               QWidget* parent = nullptr);

    /// Empty plans show nothing.
    void setPlans(MemoryPlans shown);
    /// Alternative plans by method, in the order of the plans; may arrive after them.
    void setOtherPlans(std::vector<OtherPlans> plans);

    [[nodiscard]] PlanWidget& picture() { return *widget; }
    [[nodiscard]] TensorPane& tensors() { return *tensorPane; }
    [[nodiscard]] ReportTable& otherPlans() { return *planTable; }
    [[nodiscard]] ReportTable& beside() { return *besideTable; }
    [[nodiscard]] MemoryTools& toolBar() { return *tools; }
    /// Of the shown method; null without a plan.
    [[nodiscard]] std::shared_ptr<const MemoryPlan> plan() const;
    /// The plan shown instead of the program's own; null if that is shown.
    [[nodiscard]] const inspector::AlternativePlan* otherPlan() const;

    /// Nothing if there is no plan.
    [[nodiscard]] std::optional<MemoryViewState> place() const;
    /// Restores the view as far as it still exists; the plan once the other plans have arrived.
    void showPlace(const MemoryViewState& place);

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  private:
    void createSide(Splitter& splitter);
    void connectViews();
    void showMethod();
    void showArena();
    void showAxis();
    void showPlan();
    void showLegend();
    void showHeadline();
    void showOtherPlans();
    void applyFilter(const QString& text);
    void showSelectedRange();
    void markRange(double from, double to);

    const OpenSession& opened;
    Selection& chosen;
    MemoryPlans plans;
    std::vector<OtherPlans> others;
    MemoryClock clock;
    MemoryTools* tools;
    QLabel* head;
    QLabel* legend;
    PlanWidget* widget;
    Splitter* split;
    QTabWidget* side;
    TensorPane* tensorPane;
    ReportTable* planTable;
    ReportTable* besideTable;
    MemorySelection* link = nullptr;
    QString wantedPlan;  ///< to select when the other plans arrive; empty: none
};

}  // namespace et::visualizers
