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

class MemoryTools;
class OpenSession;
class ReportTable;
class Selection;
class Splitter;
class TensorPane;
struct OperatorRef;

/// Other plans of a method, or why there are none.
struct OtherPlans {
    std::vector<inspector::WhatIf> plans{};
    QString problem{};
};

/// What a person looks at, by names: a program that is read again may have other methods.
struct MemoryPlace {
    QString method{};
    QString arena{};
    QString plan{};  ///< one of the other plans; empty: the program's own
    PlanWindow window{};
};

/// The memory of a program's methods: the picture of an arena's plan, beside it the tensors that make its
/// peak, other plans, and memory that no plan holds. Follows and sets the shared selection.
class MemoryView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    MemoryView(const OpenSession& session, Selection& selection, QWidget* parent = nullptr);

    /// Empty plans show nothing.
    void setPlans(MemoryPlans shown);
    /// By method, as in the plans; they may come later than these.
    void setOtherPlans(std::vector<OtherPlans> plans);

    [[nodiscard]] PlanWidget& picture() { return *widget; }
    [[nodiscard]] TensorPane& tensors() { return *tensorPane; }
    [[nodiscard]] ReportTable& otherPlans() { return *planTable; }
    [[nodiscard]] ReportTable& beside() { return *besideTable; }
    [[nodiscard]] QString headline() const;
    void focusFilter();
    [[nodiscard]] MemoryTools& toolBar() { return *tools; }
    /// The plan that is shown instead of the program's own; null: that is shown.
    [[nodiscard]] const inspector::WhatIf* otherPlan() const;

    /// Nothing where there is no plan.
    [[nodiscard]] std::optional<MemoryPlace> place() const;
    /// As far as there still is such a place; the plan, once the other plans are there.
    void showPlace(const MemoryPlace& place);

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
    void showSelection();
    void point(std::optional<std::size_t> tensor);
    void showHovered();
    bool pointing = false;  ///< the pointer is over a tensor of the plan
    [[nodiscard]] std::optional<inspector::Step> stepOf(const OperatorRef& of) const;
    void showSelectedRange();
    void chooseTensor(std::size_t tensor);
    void chooseStep(inspector::Step step);
    void markRange(double from, double to);
    [[nodiscard]] const MemoryPlan* plan() const;
    [[nodiscard]] std::shared_ptr<const MemoryPlan> sharedPlan() const;
    [[nodiscard]] std::optional<inspector::Step> selectedStep() const;
    [[nodiscard]] std::optional<std::size_t> tensorOf(std::optional<inspector::Step> step) const;

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
    QString wantedPlan;     ///< to be chosen when the other plans are there; empty: none
    bool choosing = false;  ///< what comes back from the selection is what this view has set
};

}  // namespace et::visualizers
