// Tests of the overview: open files, whether they match, key figures.
#include "app/studio/overview/overview_panel.h"

#include "app/studio/overview/finding_actions.h"
#include "app/studio/panel_area.h"
#include "etdump/writer.h"
#include "tests/studio/clicks.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/overview/answer_tile.h"
#include "visualizers/overview/bar_stack.h"
#include "visualizers/overview/dashboard_view.h"
#include "visualizers/overview/finding_card.h"
#include "visualizers/overview/instruction_strip.h"
#include "visualizers/overview/operator_bars.h"
#include "visualizers/overview/overview.h"
#include "visualizers/overview/runs_plot.h"

#include <QAccessible>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

#include <algorithm>

namespace et::test {

namespace {

using visualizers::InstructionStrip;
using visualizers::OverviewLine;
using visualizers::OverviewSection;

class OverviewPanelTest : public StudioTest {
  protected:
    /// Opens the panel and waits for its text about the session.
    [[nodiscard]] QString textAfter(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Overview"));
        auto* const panel = driver.window().findChild<studio::OverviewPanel*>();
        EXPECT_TRUE(driver.waitForText([panel] { return panel->plainText(); }, QStringLiteral("Opened")));
        return panel->plainText();
    }

    WindowDriver driver;
};

TEST_F(OverviewPanelTest, OfASetThatBelongsTogether) {
    const QString text = textAfter(runSamplePaths());
    for (const char* const wanted :
         {"conv_net.etdp", "conv_net.bpte", "No mismatches found.", "p50", "Method forward", "planned ",
          "Tests of forward", "matches the program", "Top findings", "Most time"}) {
        EXPECT_TRUE(text.contains(QLatin1String(wanted))) << wanted << "\n" << text.toStdString();
    }
    EXPECT_FALSE(text.contains(QStringLiteral("Files you can add"))) << "everything is open";
}

TEST_F(OverviewPanelTest, NamesAContradiction) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("native_call_unheard_of.out", {.instruction = 900, .chain = 0}, 1, 5);
    writer.profile("OPERATOR_CALL", {.instruction = 900, .chain = 0}, 1, 6);
    writer.profile("Method::execute", {.instruction = 0}, 0, 9);
    const auto trace = write("other.etdp", writer.finish().value());
    const QString text = textAfter({trace, sample().record});
    EXPECT_FALSE(text.contains(QStringLiteral("No mismatches")));
    EXPECT_TRUE(text.contains(QStringLiteral("does not match the trace"))) << text.toStdString();
    const auto session = inspector::Session::open({.trace = trace, .record = sample().record});
    ASSERT_TRUE(session) << session.error().toString();
    const auto reasons = inspector::contradictions(**session);
    ASSERT_FALSE(reasons.empty());
    EXPECT_EQ(text.count(QString::fromStdString(reasons.front())), 1) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("▲"))) << text.toStdString();
}

TEST_F(OverviewPanelTest, FileTextIsNotInterpretedAsMarkup) {
    const OverviewSection section{
        QStringLiteral("a"),
        {{QStringLiteral("<i>"), QStringLiteral("<script>"), OverviewLine::Severity::Bad}}};
    const QString html = visualizers::toHtml(section);
    EXPECT_FALSE(html.contains(QStringLiteral("<script>")));
    EXPECT_FALSE(html.contains(QStringLiteral("<i>")));
}

TEST_F(OverviewPanelTest, OfRealFiles) {
    ET_NEEDS_SHARED_DATA();
    const auto programs = sharedData() / "programs" / "mobilenet_v2_small";
    const QString text = textAfter({sharedData() / "traces" / "mobilenet_v2_small_xnnpack" / "trace.etdp",
                                    programs / "xnnpack.bpte", programs / "xnnpack.etrecord"});
    EXPECT_TRUE(text.contains(QStringLiteral("No mismatches found."))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("Delegated")));
}

TEST_F(OverviewPanelTest, FourTilesAnswerFirst) {
    const QString text = textAfter(runSamplePaths());
    EXPECT_EQ(driver.window().findChildren<visualizers::AnswerTile*>().size(), 4);
    for (const char* const wanted : {"Time", "slowest: ", "Correct?", "not tested", "Memory", " peak",
                                     "Changed?", "open a second trace to compare with"}) {
        EXPECT_TRUE(text.contains(QLatin1String(wanted))) << wanted << "\n" << text.toStdString();
    }
}

TEST_F(OverviewPanelTest, BothColumnsStartAtTheTop) {
    static_cast<void>(textAfter(runSamplePaths()));
    driver.window().resize(1920, 1080);
    QTest::qWait(0);
    const auto* const panel = driver.window().findChild<studio::OverviewPanel*>();
    const auto topOf = [&](const QString& title) {
        for (const QLabel* const each : panel->findChildren<QLabel*>()) {
            if (each->text() == title) {
                return each->mapTo(panel, each->contentsRect().center()).y();
            }
        }
        return -1;
    };
    EXPECT_GE(topOf(QStringLiteral("Most time")), 0);
    EXPECT_EQ(topOf(QStringLiteral("Top findings")), topOf(QStringLiteral("Most time")));
}

TEST_F(OverviewPanelTest, TraceWithoutProgramOrRecordHasNoEmptyMethodName) {
    const QString text = textAfter({write("a.etdp", smallTrace(3))});
    EXPECT_TRUE(text.contains(QStringLiteral("in execution order"))) << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral("\n: "))) << text.toStdString();
}

TEST_F(OverviewPanelTest, TheSlowestOperatorIsALink) {
    static_cast<void>(textAfter(runSamplePaths()));
    auto* const panel = driver.window().findChild<studio::OverviewPanel*>();
    const auto& slowest = panel->shown().answers.slowest;
    ASSERT_GT(slowest.size(), 1U);
    auto* const bars = panel->findChild<visualizers::OperatorBars*>();
    ASSERT_TRUE(clickLinkIn(*bars, visualizers::operatorLink(slowest[1])));
    QTest::qWait(0);
    const auto chosen = driver.window().selection().current();
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->event, slowest[1].event);
}

TEST_F(OverviewPanelTest, AnswersLeadToTheirPanels) {
    static_cast<void>(textAfter(runSamplePaths()));
    auto* const panel = driver.window().findChild<studio::OverviewPanel*>();
    ASSERT_TRUE(clickLinkIn(*panel, QStringLiteral("panel:verify")));
    QTest::qWait(0);
    EXPECT_EQ(driver.window().area().currentId(), "verify");
}

TEST_F(OverviewPanelTest, ASecondTraceIsSummedUp) {
    static_cast<void>(textAfter({write("a.etdp", smallTrace(20)), write("b.etdp", smallTrace(20))}));
    auto* const panel = driver.window().findChild<studio::OverviewPanel*>();
    EXPECT_TRUE(driver.waitForText([panel] { return panel->plainText(); }, QStringLiteral("same time")))
        << panel->plainText().toStdString();
}

TEST_F(OverviewPanelTest, TheStripChoosesInstructions) {
    static_cast<void>(textAfter(runSamplePaths()));
    auto* const strip = driver.window().findChild<InstructionStrip*>();
    ASSERT_NE(strip, nullptr);
    const std::size_t count = strip->method().steps.size();
    ASSERT_GT(count, 3U);
    const QPoint place(strip->width() * 5 / static_cast<int>(2 * count), 4);
    ASSERT_EQ(strip->stepAt(place), 2U);
    QTest::mouseClick(strip, Qt::LeftButton, {}, place);
    const auto chosen = [this] { return driver.window().selection().currentOperator(); };
    ASSERT_TRUE(chosen());
    EXPECT_EQ(chosen()->instruction, strip->method().steps[2].instruction);
    QTest::keyClick(strip, Qt::Key_Right);
    EXPECT_EQ(chosen()->instruction, strip->method().steps[3].instruction);
}

TEST_F(OverviewPanelTest, ButtonShowsTheEvidenceOfAFinding) {
    static_cast<void>(textAfter(runSamplePaths()));
    auto* const panel = driver.window().findChild<studio::OverviewPanel*>();
    const auto& findings = panel->shown().findings;
    const auto peak = std::ranges::find(findings, "peak-tensor", &inspector::Finding::rule);
    ASSERT_NE(peak, findings.end());
    const auto cards = panel->findChildren<visualizers::FindingCard*>();
    auto* const button = cards.at(peak - findings.begin())->findChild<QToolButton*>();
    ASSERT_NE(button, nullptr);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(driver.window().area().currentId(), "memory");
}

TEST_F(OverviewPanelTest, EveryPanelLinkedByFindingsExists) {
    for (const inspector::FindingRuleInfo& rule : inspector::findingRules()) {
        if (const studio::FindingAction* const action = studio::actionOf(rule.id)) {
            EXPECT_TRUE(std::ranges::contains(studio::panels(), action->panel, &studio::PanelInfo::id))
                << rule.id;
        } else {
            EXPECT_TRUE(rule.id == "contradiction" || rule.id == "newer-schema") << rule.id;
        }
    }
}

TEST_F(OverviewPanelTest, PicturesHaveAccessibleDescriptions) {
    static_cast<void>(textAfter(runSamplePaths()));
    std::size_t described = 0;
    auto* const view = driver.window().findChild<visualizers::DashboardView*>();
    for (QWidget* const picture : view->findChildren<QWidget*>()) {
        if (qobject_cast<visualizers::BarStack*>(picture) || qobject_cast<InstructionStrip*>(picture) ||
            qobject_cast<visualizers::RunsPlot*>(picture)) {
            QAccessibleInterface* const spoken = QAccessible::queryAccessibleInterface(picture);
            ASSERT_NE(spoken, nullptr);
            EXPECT_FALSE(spoken->text(QAccessible::Name).isEmpty());
            EXPECT_FALSE(spoken->text(QAccessible::Description).isEmpty())
                << spoken->text(QAccessible::Name).toStdString();
            ++described;
        }
    }
    EXPECT_GE(described, 4U) << "times, runs, memory, instructions";
}

TEST_F(OverviewPanelTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    static_cast<void>(textAfter(samplePaths()));
    takePictures(driver, "overview");
}

}  // namespace

}  // namespace et::test
