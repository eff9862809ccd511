#pragma once

#include "inspector/graph/graph_overlay.h"
#include "visualizers/graph/graph_map.h"
#include "visualizers/graph/graph_marking.h"
#include "visualizers/graph/graph_place.h"
#include "visualizers/graph/graph_scene.h"
#include "visualizers/graph/plane_view.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <QImage>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// A scene to look at: a click chooses, a double click opens or folds a group; arrow keys walk along the
/// lines. A small picture of the whole stands in a corner while only a part is on screen.
class GraphCanvas : public ZoomPanWidget {
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
    /// What the pointer is over in any view.
    void setGlowing(std::vector<bool> nodes);
    /// What people have written to nodes, by node; empty: nothing.
    void setNotes(std::vector<QString> texts);
    /// What an empty canvas says.
    void setHint(const QString& text);

    [[nodiscard]] const std::shared_ptr<const GraphScene>& scene() const { return shownScene; }
    [[nodiscard]] const inspector::BoxColours& colours() const { return shownColours; }
    [[nodiscard]] const PlaneView& view() const { return window; }
    /// Somebody looked for a place or a scale of their own: it stays when the widget changes its size.
    [[nodiscard]] bool wasMoved() const { return showing == Showing::Place; }
    [[nodiscard]] const GraphMarks& marks() const { return marking.marks(); }
    [[nodiscard]] std::optional<std::size_t> currentBox() const { return marks().box; }
    [[nodiscard]] std::optional<std::size_t> currentFrame() const { return marks().frame; }
    /// What is chosen: a box, or an open group as a box.
    [[nodiscard]] std::optional<inspector::DiagramBox> chosenPart() const { return marking.part(); }

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

    [[nodiscard]] QString spokenValue() const override;
    void fitAll() override;
    void fitChosen() override;
    /// Opens the chosen folded group, or folds the chosen open one.
    void toggleChosen();
    /// Folds the group around what is chosen.
    void foldAround();

    /// The whole picture, or as much of it as fits into `maxPixels` on the longer side.
    [[nodiscard]] QImage picture(double scale, int maxPixels) const;
    /// Where the small picture of the whole is; empty where all is on screen.
    [[nodiscard]] QRectF mapRect() const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 150}; }

  signals:
    void chosen();                                 ///< by a person: a box, a frame or nothing
    void pointed(std::optional<std::size_t> box);  ///< the pointer is over it, or over none
    void viewMoved();
    void resized();
    void openRequested(et::core::GraphGroupId group);
    void foldRequested(et::core::GraphGroupId group);

  protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF& pixels) override;
    void click(const QPointF& at) override;
    bool doubleClick(const QPointF& at) override;
    bool holdAt(const QPointF& at) override;
    void follow(const QPointF& at) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;
    [[nodiscard]] QString notesTo(std::size_t box) const;

    void createActions();
    /// What a widget of another size shows.
    enum class Showing : std::uint8_t { Start, Whole, Place };
    void showAgain();
    void walk(GraphScene::Step step);
    void marksChanged();

    std::shared_ptr<const GraphScene> shownScene;
    inspector::BoxColours shownColours;
    GraphMarking marking;
    std::vector<QString> notes;  ///< by node
    Showing showing = Showing::Start;
    std::optional<std::size_t> below;  ///< the box under the pointer
    PlaneView window;
    GraphMap map;
    QString hint;
};

}  // namespace et::visualizers
