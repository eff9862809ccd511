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

/// What a person chooses of a memory plan: method, arena, axis, colours, plan, and what is searched.
class MemoryTools : public QToolBar {
    Q_OBJECT

  public:
    explicit MemoryTools(QWidget* parent);

    /// None of these emits a signal. Methods keep their choice by name.
    void setMethods(const MemoryPlans& plans);
    /// Null: there are none.
    void setArenas(const MemoryPlan* plan);
    /// Those that can be chosen in place of the program's own.
    void setPlans(std::span<const inspector::WhatIf> others);
    /// Whether there is a trace to have an axis of time from.
    void setTimed(bool timed);

    [[nodiscard]] std::size_t method() const;
    [[nodiscard]] std::size_t arena() const;
    /// Position among the other plans and one; 0: the program's own.
    [[nodiscard]] std::size_t plan() const;
    [[nodiscard]] bool overTime() const;
    [[nodiscard]] ColourBy colourBy() const;
    [[nodiscard]] QString filter() const;
    [[nodiscard]] QString methodName() const;
    [[nodiscard]] QString arenaName() const;
    [[nodiscard]] QString planName() const;

    void chooseMethod(std::size_t at);
    /// Position among the other plans and one; 0: the program's own.
    void choosePlan(std::size_t at);
    /// False: there is none of that name.
    bool chooseMethod(const QString& name);
    bool chooseArena(const QString& name);
    bool choosePlan(const QString& name);
    void focusFilter();

    /// Axis and colours.
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
