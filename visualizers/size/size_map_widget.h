#pragma once

#include "inspector/size/treemap.h"
#include "visualizers/size/size_painter.h"
#include "visualizers/size/size_scene.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// The bytes of files as areas, each as large as what it takes, those of an owner together. A click on an
/// area chooses the operator that reads it first, one on the name of an owner goes into it; zooming goes from
/// owner to owner.
class SizeMapWidget : public ZoomPanWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the widget.
    explicit SizeMapWidget(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setScene(std::shared_ptr<const SizeScene> shown);
    [[nodiscard]] const SizeScene* content() const { return scene.get(); }
    void setBy(inspector::SizeBy by);
    /// Names without it are pale; empty: none is.
    void setSearch(const QString& text);

    [[nodiscard]] const std::vector<inspector::SizeNode>& nodes() const { return tree; }
    /// What has all of the widget.
    [[nodiscard]] std::size_t shownRoot() const { return root; }
    void enter(std::size_t node);
    [[nodiscard]] std::optional<std::size_t> chosenNode() const { return current; }
    void choose(std::optional<std::size_t> node);
    /// The node of a piece.
    [[nodiscard]] std::optional<std::size_t> nodeOf(std::size_t piece) const;
    /// Where a node is painted; empty where it is not.
    [[nodiscard]] QRectF rectOf(std::size_t node) const;
    /// By piece: what the chosen operators read first.
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
    void chooseBeside(int by) override;
    void click(const QPointF& at) override;
    bool doubleClick(const QPointF& at) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;

    void arrange();
    void layOut();
    void showChosen();
    void showHovered();
    [[nodiscard]] inspector::TreemapStyle style() const;
    [[nodiscard]] std::optional<std::size_t> nodeAt(const QPointF& at) const;
    /// The part of what is shown that has a place.
    [[nodiscard]] std::optional<std::size_t> partAt(const QPointF& at) const;

    Selection& chosen;
    SizePainter painter;
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
