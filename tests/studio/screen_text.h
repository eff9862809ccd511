#pragma once

#include <QColor>
#include <QList>
#include <QRect>
#include <QString>

class QWidget;

namespace et::test {

/// Visible text: words drawn next to each other on one line.
struct SeenText {
    QString text;
    QRect place;       ///< in window coordinates
    QRect visible;     ///< part of `place` that its view shows
    QRgb ink = 0;      ///< colour of its first word
    bool cut = false;  ///< the end of the text is outside of its view
};

/// All text that a window draws, top to bottom: labels, tables and custom-painted text. Excludes text that is
/// scrolled away, in a hidden tab or outside of the window.
[[nodiscard]] QList<SeenText> textsOnScreen(QWidget& window);

}  // namespace et::test
