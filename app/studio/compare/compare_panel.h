#pragma once

#include "app/studio/background.h"
#include "app/studio/compare/trace_comparison.h"
#include "app/studio/panel.h"
#include "app/studio/panel_capabilities.h"
#include "app/studio/session_loader.h"
#include "inspector/program_diff/program_diff.h"
#include "inspector/session/session.h"
#include "visualizers/compare/aligned_steps.h"

#include <QString>

#include <array>
#include <filesystem>
#include <memory>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QStackedWidget;

namespace et::visualizers {
class ComparisonTable;
class ProgramDiffView;
}  // namespace et::visualizers

namespace et::studio {

class CompareOffers;

/// Result of comparing two programs.
struct ProgramComparison {
    std::shared_ptr<const inspector::ProgramDiff> diff;  ///< null: not comparable
    QString problem;                                     ///< why not
    std::array<visualizers::LinksByMethod, 2> links{};   ///< for A and B
};

/// Compares the open trace (A) with a second one or a baseline (B), operator by operator. B is the newest
/// additional trace of A, or is opened here for this purpose only. A second program is compared with the open
/// one.
class ComparePanel : public Panel, public ProgramComparer {
    Q_OBJECT

  public:
    ComparePanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    bool takeProgram(const std::filesystem::path& file) override;

    /// Opens the second trace, with its record if given.
    void openSecond(const std::vector<std::filesystem::path>& paths);
    [[nodiscard]] visualizers::ComparisonTable& view() { return *table; }
    /// Uses a baseline of `et-inspect baseline` as the second side.
    void openBaseline(const QString& name);
    [[nodiscard]] bool busy() const {
        return loader.busy() || comparing.running() || naming.running() || reading.running() ||
               diffing.running();
    }

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void createTools();
    void connectOffers(const std::function<void(std::string_view)>& enter);
    void chooseSecond();
    void chooseBaseline();
    void promptForBaseline(const std::vector<std::string>& names);
    [[nodiscard]] std::filesystem::path baselineFile() const;
    void closeSecond();
    void swap();
    [[nodiscard]] bool comparesTraces() const;
    void diffPrograms();
    void showPrograms(const ProgramComparison& made);
    void takeSecond(const LoadOutcome& outcome);
    void showSession();
    void compare();
    void showOutcome(const ComparisonOutcome& outcome);
    void showState(const QString& problem);
    void showNames();

    const visualizers::OpenSession& opened;
    QSettings& store;
    SessionLoader loader;
    Background<ComparisonOutcome> comparing;
    Background<core::Result<std::vector<std::string>>> naming;
    Background<core::Result<std::shared_ptr<const inspector::Measurement>>> reading;
    Background<ProgramComparison> diffing;
    ComparisonSide second;                  ///< B
    const etdump::Trace* beside = nullptr;  ///< newest additional trace of A; compared by address only
    bool swapped = false;
    std::filesystem::path otherProgram;  ///< program to compare with the open one; empty: none
    std::shared_ptr<const inspector::Session> programOf;  ///< the session that it was compared with
    QStackedWidget* pages;
    CompareOffers* offers;
    visualizers::ComparisonTable* table;
    visualizers::ProgramDiffView* programs;
    QLabel* files;
    QDoubleSpinBox* threshold;
    QAction* swapAction = nullptr;
    QAction* closeAction = nullptr;
};

}  // namespace et::studio
