// Writes the icon of et-studio to files for desktop integration: print_icons FOLDER

#include "app/studio/app_icon.h"

#include <QDir>
#include <QGuiApplication>
#include <QPainter>
#include <QSvgGenerator>

#include <cstdio>

namespace {

constexpr int svgSide = 128;

/// Writes files below FOLDER/<side>x<side>, the layout of icon themes.
bool printPictures(const QDir& folder, const QIcon& icon) {
    for (const QSize size : icon.availableSizes()) {
        const QString name = QStringLiteral("%1x%1").arg(size.width());
        if (!folder.mkpath(name) ||
            !icon.pixmap(size).save(folder.filePath(name + QStringLiteral("/et-studio.png")))) {
            return false;
        }
    }
    return true;
}

bool printDrawing(const QDir& folder) {
    if (!folder.mkpath(QStringLiteral("scalable"))) {
        return false;
    }
    QSvgGenerator generator;
    generator.setFileName(folder.filePath(QStringLiteral("scalable/et-studio.svg")));
    generator.setSize({svgSide, svgSide});
    generator.setViewBox(QRect(0, 0, svgSide, svgSide));
    generator.setTitle(QStringLiteral("et-studio"));
    QPainter painter;
    if (!painter.begin(&generator)) {
        return false;
    }
    painter.scale(svgSide, svgSide);
    et::studio::paintAppIcon(painter);
    return painter.end();
}

}  // namespace

int main(int argc, char** argv) {
    const QGuiApplication application(argc, argv);
    if (argc != 2) {
        std::fputs("usage: print_icons FOLDER\n", stderr);
        return 2;
    }
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    return printPictures(folder, et::studio::appIcon()) && printDrawing(folder) ? 0 : 1;
}
