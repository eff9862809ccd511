#include "visualizers/toolkit/skeleton.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <array>

namespace et::visualizers {

namespace {

constexpr int skeletonEdge = 12;
constexpr float paleness = 0.12F;  // opacity of the text colour on the background
/// Lengths of shapes in percent of the width, repeated.
constexpr std::array rowLengths{46, 72, 58, 34, 64, 50, 28, 68};
constexpr std::array laneLengths{31, 12, 22, 7, 16, 9};

}  // namespace

Skeleton::Skeleton(Shape what, QWidget* view) : QWidget(view), shape(what) {
    setObjectName(QStringLiteral("skeleton"));
    setAccessibleName(QStringLiteral("Loading"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    appearing.setSingleShot(true);
    appearing.setInterval(patience);
    connect(&appearing, &QTimer::timeout, this, [this] {
        setGeometry(parentWidget()->rect());
        raise();
        show();
    });
    view->installEventFilter(this);
}

void Skeleton::setWaiting(bool waiting) {
    if (!waiting) {
        appearing.stop();
        hide();
    } else if (!isVisible() && !appearing.isActive()) {
        appearing.start();
    }
}

bool Skeleton::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == parentWidget()) {
        setGeometry(parentWidget()->rect());
    }
    return QWidget::eventFilter(watched, event);
}

void Skeleton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QColor pale = palette().color(QPalette::Text);
    pale.setAlphaF(paleness);
    painter.setBrush(pale);
    const int letters = fontMetrics().height();
    const int high = shape == Shape::Rows ? letters * 2 / 3 : letters * 3 / 2;
    const int wide = width() - 2 * skeletonEdge;
    std::size_t next = 0;
    for (int y = skeletonEdge; y + high < height() - skeletonEdge; y += high + letters * 2 / 3) {
        if (shape == Shape::Rows) {
            painter.drawRoundedRect(skeletonEdge, y, wide * rowLengths[next++ % rowLengths.size()] / 100,
                                    high, high / 3.0, high / 3.0);
            continue;
        }
        for (int x = skeletonEdge; x < skeletonEdge + wide;) {
            const int length = wide * laneLengths[next++ % laneLengths.size()] / 100;
            painter.drawRect(x, y, std::min(length, skeletonEdge + wide - x), high);
            x += length + 2;
        }
    }
}

}  // namespace et::visualizers
