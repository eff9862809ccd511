#pragma once

#include "app/studio/background.h"
#include "app/studio/room.h"
#include "inspector/size/duplicates.h"
#include "visualizers/size/size_scene.h"

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

/// Why the program's file is as big as it is: every byte on a map by module, dtype, backend, kind or tensor,
/// and below it what is there twice.
class SizeRoom : public Room {
    Q_OBJECT

  public:
    SizeRoom(const RoomContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    [[nodiscard]] visualizers::SizeMapWidget& view() { return *map; }
    [[nodiscard]] visualizers::ReportTable& duplicates() { return *table; }
    [[nodiscard]] bool busy() const { return looking.running() || comparing.running(); }

  private:
    struct Looked {
        std::shared_ptr<const visualizers::SizeScene> scene;  ///< null: it failed
        QString problem;
    };
    using Groups = std::vector<inspector::DuplicateGroup>;

    [[nodiscard]] QWidget* makeTools();
    [[nodiscard]] QWidget* makeMap();
    void showSession();
    void showLooked(const Looked& looked);
    void findDuplicates();
    void showDuplicates(const Groups& groups);
    void showPath();
    void showLegend();

    const visualizers::OpenSession& opened;
    Background<Looked> looking;
    Background<Groups> comparing;
    std::shared_ptr<const visualizers::SizeScene> scene;
    std::vector<std::optional<std::size_t>> rowPieces;  ///< by row of the table
    QComboBox* by;
    QLineEdit* search;
    QLabel* path;
    QLabel* chosen;
    QLabel* legend;
    QLabel* hint;
    visualizers::SizeMapWidget* map;
    visualizers::ReportTable* table;
    QStackedLayout* pages;
};

}  // namespace et::studio
