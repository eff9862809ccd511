#pragma once

#include "inspector/memory/memory_timeline.h"
#include "visualizers/memory/memory_plan.h"

#include <QObject>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace et::visualizers {

class DebugState;
class OpenSession;
class PlanWidget;
class Selection;
class TensorPane;
struct OperatorRef;

/// Links the tensors and steps of a plan, in its picture and its table, with the shared selection and the
/// hovered event.
class MemorySelection : public QObject {
    Q_OBJECT

  public:
    /// All parameters except `parent` must outlive this object.
    MemorySelection(PlanWidget& picture, TensorPane& tensors, const OpenSession& session, Selection& shared,
                    const DebugState& debugger, QObject* parent);

    /// The plan that picture and table show; null: none.
    void setPlan(std::shared_ptr<const MemoryPlan> shown);
    /// Shows the shared selection.
    void follow();

  signals:
    /// An operator of this method was selected elsewhere, so its plan should be shown.
    void methodWanted(const std::string& method);

  private:
    void chooseTensor(std::size_t tensor);
    void chooseStep(inspector::Step step);
    void point(std::optional<std::size_t> tensor);
    void showHovered();
    void showDebugger();
    [[nodiscard]] std::optional<inspector::Step> stepOf(const OperatorRef& of) const;
    [[nodiscard]] std::optional<inspector::Step> selectedStep() const;
    [[nodiscard]] std::optional<std::size_t> tensorOf(std::optional<inspector::Step> step) const;

    PlanWidget& widget;
    TensorPane& tensorPane;
    const OpenSession& opened;
    Selection& chosen;
    const DebugState& debugged;
    std::shared_ptr<const MemoryPlan> plan;
    bool pointing = false;  ///< the pointer is over a tensor of the plan
    bool choosing = false;  ///< guards against the echo of this object's own change to the selection
};

}  // namespace et::visualizers
