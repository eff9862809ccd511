#pragma once

#include "app/studio/background.h"
#include "app/studio/compare/trace_comparison.h"
#include "app/studio/room.h"
#include "app/studio/session_loader.h"

#include <filesystem>
#include <memory>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QStackedWidget;

namespace et::visualizers {
class ComparisonTable;
}

namespace et::studio {

/// The open trace (A) against a second one (B), operator by operator.
class CompareRoom : public Room {
    Q_OBJECT

  public:
    CompareRoom(const RoomContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    /// Opens the second trace, with its record where that is given too.
    void openSecond(const std::vector<std::filesystem::path>& paths);
    [[nodiscard]] visualizers::ComparisonTable& view() { return *table; }
    [[nodiscard]] bool busy() const { return loader.busy() || comparing.running(); }

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void createTools();
    QWidget* createHintPage();
    QAction* addCommand(const QString& text, const QKeySequence& key, void (CompareRoom::*slot)());
    void chooseSecond();
    void closeSecond();
    void swap();
    void takeSecond(const LoadOutcome& outcome);
    void compare();
    void showOutcome(const ComparisonOutcome& outcome);
    void showState(const QString& problem);

    visualizers::Selection& chosen;
    QSettings& store;
    SessionLoader loader;
    Background<ComparisonOutcome> comparing;
    std::shared_ptr<const inspector::Session> second;  ///< B; null: none
    bool swapped = false;
    QStackedWidget* pages;
    QLabel* hint;
    visualizers::ComparisonTable* table;
    QLabel* files;
    QDoubleSpinBox* threshold;
    QAction* swapAction = nullptr;
    QAction* closeAction = nullptr;
};

}  // namespace et::studio
