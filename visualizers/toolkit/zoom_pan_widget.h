#pragma once

#include "visualizers/toolkit/spoken_picture.h"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <optional>

namespace et::visualizers {

/// Capabilities of a plot besides horizontal zooming and panning.
struct ZoomPanOptions {
    bool upDown = false;   ///< can be scrolled vertically
    bool zoomsUp = false;  ///< its vertical axis zooms independently
    bool marks = false;    ///< Shift+drag marks a range of its axis
    QString itemName{};    ///< name of the item that F fits: "Event"
    QString stepName{};    ///< name of the items that arrow keys select; empty: none
};

/// Base of plots that show a part of their content, with common keys, wheel and drags: W and S, + and - or
/// the wheel zoom at the cursor (the keys with Shift and the wheel with Ctrl: the vertical axis); A and D, a
/// drag or Shift+wheel pan; Space shows everything, F the selection; left and right select the neighbouring
/// item; Shift+drag marks a range. Subclasses implement these actions.
class ZoomPanWidget : public QWidget, public SpokenPicture {
    Q_OBJECT

  public:
    ZoomPanWidget(const ZoomPanOptions& can, QWidget* parent);

    static constexpr double zoomStep = 0.75;  ///< fraction of the visible part kept per key or wheel notch
    static constexpr double panPart = 0.2;    ///< fraction of the visible part per key

    void zoomIn() { zoom(zoomStep, Axis::Along, zoomCentre()); }
    void zoomOut() { zoom(1 / zoomStep, Axis::Along, zoomCentre()); }
    [[nodiscard]] QString spokenValue() const override { return accessibleDescription(); }
    /// In fractions of the visible part.
    void panBy(double right, double down);
    virtual void fitAll() = 0;
    virtual void fitChosen() = 0;

  protected:
    enum class Axis : std::uint8_t { Along, Up };

    /// Scales the visible part by `factor`, keeping the point `at` in place.
    virtual void zoom(double factor, Axis axis, const QPointF& at) = 0;
    /// Moves the visible part `pixels` to the right and down.
    virtual void pan(const QPointF& pixels) = 0;
    /// Selects the next or previous item.
    virtual void selectAdjacent(int) {}
    virtual void click(const QPointF& at) = 0;
    /// Returns false to handle it as another click.
    virtual bool doubleClick(const QPointF&) { return false; }
    /// Marks the range between two pixels, left one first.
    virtual void mark(double, double) {}
    /// Pointer position; nothing if it has left.
    virtual void hover(std::optional<QPointF>) {}
    /// True if the plot has an item at this position that is dragged separately; follow() is then called.
    virtual bool holdAt(const QPointF&) { return false; }
    virtual void follow(const QPointF&) {}
    [[nodiscard]] virtual QString tipAt(const QPointF& at) const = 0;
    /// The area of the widget that zooms and pans.
    [[nodiscard]] virtual QRectF pictureArea() const { return rect(); }
    /// Zoom centre if the pointer is elsewhere.
    [[nodiscard]] virtual QPointF stillPoint() const { return pictureArea().center(); }

    bool event(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    enum class Gesture : std::uint8_t { None, Pressed, Panning, Marking, Following };

    void createZoomActions();
    void createPanActions();
    void createChoiceActions();
    [[nodiscard]] QPointF zoomCentre() const;

    ZoomPanOptions traits;
    Gesture gesture = Gesture::None;
    QPointF dragFrom;  ///< position of the press or of the last pan step
};

}  // namespace et::visualizers
