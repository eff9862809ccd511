// The overview: what is open, whether it belongs together, and its key figures.
#include "app/studio/overview/overview_room.h"

#include "etdump/writer.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/overview/overview.h"

#include <gtest/gtest.h>

namespace et::test {

namespace {

using visualizers::OverviewLine;
using visualizers::OverviewSection;

class OverviewRoomTest : public StudioTest {
  protected:
    /// Enters the room and waits for what it says of the session.
    [[nodiscard]] QString textAfter(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterRoom(QStringLiteral("Overview"));
        auto* const room = driver.window().findChild<studio::OverviewRoom*>();
        EXPECT_TRUE(driver.waitForText([room] { return room->plainText(); }, QStringLiteral("Opened")));
        return room->plainText();
    }

    WindowDriver driver;
};

TEST_F(OverviewRoomTest, OfASetThatBelongsTogether) {
    const QString text = textAfter(runSamplePaths());
    for (const char* const wanted :
         {"conv_net.etdp", "conv_net.bpte", "No mismatches found.", "p50", "Method forward", "planned ",
          "Tests of forward", "matches the program", "What to look at first", "Most time"}) {
        EXPECT_TRUE(text.contains(QLatin1String(wanted))) << wanted << "\n" << text.toStdString();
    }
    EXPECT_FALSE(text.contains(QStringLiteral("Files you can add"))) << "everything is open";
}

TEST_F(OverviewRoomTest, NamesAContradiction) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("native_call_unheard_of.out", {.instruction = 900, .chain = 0}, 1, 5);
    writer.profile("OPERATOR_CALL", {.instruction = 900, .chain = 0}, 1, 6);
    writer.profile("Method::execute", {.instruction = 0}, 0, 9);
    const QString text = textAfter({write("other.etdp", writer.finish().value()), sample().record});
    EXPECT_FALSE(text.contains(QStringLiteral("No mismatches")));
    EXPECT_TRUE(text.contains(QStringLiteral("▲"))) << text.toStdString();
}

TEST_F(OverviewRoomTest, TextsOfFilesAreNoMarkup) {
    const std::vector<OverviewSection> sections{
        {QStringLiteral("<b>a"),
         {{QStringLiteral("<i>"), QStringLiteral("<script>"), OverviewLine::Mood::Bad}}}};
    const QString html = visualizers::toHtml(sections);
    EXPECT_FALSE(html.contains(QStringLiteral("<script>")));
    EXPECT_FALSE(html.contains(QStringLiteral("<b>a")));
}

TEST_F(OverviewRoomTest, OfRealFiles) {
    ET_NEEDS_SHARED_DATA();
    const auto programs = sharedData() / "programs" / "mobilenet_v2_small";
    const QString text = textAfter({sharedData() / "traces" / "mobilenet_v2_small_xnnpack" / "trace.etdp",
                                    programs / "xnnpack.bpte", programs / "xnnpack.etrecord"});
    EXPECT_TRUE(text.contains(QStringLiteral("No mismatches found."))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("Delegated")));
}

TEST_F(OverviewRoomTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    static_cast<void>(textAfter(samplePaths()));
    takePictures(driver, "overview");
}

}  // namespace

}  // namespace et::test
