#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
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

/// Flame graph of a typical run, by module, Python call or delegate; with an additional trace, coloured by
/// the change in time.
class FlamePanel : public Panel {
    Q_OBJECT

  public:
    FlamePanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;
    [[nodiscard]] QByteArray viewState() const override;
    void restoreView(const QByteArray& state) override;

    [[nodiscard]] visualizers::FlameWidget& view() { return *widget; }
    [[nodiscard]] bool busy() const { return building.running(); }

  private:
    using Built = std::shared_ptr<const visualizers::FlameScene>;
    [[nodiscard]] QWidget* createTools();
    void showSession();
    void listBlocks();
    void listOthers();
    void build();
    void showPath();

    const visualizers::OpenSession& opened;
    Background<Built> building;
    std::shared_ptr<const inspector::EventBlocks> shown;  ///< source of the listed blocks
    QByteArray wantedView;  ///< view to restore when the tree is built; empty: none
    QComboBox* by;
    QComboBox* block;
    QComboBox* before;
    QLineEdit* search;
    QAction* blockAction = nullptr;
    QAction* beforeAction = nullptr;
    QAction* upside = nullptr;
    visualizers::FlameWidget* widget;
    QLabel* path;
    visualizers::Skeleton* skeleton;  ///< placeholder until there is content
};

}  // namespace et::studio
