#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "visualizers/outline/outline_bytes.h"
#include "visualizers/toolkit/flame_scene.h"
#include "visualizers/toolkit/hover_tree.h"

#include <memory>

class QComboBox;
class QLineEdit;
class QSortFilterProxyModel;

namespace et::visualizers {
class OutlineModel;
class Skeleton;
}  // namespace et::visualizers

namespace et::studio {

/// Panel of the model as a tree: modules with their operators, or operators in execution order, each with
/// bars for its time and error. The path to the node with the longest time is expanded.
class OutlinePanel : public Panel {
    Q_OBJECT

  public:
    OutlinePanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void arrangedFor(const Perspective& perspective) override;

    [[nodiscard]] bool busy() const { return building.running(); }
    [[nodiscard]] visualizers::OutlineModel& model() { return *outline; }
    [[nodiscard]] QTreeView& tree() { return *rows; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Built {
        std::shared_ptr<const visualizers::FlameScene> scene{};
        visualizers::WrittenBytes bytes{};
    };
    void createTools();
    void createRows();
    void showSession();
    void build();
    void take(const Built& built);
    void showGap();
    void showNumbers();
    void showCurrent();
    void choose();

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    visualizers::Results& results;
    Background<Built> building;
    std::shared_ptr<const inspector::EventBlocks> shown;
    visualizers::OutlineModel* outline;
    QSortFilterProxyModel* filtered;
    QComboBox* by;
    QLineEdit* filter;
    visualizers::HoverTree* rows;
    bool showsError = false;          ///< the perspective shows the error
    bool choosing = false;            ///< the selection and this panel are being synchronized
    visualizers::Skeleton* skeleton;  ///< placeholder until there is content
};

}  // namespace et::studio
