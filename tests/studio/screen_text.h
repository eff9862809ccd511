#pragma once

#include <QColor>
#include <QList>
#include <QRect>
#include <QString>

class QWidget;

namespace et::test {

/// A text as a person sees it: words on one line that were drawn beside one another.
struct SeenText {
    QString text;
    QRect place;       ///< in the window
    QRect visible;     ///< the part of `place` that its view shows
    QRgb ink = 0;      ///< the colour of its first word
    bool cut = false;  ///< the end of what was drawn lies outside of what its view shows
};

/// All texts that a window draws, top to bottom: of labels, tables and of pictures that paint their own
/// words. What is scrolled away, behind another tab or outside of the window is not among them.
[[nodiscard]] QList<SeenText> textsOnScreen(QWidget& window);

}  // namespace et::test
