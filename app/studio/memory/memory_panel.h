#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "visualizers/memory/memory_view.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

class QSettings;

namespace et::visualizers {
class Skeleton;
}

namespace et::studio {

/// Panel of the memory plans of the open program's methods, and of other memory.
class MemoryPanel : public Panel {
    Q_OBJECT

  public:
    MemoryPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;
    [[nodiscard]] QByteArray viewState() const override;
    void restoreView(const QByteArray& state) override;

    [[nodiscard]] visualizers::MemoryView& view() { return *memory; }
    [[nodiscard]] bool busy() const { return looking.running() || planning.running(); }

  private:
    void showSession();
    void saveViewState();
    void planAgain(const visualizers::MemoryPlans& plans);
    void writePlan();
    void promptAndSaveTrace();
    [[nodiscard]] QString saveTrace(const QString& to) const;

    const visualizers::OpenSession& opened;
    Background<visualizers::MemoryPlans> looking;
    Background<std::vector<visualizers::OtherPlans>> planning;
    std::function<void(const JobRequest&)> fix;
    visualizers::MemoryView* memory;
    QAction* writeAction;
    QAction* traceAction;
    QSettings& store;
    std::filesystem::path file;  ///< source of the displayed plans
    QByteArray wantedView{};     ///< view to restore when there are plans; empty: none
    std::optional<visualizers::MemoryViewState> kept{};  ///< view to restore after a reload
    visualizers::Skeleton* skeleton;                     ///< placeholder until there is content
};

}  // namespace et::studio
