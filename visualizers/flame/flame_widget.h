#pragma once

#include "visualizers/flame/flame_painter.h"
#include "visualizers/toolkit/flame_scene.h"
#include "visualizers/toolkit/zoom_pan_widget.h"
#include "visualizers/toolkit/zoom_range.h"

#include <memory>
#include <optional>

namespace et::visualizers {

class Selection;

/// A time tree as bars, each as wide as its time and below (or above) its parent. A click selects a node and
/// all events in it; a double click or F zooms to it.
class FlameWidget : public ZoomPanWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the widget.
    explicit FlameWidget(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setScene(std::shared_ptr<const FlameScene> shown);
    [[nodiscard]] const FlameScene* content() const { return scene.get(); }
    void setRootBelow(bool below);
    /// Nodes whose name does not contain it are pale; empty: none.
    void setSearch(const QString& text);

    [[nodiscard]] const ZoomRange& view() const { return window; }
    void showTimes(double from, double to);
    /// Rectangle of a node; empty if it is outside of the view.
    [[nodiscard]] QRectF rectOf(std::size_t node) const;
    [[nodiscard]] std::optional<std::size_t> chosenNode() const { return current; }
    /// Selects a node and all events in it.
    void choose(std::optional<std::size_t> node);
    void fit(std::size_t node);

    [[nodiscard]] QString spokenValue() const override;
    void fitAll() override;
    void fitChosen() override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 48}; }

  signals:
    void nodeChosen();
    void viewMoved();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF& pixels) override;
    void selectAdjacent(int by) override;
    void click(const QPointF& at) override;
    bool doubleClick(const QPointF& at) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;

    void selectInStack(bool down);
    void showChosen();
    void showHovered();
    void moved();
    [[nodiscard]] std::optional<std::size_t> nodeAt(const QPointF& at) const;
    [[nodiscard]] FlameLayout rowLayout() const;

    Selection& chosen;
    std::shared_ptr<const FlameScene> scene;
    FlamePainter painter;
    ZoomRange window;  ///< in the scene's unit of time
    std::optional<std::size_t> current;
    std::optional<std::size_t> pointed;
    bool choosing = false;  ///< the current selection change comes from this widget
    bool rootBelow = false;
    int scrolled = 0;
    QString search;
};

}  // namespace et::visualizers
