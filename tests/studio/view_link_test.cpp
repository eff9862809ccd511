// Tests of links to views: writing, reading, following, and invalid links.
#include "app/studio/view_link.h"

#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <QApplication>
#include <QClipboard>
#include <QDataStream>
#include <QPointF>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

namespace {

using studio::ViewLink;

/// True if two view states are equal except for rounding of their trailing numbers, which are positions on
/// the axes of a picture.
bool isSameView(const QByteArray& one, const QByteArray& other) {
    static constexpr qsizetype most = 4 * sizeof(double);
    const auto numbersOf = [](const QByteArray& state) {
        std::vector<double> numbers;
        const qsizetype bytes = std::min(most, state.size() / 8 * 8);
        QDataStream stream(state.last(bytes));
        for (qsizetype i = 0; i < bytes / 8; ++i) {
            stream >> numbers.emplace_back();
        }
        return numbers;
    };
    if (one == other) {
        return true;
    }
    const auto isNear = [](double a, double b) {
        return std::abs(a - b) <= 1e-9 * std::max(std::abs(b), 1.0);
    };
    return one.size() == other.size() && std::ranges::equal(numbersOf(one), numbersOf(other), isNear);
}

/// A position in a graph as its panel saves it: graph, scale, and position of the nearest box.
struct SeenPlace {
    QString graph;
    double scale = 0;
    QByteArray box;
    QPointF fromMiddle;
};
SeenPlace placeIn(const QByteArray& state) {
    const QByteArray bytes = qUncompress(state);
    QDataStream stream(bytes);
    SeenPlace place;
    qint32 anchors = 0;
    quint64 nth = 0;
    bool group = false;
    stream >> place.graph >> place.scale >> anchors >> place.box >> nth >> group >> place.fromMiddle;
    return place;
}

/// True if two positions are equal except for rounding, after the canvas changed its size.
bool isSamePlace(const QByteArray& one, const QByteArray& other) {
    const SeenPlace a = placeIn(one);
    const SeenPlace b = placeIn(other);
    constexpr double near = 1e-6;
    return !a.box.isEmpty() && a.graph == b.graph && a.box == b.box && std::abs(a.scale - b.scale) < near &&
           (a.fromMiddle - b.fromMiddle).manhattanLength() < near;
}

class ViewLinkTest : public StudioTest {
  protected:
    /// The last word of the command copied to the clipboard.
    [[nodiscard]] std::filesystem::path copied() {
        driver.press(Qt::Key_L, Qt::ControlModifier | Qt::AltModifier);
        const QString command = QApplication::clipboard()->text();
        EXPECT_TRUE(command.startsWith(QStringLiteral("et-studio /"))) << command.toStdString();
        return command.section(u' ', -1).toStdString();
    }

    WindowDriver driver;
};

TEST(ViewLink, RoundTrips) {
    ViewLink link{.perspective = "time", .panel = "timeline", .gapSet = 2, .view = "\x01\xff,#="};
    link.choice.event = visualizers::EventRef{.block = 1, .event = 4};
    link.choice.instruction = visualizers::OperatorRef{.method = "for,ward = #1",
                                                       .instruction = core::InstructionId(3),
                                                       .delegated = "Convolution (NHWC) #1"};
    link.choice.method = "forward";
    link.choice.handles = {core::DebugHandle(7), core::DebugHandle(12)};
    link.choice.testCase = visualizers::CaseRef{.suite = 0, .testCase = 5};
    link.choice.range = visualizers::TickRange{.first = 10, .last = 18'446'744'073'709'551'615U};
    const QString fragment = link.fragment();
    const auto read = ViewLink::parse(fragment);
    ASSERT_TRUE(read) << read.error().toString();
    EXPECT_EQ(*read, link) << fragment.toStdString();
    for (const QChar special : QStringLiteral(" '\"&;|<>$`\\()*?")) {
        EXPECT_FALSE(fragment.contains(special)) << "a shell would take it";
    }
}

TEST(ViewLink, ErrorsNameTheProblem) {
    for (const char* const wrong :
         {"panel=cellar", "perspective=bird", "event=1", "event=a:b", "event=-1:2", "event=1:2:3",
          "instruction=x", "instruction=99999999999999999999", "handles=1+x", "range=9-5", "range=1",
          "view=!!", "inputs=-3", "colour=red", "panel", "=", "case=0"}) {
        const auto read = ViewLink::parse(QString::fromLatin1(wrong));
        ASSERT_FALSE(read) << wrong;
        EXPECT_TRUE(read.error().toString().contains("invalid part")) << read.error().toString();
    }
    EXPECT_FALSE(ViewLink::parse(QString(ViewLink::maxLength + 1, u'a')));
    EXPECT_TRUE(ViewLink::parse(u""));
}

TEST_F(ViewLinkTest, AFileWithSuchANameIsThatFile) {
    const auto real = write("a#panel=gap.etdp", smallTrace(3));
    EXPECT_FALSE(studio::splitLink(real).fragment);
    const auto split = studio::splitLink(folder() / "b.etdp#panel=gap");
    EXPECT_EQ(split.file, folder() / "b.etdp");
    EXPECT_EQ(split.fragment, QStringLiteral("panel=gap"));
}

TEST_F(ViewLinkTest, LeadsBackToPanelAndChoice) {
    const auto file = write("a.etdp", smallTrace(3));
    driver.open({file});
    driver.enterPerspective("structure");
    driver.window().area().enter("events");
    driver.window().selection().setCurrent(visualizers::EventRef{.block = 1, .event = 2});
    QTest::qWait(0);
    const auto link = copied();
    driver.trigger(QStringLiteral("Close"));
    driver.enterPerspective("time");
    driver.open({link});
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u' ').toStdString();
    EXPECT_STREQ(driver.window().area().perspective().id, "structure");
    EXPECT_EQ(driver.window().area().currentId(), "events");
    EXPECT_EQ(driver.window().selection().current(), (visualizers::EventRef{.block = 1, .event = 2}));
}

TEST_F(ViewLinkTest, KeepsThePartOfAPictureThatIsOnScreen) {
    const auto files = runSamplePaths();
    driver.open(files);
    auto& area = driver.window().area();
    for (const char* const id : {"timeline", "flame", "memory", "graph"}) {
        area.enter(id);
        auto& panel = area.current();
        auto* const picture = panel.findChild<visualizers::ZoomPanWidget*>();
        ASSERT_NE(picture, nullptr) << id;
        ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.viewState().isEmpty(); }, 30'000)) << id;
        ASSERT_TRUE(settle(driver.window()));
        picture->fitAll();
        const QByteArray whole = panel.viewState();
        picture->zoomIn();
        picture->zoomIn();
        picture->panBy(0.1, 0);
        const QByteArray zoomed = panel.viewState();
        EXPECT_NE(zoomed, whole) << id;
        const QString fragment =
            studio::ViewLink{.perspective = area.perspective().id, .panel = id, .view = zoomed}.fragment();
        picture->fitAll();
        driver.trigger(QStringLiteral("Close"));
        auto linked = files;
        linked.back() += "#" + fragment.toStdString();
        driver.open(linked);
        EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u' ').toStdString();
        EXPECT_EQ(area.currentId(), id);
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                return std::string_view(id) == "graph" ? isSamePlace(panel.viewState(), zoomed)
                                                       : isSameView(panel.viewState(), zoomed);
            },
            10'000))
            << id;
    }
}

TEST_F(ViewLinkTest, IgnoresInvalidViewState) {
    driver.open(runSamplePaths());
    auto& area = driver.window().area();
    for (const char* const id : {"timeline", "flame", "memory", "graph", "gap"}) {
        area.enter(id);
        ASSERT_TRUE(settle(driver.window()));
        for (const QByteArray& noise :
             {QByteArray("x"), QByteArray(64, '\xff'), QByteArray(64, '\0'), QByteArray("\0\0\x10\0x", 5)}) {
            area.current().restoreView(noise);
        }
        ASSERT_TRUE(settle(driver.window()));
        EXPECT_EQ(area.currentId(), id);
    }
}

TEST_F(ViewLinkTest, AWrongOneIsAMessageAndTheFileOpens) {
    const auto file = write("a.etdp", smallTrace(3));
    for (const char* const wrong : {"panel=cellar", "view=!!", "event=77:9999999", "range=5-1"}) {
        driver.open({file.string() + "#" + wrong});
        ASSERT_NE(driver.window().opened().blocks(), nullptr) << wrong;
        EXPECT_EQ(driver.window().selection().current(), std::nullopt) << wrong;
    }
    EXPECT_TRUE(driver.errors().join(u' ').contains(QStringLiteral("invalid part: 'range=5-1'")))
        << driver.errors().join(u' ').toStdString();
    // Random bytes as a view of the timeline, which reads numbers from it.
    const QByteArray noise = QByteArray(16, '\xff').toBase64(QByteArray::Base64UrlEncoding);
    driver.open({file.string() + "#panel=timeline,view=" + noise.toStdString()});
    ASSERT_TRUE(settle(driver.window()));
    EXPECT_EQ(driver.window().area().currentId(), "timeline");
}

}  // namespace

}  // namespace et::test
