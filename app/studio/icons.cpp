#include "app/studio/icons.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

constexpr std::array table{
    // Perspectives.
    IconInfo{"overview",
             "<path d='M2.5 2.5h5v5h-5zM10 2.5h3.5v5H10zM2.5 10h3.5v3.5H2.5zM8.5 10h5v3.5h-5z'/>"},
    IconInfo{"time", "<path d='M1.5 3.5h9M4.5 8h10M2.5 12.5h6' stroke-width='2.6'/>"},
    IconInfo{"memory",
             "<path d='M3.5 3.5h9v9h-9zM6 1.5v2M10 1.5v2M6 12.5v2M10 12.5v2M1.5 6h2M1.5 10h2M12.5 "
             "6h2M12.5 10h2'/>"},
    IconInfo{"numbers", "<path d='M2 13.5h12M2 10.5l3-1 3 .5 3-5.5 3-2'/><circle cx='11' cy='4.5' r='1.6'/>"},
    IconInfo{"change", "<path d='M2 5h10M9.5 2.5L12.5 5 9.5 7.5M14 11H4M6.5 8.5L3.5 11l3 2.5'/>"},
    IconInfo{"structure",
             "<path d='M5.5 1.5h5v3h-5zM1.5 11.5h5v3h-5zM9.5 11.5h5v3h-5zM8 4.5v3M4 "
             "11.5v-4h8v4'/>"},
    IconInfo{"run", "<path d='M4.5 2.5l8.5 5.5-8.5 5.5z'/>"},
    IconInfo{"lab",
             "<path d='M2 2v12h12'/><circle cx='4.5' cy='4' r='1.2'/><circle cx='6.5' cy='8' r='1.2'/>"
             "<circle cx='9.5' cy='10.5' r='1.2'/><circle cx='13' cy='11.5' r='1.2'/>"},
    IconInfo{
        "debug",
        "<ellipse cx='8' cy='9.5' rx='3.5' ry='4.5'/><path d='M5.5 5.5a2.5 2.5 0 0 1 5 0M4.5 9.5h-3M14.5 "
        "9.5h-3M5 7L2.5 4.5M11 7l2.5-2.5M5 12.5L2.5 15M11 12.5l2.5 2.5M8 5v9'/>"},
    // Icons of the left pane.
    IconInfo{"outline", "<path d='M2 2.5h5M4.5 2.5v10.5M4.5 7.5h3M4.5 13h3M8.5 7.5h5.5M8.5 13h5.5'/>"},
    IconInfo{"files", "<path d='M4.5 1.5h6l3 3v8h-9zM10.5 1.5v3h3M4.5 4h-2v10.5h8.5v-2'/>"},
    IconInfo{"runs", "<path d='M2 13.5h12M3.5 13.5V8M6.5 13.5V4.5M9.5 13.5V9.5M12.5 13.5V6'/>"},
    // Commands.
    IconInfo{"open", "<path d='M1.5 13V3.5h4l1.5 2h6.5V13zM1.5 8h12'/>"},
    IconInfo{"side-by-side", "<path d='M1.5 2.5h5.5v11H1.5zM9 2.5h5.5v11H9zM11.75 5.5v5M9.75 8h4'/>"},
    IconInfo{"recent", "<circle cx='8' cy='8' r='6'/><path d='M8 4.5V8l2.5 2'/>"},
    IconInfo{"save", "<path d='M2.5 2.5h9l2 2v9h-11zM5 2.5v4h5.5v-4M4.5 13.5v-4h7v4'/>"},
    IconInfo{"export", "<path d='M8 10V1.5M5 4.5l3-3 3 3M2.5 8.5v5h11v-5'/>"},
    IconInfo{"reload", "<path d='M13.5 8a5.5 5.5 0 1 1-1.8-4.1M13.5 1.5v3h-3'/>"},
    IconInfo{"close", "<path d='M3.5 3.5l9 9M12.5 3.5l-9 9'/>"},
    IconInfo{"find", "<circle cx='7' cy='7' r='4.5'/><path d='M10.5 10.5l4 4'/>"},
    IconInfo{"command", "<path d='M2 4l4 4-4 4M8 12.5h6'/>"},
    IconInfo{"picture",
             "<path d='M1.5 3h13v10h-13zM1.5 11l4-4 3 3 2-2 4 3.5'/><circle cx='11' cy='6' r='1'/>"},
    IconInfo{
        "link",
        "<path d='M6.5 9.5l3-3M7.5 4.5L9 3a2.8 2.8 0 0 1 4 4l-1.5 1.5M8.5 11.5L7 13a2.8 2.8 0 0 1-4-4l1.5-"
        "1.5'/>"},
    IconInfo{"back", "<path d='M13.5 8h-11M6.5 4l-4 4 4 4'/>"},
    IconInfo{"forward", "<path d='M2.5 8h11M9.5 4l4 4-4 4'/>"},
    IconInfo{"keys", "<path d='M1.5 4h13v8h-13zM4 6.5h1M7.5 6.5h1M11 6.5h1M4.5 9.5h7'/>"},
    IconInfo{"tour", "<path d='M3.5 14.5v-13M3.5 2.5h9l-2.5 3 2.5 3h-9'/>"},
    IconInfo{"sample", "<path d='M6 1.5h4M6.5 1.5v5l-4 7h11l-4-7v-5M4.5 10h7'/>"},
    IconInfo{"note", "<path d='M3 2.5h10v7l-4 4H3zM13 9.5H9v4M5.5 5.5h5M5.5 8h3'/>"},
    IconInfo{"float", "<path d='M1.5 5.5h9v9h-9zM5.5 5.5v-4h9v9h-4'/>"},
    IconInfo{"more", "<path d='M3 3.5L7.5 8 3 12.5M8.5 3.5L13 8l-4.5 4.5'/>"},
    IconInfo{"debug-continue", "<path d='M2.5 2.5v11M5.5 2.5L13.5 8l-8 5.5z'/>"},
    IconInfo{"debug-next",
             "<path d='M2.5 8.5a5.5 5.5 0 0 1 10.5-1.5M13.5 3v4.5H9'/><circle cx='8' cy='12.5' r='1.5'/>"},
    IconInfo{"debug-into", "<path d='M8 1.5V9M5 6l3 3 3-3'/><circle cx='8' cy='12.5' r='1.5'/>"},
    IconInfo{"debug-out", "<path d='M8 9V1.5M5 4.5l3-3 3 3'/><circle cx='8' cy='12.5' r='1.5'/>"},
    IconInfo{"debug-back",
             "<path d='M13.5 8.5A5.5 5.5 0 0 0 3 7M2.5 3v4.5H7'/><circle cx='8' cy='12.5' r='1.5'/>"},
    IconInfo{"debug-reverse", "<path d='M13.5 2.5v11M10.5 2.5L2.5 8l8 5.5z'/>"},
    IconInfo{"debug-pause", "<path d='M5 2.5v11M11 2.5v11' stroke-width='2.6'/>"},
    IconInfo{"stop", "<path d='M3.5 3.5h9v9h-9z'/>"},
    IconInfo{"restart", "<path d='M2.5 8a5.5 5.5 0 1 0 1.8-4.1M2.5 1.5v3h3'/>"},
    IconInfo{"alone", "<path d='M2 6V2h4M14 6V2h-4M2 10v4h4M14 10v4h-4'/>"},
};

class LineIcon : public QIconEngine {
  public:
    explicit LineIcon(std::string_view of) : name(of) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QColor colour = ink(mode);
        QSvgRenderer drawing(iconFile(name, colour.name()));
        painter->save();
        painter->setOpacity(painter->opacity() * colour.alphaF());
        drawing.render(painter, rect);
        painter->restore();
    }
    /// Caches the pixmap: parsing and drawing an icon takes longer than the rest of painting a button.
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        const QString key = QStringLiteral("et-icon/%1/%2/%3x%4")
                                .arg(QLatin1String(name.data(), static_cast<qsizetype>(name.size())),
                                     ink(mode).name(QColor::HexArgb))
                                .arg(size.width())
                                .arg(size.height());
        QPixmap picture;
        if (!QPixmapCache::find(key, &picture)) {
            picture = QPixmap(size);
            picture.fill(Qt::transparent);
            QPainter painter(&picture);
            paint(&painter, QRect(QPoint(0, 0), size), mode, state);
            QPixmapCache::insert(key, picture);
        }
        return picture;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new LineIcon(name); }

  private:
    [[nodiscard]] static QColor ink(QIcon::Mode mode) {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        return QGuiApplication::palette().color(
            group, mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::WindowText);
    }

    std::string_view name;  ///< from the table
};

}  // namespace

std::span<const IconInfo> icons() {
    return table;
}

QByteArray iconFile(std::string_view name, const QString& colour) {
    const auto* const found = std::ranges::find(table, name, &IconInfo::name);
    if (found == table.end()) {
        return {};
    }
    return QStringLiteral(
               "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='%1' "
               "stroke-width='1.2' stroke-linecap='round' stroke-linejoin='round'>%2</svg>\n")
        .arg(colour, QLatin1String(found->svg.data(), static_cast<qsizetype>(found->svg.size())))
        .toUtf8();
}

QIcon icon(std::string_view name) {
    const auto* const found = std::ranges::find(table, name, &IconInfo::name);
    return found == table.end() ? QIcon() : QIcon(new LineIcon(found->name));
}

}  // namespace et::studio
