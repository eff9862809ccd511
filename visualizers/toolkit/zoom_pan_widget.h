#pragma once

#include "visualizers/toolkit/spoken_picture.h"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <optional>

namespace et::visualizers {

/// What a picture can do besides zooming and panning from left to right.
struct ZoomPanTraits {
    bool upDown = false;    ///< there is more above or below
    bool zoomsUp = false;   ///< its upright axis zooms by itself
    bool marks = false;     ///< Shift and a drag mark a stretch of its axis
    QString chosenThing{};  ///< what F fits: "Event"
    QString nextThing{};    ///< what the arrow keys lead to; empty: nothing
};

/// A picture of which a part is on screen. Keys, wheel and drags are the same for all of them: W and S, + and
/// - or the wheel zoom at the cursor (with Shift the keys, with Ctrl the wheel: the upright axis); A and D, a
/// drag or Shift and the wheel pan; Space shows all, F what is chosen; left and right go from one thing to
/// the next; Shift and a drag mark a stretch. A class for a picture says what each of these does.
class ZoomPanWidget : public QWidget, public SpokenPicture {
    Q_OBJECT

  public:
    ZoomPanWidget(const ZoomPanTraits& can, QWidget* parent);

    static constexpr double zoomStep = 0.75;  ///< of what is on screen, for a key or a notch of the wheel
    static constexpr double panPart = 0.2;    ///< of what is on screen, for a key

    void zoomIn() { zoom(zoomStep, Axis::Along, zoomCentre()); }
    void zoomOut() { zoom(1 / zoomStep, Axis::Along, zoomCentre()); }
    [[nodiscard]] QString spokenValue() const override { return accessibleDescription(); }
    /// By parts of what is on screen.
    void panBy(double right, double down);
    virtual void fitAll() = 0;
    virtual void fitChosen() = 0;

  protected:
    enum class Axis : std::uint8_t { Along, Up };

    /// Shows `factor` of what is on screen; what is at `at` stays there.
    virtual void zoom(double factor, Axis axis, const QPointF& at) = 0;
    /// Shows what is `pixels` further to the right and down.
    virtual void pan(const QPointF& pixels) = 0;
    /// Chooses the next or the previous thing.
    virtual void chooseBeside(int) {}
    virtual void click(const QPointF& at) = 0;
    /// False: it is another click.
    virtual bool doubleClick(const QPointF&) { return false; }
    /// Marks the stretch between two pixels, the left one first.
    virtual void mark(double, double) {}
    /// What the mouse is over; nothing: it has left.
    virtual void hover(std::optional<QPointF>) {}
    /// Whether the picture has something at this place that moves by itself; then follow() is called.
    virtual bool holdAt(const QPointF&) { return false; }
    virtual void follow(const QPointF&) {}
    [[nodiscard]] virtual QString tipAt(const QPointF& at) const = 0;
    /// The part of the widget that moves.
    [[nodiscard]] virtual QRectF pictureArea() const { return rect(); }
    /// What stays in place where the mouse is elsewhere.
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

    ZoomPanTraits traits;
    Gesture gesture = Gesture::None;
    QPointF dragFrom;  ///< where the button went down, or the last step of a pan
};

}  // namespace et::visualizers
