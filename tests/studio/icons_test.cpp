// Tests of our icons: every perspective has one that loads and uses the text colour.
#include "app/studio/icons.h"

#include "app/studio/appearance.h"
#include "app/studio/perspectives.h"

#include <QApplication>
#include <QImage>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

#include <gtest/gtest.h>

#include <set>

namespace et::test {

namespace {

/// True if there are pixels of this colour and all others are paler.
bool isDrawnIn(const QImage& picture, const QColor& ink) {
    int drawn = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            drawn += picture.pixelColor(x, y) == ink ? 1 : 0;
        }
    }
    return drawn > 8;
}

TEST(Icons, UseTheTextColour) {
    std::set<std::string_view> names;
    for (const studio::IconInfo& each : studio::icons()) {
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        const QSvgRenderer drawing(studio::iconFile(each.name, QStringLiteral("#1d2129")));
        EXPECT_TRUE(drawing.isValid()) << each.name;
        for (const auto appearance : {studio::Appearance::Light, studio::Appearance::Dark}) {
            studio::apply(appearance);
            const QImage picture = studio::icon(each.name).pixmap(QSize(48, 48), 1).toImage();
            EXPECT_TRUE(isDrawnIn(picture.convertToFormat(QImage::Format_ARGB32),
                                  QApplication::palette().color(QPalette::WindowText)))
                << each.name;
        }
    }
    studio::apply(studio::Appearance::Light);
}

TEST(Icons, EveryPerspectiveHasOne) {
    for (const studio::Perspective& plan : studio::perspectives()) {
        EXPECT_FALSE(studio::icon(plan.id).isNull()) << plan.id;
    }
    EXPECT_TRUE(studio::icon("unheard of").isNull());
}

}  // namespace

}  // namespace et::test
