#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "inspector/size/duplicates.h"
#include "visualizers/size/size_scene.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedLayout;

namespace et::visualizers {
class ReportTable;
class SizeMapWidget;
}  // namespace et::visualizers

namespace et::studio {

/// Panel of the size of the program and its weights file: a map of every byte by module, dtype, backend, kind
/// or tensor, and below it the duplicates. Reports a missing weights file.
class SizePanel : public Panel {
    Q_OBJECT

  public:
    SizePanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    [[nodiscard]] visualizers::SizeMapWidget& view() { return *map; }
    [[nodiscard]] visualizers::ReportTable& duplicates() { return *table; }
    [[nodiscard]] bool busy() const { return looking.running() || comparing.running(); }

  private:
    struct ReadResult {
        std::shared_ptr<const visualizers::SizeScene> scene;  ///< null: it failed
        QString problem;
    };
    using Groups = std::vector<inspector::DuplicateGroup>;

    [[nodiscard]] QWidget* makeTools();
    [[nodiscard]] QWidget* makeMap();
    void showSession();
    void showLooked(const ReadResult& looked);
    void findDuplicates();
    void showDuplicates(const Groups& groups);
    void showPath();
    void showLegend();
    void showMissing();

    const visualizers::OpenSession& opened;
    std::function<void()> promptForFiles;
    Background<ReadResult> looking;
    Background<Groups> comparing;
    std::shared_ptr<const visualizers::SizeScene> scene;
    std::vector<std::optional<std::size_t>> rowPieces;  ///< by row of the table
    QComboBox* by;
    QLineEdit* search;
    QLabel* path;
    QLabel* chosen;
    QLabel* legend;
    QLabel* missing;  ///< needed by the program, but not open
    QLabel* hint;
    visualizers::SizeMapWidget* map;
    visualizers::ReportTable* table;
    QStackedLayout* pages;
};

}  // namespace et::studio
