#pragma once

#include <QPainter>

namespace et::visualizers {

/// Painter for plots of time, bytes or numbers: text is always left to right, like the axes, whatever the
/// language of the window. QPainter takes the direction from the application, not from the widget.
class PicturePainter : public QPainter {
  public:
    explicit PicturePainter(QPaintDevice* on) : QPainter(on) { setLayoutDirection(Qt::LeftToRight); }
};

}  // namespace et::visualizers
