#pragma once

#include "inspector/size/treemap.h"
#include "visualizers/size/size_scene.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <QColor>
#include <QPalette>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace et::visualizers {

/// The colour of a kind on the background of `palette`.
[[nodiscard]] QColor sizeColour(inspector::SizeKind kind, const QPalette& palette);

/// The bytes of files as a treemap, grouped by owner. A click on an area selects the first operator that
/// reads it; a click on the name of an owner enters it; zooming moves between owners.
class SizeMapWidget : public ZoomPanWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the widget.
    explicit SizeMapWidget(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setScene(std::shared_ptr<const SizeScene> shown);
    [[nodiscard]] const SizeScene* content() const { return scene.get(); }
    void setBy(inspector::SizeBy by);
    /// Nodes whose name does not contain it are pale; empty: none.
    void setSearch(const QString& text);

    [[nodiscard]] const std::vector<inspector::SizeNode>& nodes() const { return tree; }
    /// The node that fills the widget.
    [[nodiscard]] std::size_t shownRoot() const { return root; }
    void enter(std::size_t node);
    [[nodiscard]] std::optional<std::size_t> chosenNode() const { return current; }
    void choose(std::optional<std::size_t> node);
    /// The node of a piece.
    [[nodiscard]] std::optional<std::size_t> nodeOf(std::size_t piece) const;
    /// Rectangle of a node; empty if it is not visible.
    [[nodiscard]] QRectF rectOf(std::size_t node) const;
    /// By piece: whether a selected operator is its first reader.
    [[nodiscard]] const std::vector<bool>& linkedPieces() const { return linked; }

    [[nodiscard]] QString spokenValue() const override;
    void fitAll() override { enter(0); }
    void fitChosen() override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 80}; }

  signals:
    void nodeChosen();
    void rootChanged();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF&) override {}
    void selectAdjacent(int by) override;
    void click(const QPointF& at) override;
    bool doubleClick(const QPointF& at) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;

    void arrange();
    void layOut();
    void showChosen();
    void showHovered();
    [[nodiscard]] inspector::TreemapStyle style() const;
    [[nodiscard]] QColor colourOf(const inspector::SizeNode& node) const;
    void paintFrames(QPainter& painter) const;
    [[nodiscard]] std::optional<std::size_t> nodeAt(const QPointF& at) const;
    /// The child of the shown node at a point.
    [[nodiscard]] std::optional<std::size_t> partAt(const QPointF& at) const;

    Selection& chosen;
    std::shared_ptr<const SizeScene> scene;
    inspector::SizeBy summed = inspector::SizeBy::Module;
    std::vector<inspector::SizeNode> tree;
    std::vector<inspector::MapCell> cells;  ///< by node
    std::size_t root = 0;
    std::optional<std::size_t> current;
    std::vector<bool> linked;
    std::vector<bool> glowing;
    QString search;
    bool choosing = false;
};

}  // namespace et::visualizers
