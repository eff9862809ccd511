#pragma once

#include "inspector/memory/memory_timeline.h"
#include "visualizers/memory/memory_plan.h"
#include "visualizers/memory/plan_colours.h"

#include <QString>
#include <QToolBar>

#include <cstddef>
#include <span>
#include <utility>

class QComboBox;
class QLineEdit;

namespace et::visualizers {

/// Controls of a memory plan: method, arena, axis, colours, plan and search.
class MemoryTools : public QToolBar {
    Q_OBJECT

  public:
    explicit MemoryTools(QWidget* parent);

    /// None of these emits a signal. The selected method is kept by name.
    void setMethods(const MemoryPlans& plans);
    /// Null: no arenas.
    void setArenas(const MemoryPlan* plan);
    /// Alternatives to the program's own plan.
    void setPlans(std::span<const inspector::AlternativePlan> others);
    /// Whether a trace provides a time axis.
    void setTimed(bool timed);

    [[nodiscard]] std::size_t method() const;
    [[nodiscard]] std::size_t arena() const;
    /// Position among the other plans plus one; 0: the program's own plan.
    [[nodiscard]] std::size_t plan() const;
    [[nodiscard]] bool overTime() const;
    [[nodiscard]] ColourBy colourBy() const;
    [[nodiscard]] QString filter() const;
    [[nodiscard]] QString methodName() const;
    [[nodiscard]] QString arenaName() const;
    [[nodiscard]] QString planName() const;

    void chooseMethod(std::size_t at);
    /// Position among the other plans plus one; 0: the program's own plan.
    void choosePlan(std::size_t at);
    /// Returns false if there is none with this name.
    bool chooseMethod(const QString& name);
    bool chooseArena(const QString& name);
    bool choosePlan(const QString& name);
    void focusFilter();

    /// Axis and colour settings.
    [[nodiscard]] std::pair<int, int> looks() const;
    void setLooks(const std::pair<int, int>& axisAndColours);

  signals:
    void methodChanged();
    void arenaChanged();
    void axisChanged();
    void planChanged();
    void coloursChanged();
    void filterChanged(const QString& text);

  private:
    QComboBox* addChoice(const char* name, const QString& tip);

    QComboBox* methods;
    QComboBox* arenas;
    QComboBox* axes;
    QComboBox* colours;
    QComboBox* plans;
    QLineEdit* search;
};

}  // namespace et::visualizers
