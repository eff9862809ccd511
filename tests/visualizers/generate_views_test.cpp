// Tests of the text, rate and map views of a generation.
#include "visualizers/generate/generated_text.h"
#include "visualizers/generate/position_map.h"
#include "visualizers/generate/rate_plot.h"

#include <QImage>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <array>

namespace et::visualizers {

namespace {

/// Adds a prompt of two tokens and four generated tokens, the first with the prompt's time.
void fill(GeneratedTokens& tokens) {
    tokens.add({.id = 1, .position = 0, .text = {}});
    tokens.add({.id = 7, .position = 1, .text = QStringLiteral("Once")});
    constexpr std::array times{9.0, 1.0, 2.0, 1.0};
    constexpr std::array surprises{0.0, 0.5, 6.5, 3.0};
    const QStringList texts{QStringLiteral(" upon"), QStringLiteral(" a"), QStringLiteral("\n"),
                            QStringLiteral("x")};
    for (std::size_t i = 0; i < times.size(); ++i) {
        tokens.add({.id = static_cast<std::uint32_t>(20 + i),
                    .position = 2 + i,
                    .text = texts[static_cast<qsizetype>(i)],
                    .generated = true,
                    .milliseconds = times[i],
                    .surprise = surprises[i]});
    }
}

class GeneratedTextTest : public testing::Test {
  protected:
    GeneratedTextTest() {
        text.resize(500, 200);
        text.show();  // needed for its layout
        fill(tokens);
    }
    [[nodiscard]] QPoint placeOf(int character) {
        QTextCursor cursor(text.document());
        cursor.setPosition(character);
        return text.cursorRect(cursor).center() + QPoint(3, 0);
    }

    GeneratedTokens tokens;
    GeneratedText text{tokens};
};

TEST_F(GeneratedTextTest, ShowsTheTextAsItComes) {
    EXPECT_EQ(text.toPlainText(), QStringLiteral("Once upon a\nx"));
    tokens.add({.id = 9, .position = 6, .text = QStringLiteral("yz"), .generated = true});
    EXPECT_EQ(text.toPlainText(), QStringLiteral("Once upon a\nxyz"));
    tokens.clear();
    EXPECT_TRUE(text.toPlainText().isEmpty());
}

TEST_F(GeneratedTextTest, BackgroundShowsSurpriseOrTime) {
    const auto strength = [this](std::size_t token) {
        return text.groundOf(token).isValid() ? 255 - text.groundOf(token).lightness() : 0;
    };
    EXPECT_FALSE(text.groundOf(1).isValid()) << "the prompt";
    EXPECT_FALSE(text.groundOf(2).isValid()) << "certain";
    EXPECT_LT(strength(3), strength(5));
    EXPECT_LT(strength(5), strength(4));
    text.setColour(GeneratedText::Colour::Time);
    EXPECT_FALSE(text.groundOf(2).isValid()) << "the first has the time of the prompt";
    EXPECT_FALSE(text.groundOf(3).isValid()) << "the median";
    EXPECT_TRUE(text.groundOf(4).isValid()) << "twice the median";
}

TEST_F(GeneratedTextTest, ClickAndKeysSelectTokens) {
    QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, placeOf(6));
    ASSERT_TRUE(tokens.chosen());
    EXPECT_EQ(*tokens.chosen(), 2U) << "upon";
    QTest::keyClick(&text, Qt::Key_Right);
    EXPECT_EQ(tokens.chosen(), std::optional<std::size_t>(3));
    EXPECT_TRUE(text.accessibleDescription().contains(QStringLiteral("position 3")));
    QTest::keyClick(&text, Qt::Key_Left);
    QTest::keyClick(&text, Qt::Key_Left);
    QTest::keyClick(&text, Qt::Key_Left);
    QTest::keyClick(&text, Qt::Key_Left);
    EXPECT_EQ(tokens.chosen(), std::optional<std::size_t>(0)) << "it ends at the first";
}

TEST_F(GeneratedTextTest, TooltipShowsTokenDetails) {
    const QString known = tokens.describe(4);
    EXPECT_TRUE(known.contains(QStringLiteral("⏎"))) << known.toStdString();
    EXPECT_TRUE(known.contains(QStringLiteral("token 22")));
    EXPECT_TRUE(known.contains(QStringLiteral("2 ms")) || known.contains(QStringLiteral("2.000 ms")))
        << known.toStdString();
    EXPECT_TRUE(known.contains(QStringLiteral("surprise 6.50")));
    EXPECT_TRUE(tokens.describe(2).contains(QStringLiteral("after the prompt")));
}

TEST(RatePlotTest, HasAPointForEachTokenBehindTheFirst) {
    GeneratedTokens tokens;
    RatePlot plot(tokens);
    plot.resize(400, 160);
    EXPECT_FALSE(plot.itemAt({10, 10}));
    fill(tokens);
    EXPECT_FALSE(plot.pointOf(2)) << "its time is the prompt's";
    ASSERT_TRUE(plot.pointOf(3) && plot.pointOf(4));
    const QPoint slower = plot.placeOf(*plot.pointOf(4)).toPoint();
    EXPECT_LT(plot.placeOf(*plot.pointOf(3)).y(), slower.y()) << "the slower one is lower";
    QTest::mouseClick(&plot, Qt::LeftButton, {}, slower);
    EXPECT_EQ(tokens.chosen(), std::optional<std::size_t>(4));
    EXPECT_TRUE(plot.figures().contains(QStringLiteral("mean 750 tokens/s, 667 in")))
        << plot.figures().toStdString();
    EXPECT_TRUE(plot.tipAt(slower).contains(QStringLiteral("500 tokens/s")))
        << plot.tipAt(slower).toStdString();
}

class PositionMapTest : public testing::Test {
  protected:
    PositionMapTest() {
        map.resize(600, 200);
        auto made = std::make_shared<inspector::events::PositionTimes>();
        made->calls = {{.isPrefill = true, .position = 0, .tokens = 4, .first = 0, .last = 9},
                       {.position = 4, .first = 10, .last = 19},
                       {.position = 5, .first = 20, .last = 29}};
        made->rows = {{.name = "layers.0", .events = {}}, {.name = "layers.1", .events = {}}};
        made->times = {4, 1, 2, 8, 2, 4};
        map.setTimes(made, inspector::TimeScale::Milliseconds);
    }

    PositionMap map;
};

TEST_F(PositionMapTest, CellsHaveTheTimeOfAToken) {
    EXPECT_EQ(map.colourOf({0, 0}), map.colourOf({0, 1})) << "four tokens in four times the time";
    EXPECT_NE(map.colourOf({0, 1}), map.colourOf({1, 1}));
    map.setByRow(true);
    EXPECT_EQ(map.colourOf({0, 1}), map.colourOf({1, 1})) << "each row by itself";
    const QImage picture = map.grab().toImage();
    EXPECT_EQ(picture.pixel(map.cellRect({1, 2}).center()), map.colourOf({1, 2}));
}

TEST_F(PositionMapTest, ClicksAndKeysChooseCells) {
    const QSignalSpy spy(&map, &PositionMap::cellChosen);
    const QPoint at = map.cellRect({1, 1}).center();
    EXPECT_EQ(map.cellAt(at), (PositionMap::MapCell{1, 1}));
    QTest::mouseClick(&map, Qt::LeftButton, {}, at);
    QTest::keyClick(&map, Qt::Key_Up);
    QTest::keyClick(&map, Qt::Key_Right);
    ASSERT_EQ(spy.size(), 3);
    EXPECT_EQ(spy[0],
              (QVariantList{QVariant::fromValue<std::size_t>(1), QVariant::fromValue<std::size_t>(1)}));
    EXPECT_EQ(spy[2],
              (QVariantList{QVariant::fromValue<std::size_t>(0), QVariant::fromValue<std::size_t>(2)}));
    EXPECT_TRUE(map.tipAt(map.cellRect({0, 0}).center()).contains(QStringLiteral("positions 0 to 3")));
}

TEST(EmptyPositionMapTest, ShowsWhyItIsEmpty) {
    PositionMap map;
    map.setTimes(nullptr, {}, QStringLiteral("no trace"));
    EXPECT_EQ(map.accessibleDescription(), QStringLiteral("no trace"));
    EXPECT_FALSE(map.cellAt({5, 5}));
    map.grab();
}

}  // namespace

}  // namespace et::visualizers
