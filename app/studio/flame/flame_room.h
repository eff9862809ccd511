#pragma once

#include "app/studio/background.h"
#include "app/studio/room.h"
#include "visualizers/toolkit/flame_scene.h"

#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;

namespace et::visualizers {
class FlameWidget;
class Skeleton;
}  // namespace et::visualizers

namespace et::studio {

/// Where the time of a typical run goes, as a flame graph: by module, by Python call or by delegate; with a
/// further trace, coloured by what became slower and faster.
class FlameRoom : public Room {
    Q_OBJECT

  public:
    FlameRoom(const RoomContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;
    [[nodiscard]] QByteArray viewState() const override;
    void restoreView(const QByteArray& state) override;

    [[nodiscard]] visualizers::FlameWidget& view() { return *widget; }
    [[nodiscard]] bool busy() const { return building.running(); }

  private:
    using Built = std::shared_ptr<const visualizers::FlameScene>;
    void createTools();
    void showSession();
    void listBlocks();
    void listOthers();
    void build();
    void showPath();

    const visualizers::OpenSession& opened;
    Background<Built> building;
    std::shared_ptr<const inspector::EventBlocks> shown;  ///< whose blocks are listed
    QByteArray wantedView;                                ///< to be shown when the tree is built; empty: none
    QComboBox* by;
    QComboBox* block;
    QComboBox* before;
    QLineEdit* search;
    QAction* blockAction = nullptr;
    QAction* beforeAction = nullptr;
    QAction* upside = nullptr;
    visualizers::FlameWidget* widget;
    QLabel* path;
    visualizers::Skeleton* skeleton;  ///< until there is something to show
};

}  // namespace et::studio
