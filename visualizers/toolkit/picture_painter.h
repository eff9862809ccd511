#pragma once

#include <QPainter>

namespace et::visualizers {

/// Paints a picture of time, bytes or numbers: its texts go from left to right, as its axes do, whichever way
/// the language of the window is written. A QPainter takes that from the application, not from its widget.
class PicturePainter : public QPainter {
  public:
    explicit PicturePainter(QPaintDevice* on) : QPainter(on) { setLayoutDirection(Qt::LeftToRight); }
};

}  // namespace et::visualizers
