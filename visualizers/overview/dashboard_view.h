#pragma once

#include "visualizers/overview/overview.h"

#include <QScrollArea>

#include <functional>
#include <string>
#include <vector>

class QBoxLayout;
class QLabel;
class QVBoxLayout;

namespace et::visualizers {

/// Dashboard of a session. Row 1: answers as tiles. Row 2: the slowest operators and the findings. Below:
/// time, runs, memory and delegation as plots, files with their descriptions and missing files that would add
/// data. Rows have two columns if there is space, otherwise one.
class DashboardView : public QScrollArea {
    Q_OBJECT

  public:
    /// `actionOf` returns the name of the follow-up action of a rule's finding; empty: none.
    DashboardView(std::function<QString(std::string_view rule)> actionOf, QWidget* parent);

    void show(const Overview& overview);
    void clear();
    /// All content as text, including the accessible values of plots.
    [[nodiscard]] QString plainText();

  signals:
    void findingChosen(std::size_t finding);
    void findingActed(std::size_t finding);
    void instructionChosen(const std::string& method, core::InstructionId instruction);
    /// Emitted with the link of a line ("findings:all", "open:files", …).
    void linkFollowed(const QString& link);

  protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void rebuild();
    void rebuildIfDue();
    QVBoxLayout* addPanel(QVBoxLayout* column, const QString& title);
    /// Adds two columns below the others; the following panels are added to them.
    void beginRow(QVBoxLayout& rows);
    void addAnswers(QVBoxLayout& rows);
    void addOperators();
    void addTimes();
    void addMemory();
    void addStrips();
    void addFindings();
    void addSection(QVBoxLayout* column, const OverviewSection& section);
    void arrange();

    std::function<QString(std::string_view)> action;
    Overview shown;
    bool isDue = false;  ///< to be built when visible
    QWidget* content = nullptr;
    std::vector<QBoxLayout*> columns;  ///< two columns each; the tiles
    QVBoxLayout* left = nullptr;
    QVBoxLayout* right = nullptr;
};

}  // namespace et::visualizers
