#pragma once

#include "inspector/format/table.h"
#include "visualizers/memory/memory_plan.h"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QTreeView;

namespace et::visualizers {

class TensorModel;

/// The tensors of an arena as a table: those of the peak, those alive at a step, or all.
class TensorPane : public QWidget {
    Q_OBJECT

  public:
    enum class Mode : int { Peak, Step, All };

    explicit TensorPane(QWidget* parent = nullptr);

    /// `arena` is a position in MemoryTimeline::arenas. Null empties the table.
    void setPlan(std::shared_ptr<const MemoryPlan> shown, std::size_t arena);
    /// The step of Mode::Step; nothing: none selected yet.
    void setStep(std::optional<inspector::Step> chosen);
    void setMode(Mode mode);
    [[nodiscard]] Mode mode() const;
    void setFilter(const QString& text);
    /// Does not emit a signal.
    void choose(std::optional<std::size_t> tensor);

    [[nodiscard]] TensorModel& model() { return *tensors; }
    [[nodiscard]] QTreeView& table() { return *rows; }
    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  signals:
    /// Emitted when the user has selected a tensor.
    void tensorChosen(std::size_t tensor);

  private:
    void createActions();
    void fill();
    void showSum();
    [[nodiscard]] QString copied(inspector::format::Format format) const;
    [[nodiscard]] bool shows(std::size_t tensor) const;

    std::shared_ptr<const MemoryPlan> plan;
    std::size_t arenaAt = 0;
    std::optional<inspector::Step> step;
    TensorModel* tensors;
    QComboBox* modes;
    QLabel* sum;
    QTreeView* rows;
    bool choosing = false;
};

}  // namespace et::visualizers
