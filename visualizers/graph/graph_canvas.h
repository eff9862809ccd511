#pragma once

#include "inspector/graph/graph_overlay.h"
#include "visualizers/graph/graph_map.h"
#include "visualizers/graph/graph_marking.h"
#include "visualizers/graph/graph_scene.h"
#include "visualizers/graph/graph_view_state.h"
#include "visualizers/graph/plane_view.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// A graph scene: a click selects, a double click opens a folded group, shows an open one
/// whole, or folds it at its title, arrow keys follow edges. An
/// overview map appears in a corner while only a part is visible.
class GraphCanvas : public ZoomPanWidget {
    Q_OBJECT

  public:
    explicit GraphCanvas(QWidget* parent = nullptr);

    /// Null shows nothing. If the graph is unchanged, the selection and its position on screen are kept.
    void setScene(std::shared_ptr<const GraphScene> shown, inspector::BoxColours fills);
    void setColours(inspector::BoxColours fills);
    /// Flags by node; empty: none.
    void highlight(Highlight which, std::vector<bool> nodes);
    /// Notes by node; empty: none.
    void setNotes(std::vector<QString> texts);
    /// Text of an empty canvas.
    void setHint(const QString& text);

    [[nodiscard]] const std::shared_ptr<const GraphScene>& scene() const { return shownScene; }
    [[nodiscard]] const inspector::BoxColours& colours() const { return shownColours; }
    [[nodiscard]] const PlaneView& view() const { return window; }
    /// True if the user moved or zoomed the view, which then stays when the widget is resized.
    [[nodiscard]] bool wasMoved() const { return showing == Showing::Place; }
    [[nodiscard]] const GraphMarking& marked() const { return marking; }
    [[nodiscard]] const GraphMarks& marks() const { return marking.marks(); }
    [[nodiscard]] std::optional<std::size_t> currentBox() const { return marks().box; }

    /// The visible part and the selection; nothing without a scene.
    [[nodiscard]] std::optional<GraphViewState> place() const;
    /// Restores view and selection without a signal, as far as the graph still contains them.
    void showPlace(const GraphViewState& place);

    /// Selects without a signal and scrolls into view.
    void showBox(std::size_t box);
    void showGroup(core::GraphGroupId group);
    void fitRect(const QRectF& part);
    /// Selects like a user, with a signal.
    void chooseBox(std::optional<std::size_t> box);

    /// Selects the box or open group at a widget position.
    void click(const QPointF& at) override;

    [[nodiscard]] QString spokenValue() const override;
    void fitAll() override;
    void fitChosen() override;

    /// Rectangle of the overview map; empty if everything is visible.
    [[nodiscard]] QRectF mapRect() const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 150}; }

  signals:
    void chosen();                                 ///< by the user: a box, a frame or nothing
    void nodeDoubleClicked();                      ///< on the selected box, which is not a group
    void pointed(std::optional<std::size_t> box);  ///< the pointer is over this box, or over none
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
    bool doubleClick(const QPointF& at) override;
    bool holdAt(const QPointF& at) override;
    void follow(const QPointF& at) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;

    void createActions();
    /// Opens the selected folded group, or folds the selected open one.
    void toggleChosen();
    /// Folds the group around the selection.
    void foldAround();
    /// View after a resize.
    enum class Showing : std::uint8_t { Start, Whole, Place };
    void showAgain();
    void walk(GraphScene::Step step);
    void marksChanged();

    std::shared_ptr<const GraphScene> shownScene;
    inspector::BoxColours shownColours;
    GraphMarking marking;
    Showing showing = Showing::Start;
    std::optional<std::size_t> below;  ///< the box under the pointer
    PlaneView window;
    GraphMap map;
    QString hint;
};

}  // namespace et::visualizers
