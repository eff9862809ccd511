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

/// A session at one look: time, runs, memory and delegation as pictures, findings as cards, files with what
/// they are and what others would add. In two columns where there is room, else in one.
class DashboardView : public QScrollArea {
    Q_OBJECT

  public:
    /// `actionOf` names what leads on from a finding of a rule; empty: nothing does.
    DashboardView(std::function<QString(std::string_view rule)> actionOf, QWidget* parent);

    void show(const Overview& overview);
    void clear();
    /// All that is on screen in words: texts, and what pictures say to those who do not see them.
    [[nodiscard]] QString plainText();

  signals:
    void findingChosen(std::size_t finding);
    void findingActed(std::size_t finding);
    void instructionChosen(const std::string& method, core::InstructionId instruction);
    /// The link of a line ("findings:all", "open:files", …).
    void linkFollowed(const QString& link);

  protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void rebuild();
    void rebuildIfDue();
    QVBoxLayout* addPanel(QVBoxLayout* column, const QString& title);
    void addTimes();
    void addMemory();
    void addStrips();
    void addFindings();
    void addSection(QVBoxLayout* column, const OverviewSection& section);
    void arrange();

    std::function<QString(std::string_view)> action;
    Overview shown;
    bool isDue = false;  ///< to be built when it is on screen
    QWidget* content = nullptr;
    QBoxLayout* columns = nullptr;
    QVBoxLayout* left = nullptr;
    QVBoxLayout* right = nullptr;
};

}  // namespace et::visualizers
