#include "app/studio/app_icon.h"

#include <QPainter>
#include <QPixmap>

#include <array>

namespace et::studio {

namespace {

/// All lengths are fractions of a unit square.
struct Bar {
    double left, top, width;
};
constexpr std::array bars{Bar{0.16, 0.20, 0.68}, Bar{0.16, 0.38, 0.30}, Bar{0.50, 0.38, 0.22},
                          Bar{0.24, 0.56, 0.18}, Bar{0.16, 0.74, 0.40}};
constexpr double barHeight = 0.11;
constexpr QRectF ring{0.50, 0.48, 0.30, 0.30};

}  // namespace

void paintAppIcon(QPainter& painter) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0x1d, 0x2b, 0x3a));
    painter.drawRoundedRect(QRectF(0.03, 0.03, 0.94, 0.94), 0.18, 0.18);
    painter.setBrush(QColor(0xee, 0x6c, 0x34));
    for (const Bar& bar : bars) {
        painter.drawRoundedRect(QRectF(bar.left, bar.top, bar.width, barHeight), 0.03, 0.03);
    }
    painter.setBrush(QColor(0x1d, 0x2b, 0x3a, 0xc0));
    painter.setPen(QPen(Qt::white, 0.06));
    painter.drawEllipse(ring);
    painter.setPen(QPen(Qt::white, 0.09, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(0.77, 0.75), QPointF(0.87, 0.85));
}

QIcon appIcon() {
    QIcon icon;
    for (const int side : std::array{16, 24, 32, 48, 64, 128, 256}) {
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(side, side);
        paintAppIcon(painter);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

}  // namespace et::studio
