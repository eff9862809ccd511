#pragma once

#include "inspector/graph/graph_overlay.h"
#include "visualizers/graph/graph_map.h"
#include "visualizers/graph/graph_painter.h"
#include "visualizers/graph/graph_place.h"
#include "visualizers/graph/graph_scene.h"
#include "visualizers/graph/plane_view.h"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// A scene to look at: the wheel zooms at the cursor, a drag pans, a click chooses, a double click opens or
/// folds a group; arrow keys walk along the lines. A small picture of the whole stands in a corner while only
/// a part is on screen.
class GraphCanvas : public QWidget {
    Q_OBJECT

  public:
    explicit GraphCanvas(QWidget* parent = nullptr);

    /// Null shows nothing. Where the graph is the same as before, what is chosen stays chosen, and where it
    /// is.
    void setScene(std::shared_ptr<const GraphScene> shown, inspector::BoxColours fills);
    void setColours(inspector::BoxColours fills);
    /// Flags by node; empty: none.
    void setFound(std::vector<bool> nodes);
    void setTraced(std::vector<bool> nodes);
    void setRelated(std::vector<bool> nodes);
    /// What an empty canvas says.
    void setHint(const QString& text);

    [[nodiscard]] const std::shared_ptr<const GraphScene>& scene() const { return shownScene; }
    [[nodiscard]] const inspector::BoxColours& colours() const { return shownColours; }
    [[nodiscard]] const PlaneView& view() const { return window; }
    [[nodiscard]] const GraphMarks& marks() const { return shownMarks; }
    [[nodiscard]] std::optional<std::size_t> currentBox() const { return shownMarks.box; }
    [[nodiscard]] std::optional<std::size_t> currentFrame() const { return shownMarks.frame; }

    /// What is chosen: a box, or an open group as a box.
    [[nodiscard]] std::optional<inspector::DiagramBox> chosenPart() const;

    /// What is on screen and chosen; nothing without a scene.
    [[nodiscard]] std::optional<GraphPlace> place() const;
    /// Shows and chooses it without a signal, as far as the graph still has it.
    void showPlace(const GraphPlace& place);

    /// Chooses without a signal, and brings it into sight.
    void showBox(std::size_t box);
    void showGroup(core::GraphGroupId group);
    void fitRect(const QRectF& part);
    /// As a person does: with a signal.
    void chooseBox(std::optional<std::size_t> box);
    void chooseFrame(std::size_t frame);

    void zoomIn();
    void zoomOut();
    void panLeft();
    void panRight();
    void panUp();
    void panDown();
    void fitAll();
    void fitChosen();
    void toInput();
    void toOutput();
    void toPrevious();
    void toNext();
    /// Opens the chosen folded group, or folds the chosen open one.
    void toggleChosen();
    /// Folds the group around what is chosen.
    void foldAround();

    /// The whole picture, or as much of it as fits into `mostPixels` on the longer side.
    [[nodiscard]] QImage picture(double scale, int mostPixels) const;
    /// Where the small picture of the whole is; empty where all is on screen.
    [[nodiscard]] QRectF mapRect() const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 150}; }

  signals:
    void chosen();  ///< by a person: a box, a frame or nothing
    void openRequested(et::core::GraphGroupId group);
    void foldRequested(et::core::GraphGroupId group);

  protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    void createActions();
    void zoom(double factor);
    void pan(double right, double down);
    void step(GraphScene::Step step);
    void remarkAll();
    void chooseAt(const QPointF& position);
    [[nodiscard]] QPointF cursor() const;
    [[nodiscard]] QString tipAt(const QPointF& position) const;
    void keepChoice(const GraphScene& before, const GraphMarks& marked);
    void fitStart();
    void keepPlace(const GraphScene& before, const PlaneView& old);

    std::shared_ptr<const GraphScene> shownScene;
    inspector::BoxColours shownColours;
    GraphMarks shownMarks;
    std::vector<bool> foundNodes;
    std::vector<bool> tracedNodes;
    std::vector<bool> relatedNodes;
    PlaneView window;
    GraphMap map;
    QString hint;
    std::optional<QPointF> pressed;
    bool dragging = false;
    bool onMap = false;
};

}  // namespace et::visualizers
