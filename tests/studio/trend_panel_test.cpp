// Tests of the history of a model in a store of measurements, as shown in the window.
#include "app/studio/trend/trend_panel.h"

#include "app/studio/compare/compare_panel.h"
#include "inspector/store/baseline_store.h"
#include "inspector/store/trend_store.h"
#include "tests/studio/clicks.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/compare/comparison_table.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/trend/trend_plot.h"
#include "visualizers/trend/trend_rows.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace et::test {

namespace {

using inspector::store::TrendStore;

constexpr int commits = 30;
constexpr int slowFrom = 20;  ///< commit from which one operator on one device is slower
constexpr std::array keptTraces{slowFrom - 1, slowFrom, commits - 2, commits - 1};  ///< traces

class TrendPanelTest : public StudioTest {
  protected:
    TrendPanelTest() : panel(*driver.window().findChild<studio::TrendPanel*>()) {
        driver.window().resize(1100, 700);
    }

    /// Builds a store with two devices; from one commit on, an operator takes a tenth longer on one of them.
    /// Only the traces of the last two points and of the points around the change exist.
    [[nodiscard]] std::filesystem::path makeStore() const {
        const auto path = folder() / "team.db";
        TrendStore store = TrendStore::open(path).value();
        auto transaction = store.begin().value();
        std::mt19937 random(1);
        std::normal_distribution<double> noise(1, 0.003);
        for (int i = 0; i < commits; ++i) {
            for (const std::string device : {"galaxy", "pixel8"}) {
                inspector::Measurement measurement{.name = "t.etdp"};
                inspector::MethodTimes method{.method = "forward"};
                const double slow = device == "pixel8" && i >= slowFrom ? 1.1 : 1;
                const std::vector<double> times{4e6 * slow * noise(random), 2e6 * noise(random)};
                method.operators.push_back({.name = "conv.out", .samples = {times[0]}});
                method.operators.push_back({.name = "mm.out", .samples = {times[1]}});
                method.total = {times[0] + times[1]};
                measurement.methods.push_back(std::move(method));
                const std::string name =
                    std::ranges::contains(keptTraces, i) ? fmt::format("{}.etdp", i) : "gone.etdp";
                EXPECT_TRUE(*store.add({.sha256 = fmt::format("{}{}", device, i),
                                        .kind = "trace",
                                        .origin = name,
                                        .measured = fmt::format("2026-11-{:02}T00:00:00Z", i + 1),
                                        .commit = fmt::format("{:07x}", i + 0xabc0),
                                        .tags = {{"device", device}}},
                                       std::vector{inspector::store::ModelMeasurement{
                                           .model = "net", .measurement = measurement}}));
            }
        }
        EXPECT_TRUE(transaction.commit());
        for (const int each : keptTraces) {
            (void)write(fmt::format("{}.etdp", each), smallTrace(static_cast<std::size_t>(each)));
        }
        return path;
    }
    void openStore(const std::filesystem::path& path) {
        driver.window().open({path});
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 60'000));
    }
    void clickPoint(int point) {
        visualizers::TrendPlot& plot = slowed();
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.placeOf(static_cast<std::size_t>(point)).toPoint());
    }
    /// Clicks a row of the table of changes, counted with the rows inside others.
    void clickChange(std::size_t row) {
        QTreeView& view = panel.changes().view();
        view.expandAll();
        QModelIndex index = view.model()->index(0, 0);
        for (std::size_t i = 0; i < row; ++i) {
            index = view.indexBelow(index);
        }
        clickRow(view, index);
    }
    /// File names shown in Compare, once it has compared them.
    [[nodiscard]] QString comparedFiles() {
        auto* const files = driver.window().findChild<QLabel*>(QStringLiteral("compareFiles"));
        EXPECT_TRUE(QTest::qWaitFor([&] { return files->isVisible(); }, 60'000));
        return files->text();
    }
    [[nodiscard]] QString hint() { return panel.findChild<QLabel*>(QStringLiteral("trendsHint"))->text(); }
    /// The chart of the device that became slower.
    [[nodiscard]] visualizers::TrendPlot& slowed() { return *panel.charts().at(1); }

    WindowDriver driver;
    studio::TrendPanel& panel;
};

TEST_F(TrendPanelTest, OpenedStoreShowsChangesByDevice) {
    EXPECT_FALSE(panel.hasContent());
    openStore(makeStore());
    ASSERT_TRUE(panel.hasContent()) << hint().toStdString();
    EXPECT_TRUE(panel.isVisible()) << "the window shows the panel";
    EXPECT_TRUE(driver.errors().isEmpty());
    ASSERT_EQ(panel.charts().size(), 2U);
    EXPECT_EQ(panel.summary().left(26), QStringLiteral("2 histories · 1 change · s"));
    EXPECT_TRUE(panel.charts()[0]->summary().startsWith(QStringLiteral("galaxy, forward: ")));
    EXPECT_TRUE(slowed().summary().contains(QStringLiteral("since 000abd4")))
        << slowed().summary().toStdString();
    const auto& table = panel.changes().model().rows();
    ASSERT_EQ(table.table.rows.size(), 2U);
    EXPECT_EQ(std::get<std::string>(table.table.rows[0][0]), "pixel8, forward");
    EXPECT_EQ(std::get<std::string>(table.table.rows[1][0]), "conv.out") << "which operator moved";
    EXPECT_EQ(std::get<std::string>(table.table.rows[1][4]), "000abd4");
    EXPECT_EQ(table.parents[1], 0U);
}

TEST_F(TrendPanelTest, AnOperatorOfTheTableIsDrawn) {
    openStore(makeStore());
    clickChange(1);
    EXPECT_TRUE(slowed().summary().contains(QStringLiteral("conv.out"))) << slowed().summary().toStdString();
    EXPECT_EQ(slowed().chosenPoint(), static_cast<std::size_t>(slowFrom));
    EXPECT_FALSE(panel.charts()[0]->summary().contains(QStringLiteral("conv.out")));
}

TEST_F(TrendPanelTest, PointOpensItsTraceAndThePreviousOne) {
    openStore(makeStore());
    clickPoint(commits - 1);
    const QString files = comparedFiles();
    EXPECT_TRUE(files.contains(QStringLiteral("28.etdp")) && files.contains(QStringLiteral("29.etdp")))
        << files.toStdString();
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
}

TEST_F(TrendPanelTest, AChangeOpensTheTracesOnBothSidesOfIt) {
    openStore(makeStore());
    clickChange(0);
    ASSERT_EQ(slowed().chosenPoint(), static_cast<std::size_t>(slowFrom)) << "where it changed";
    clickPoint(slowFrom);
    const QString files = comparedFiles();
    EXPECT_TRUE(files.contains(QStringLiteral("19.etdp")) && files.contains(QStringLiteral("20.etdp")))
        << files.toStdString();
    driver.waitForComparison();
    const QTreeView& compared = driver.compare().view().table();
    ASSERT_GT(compared.model()->rowCount(), 0) << "operators beside one another";
    EXPECT_TRUE(WindowDriver::onScreen(compared));
    EXPECT_EQ(driver.window().opened().session()->files.trace.filename(), "19.etdp");
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
}

TEST_F(TrendPanelTest, KeysGoFromPointToPoint) {
    openStore(makeStore());
    visualizers::TrendPlot& plot = slowed();
    QSignalSpy wanted(&plot, &visualizers::TrendPlot::pointWanted);
    QTest::keyClick(&plot, Qt::Key_Return);
    EXPECT_TRUE(wanted.isEmpty()) << "none is chosen";
    QTest::keyClick(&plot, Qt::Key_Left);
    EXPECT_EQ(plot.chosenPoint(), static_cast<std::size_t>(commits - 1));
    QTest::keyClick(&plot, Qt::Key_Left);
    EXPECT_TRUE(plot.spokenValue().startsWith(QStringLiteral("000abdc: 6.")))
        << plot.spokenValue().toStdString();
    EXPECT_EQ(plot.tipAt(plot.placeOf(commits - 2).toPoint()), plot.spokenValue());
    for (int i = 0; i < 2 * commits; ++i) {
        QTest::keyClick(&plot, Qt::Key_Left);
    }
    EXPECT_EQ(plot.chosenPoint(), 0U);
    QTest::keyClick(&plot, Qt::Key_Return);
    EXPECT_EQ(wanted.size(), 1);
    EXPECT_TRUE(driver.errors().join(u' ').contains(QStringLiteral("This is the first point")));
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Return);
    EXPECT_TRUE(driver.errors().join(u' ').contains(
        QStringLiteral("gone.etdp: this trace was not found on this machine")))
        << driver.errors().join(u' ').toStdString();
}

TEST_F(TrendPanelTest, ReportsReadErrors) {
    const auto missing = QString::fromStdString((folder() / "none.db").string());
    auto& place = *panel.findChild<QLineEdit*>(QStringLiteral("trendsStore"));
    place.setText(missing);
    QTest::keyClick(&place, Qt::Key_Return);
    EXPECT_TRUE(driver.errors().join(u' ').contains(QStringLiteral("expected a store of measurements")));
    place.setText(QStringLiteral("postgresql://u:secret@/x?host=/nowhere"));
    QTest::keyClick(&place, Qt::Key_Return);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 60'000));
    EXPECT_TRUE(hint().contains(QStringLiteral("postgresql://u@/x"))) << hint().toStdString();
    EXPECT_FALSE(hint().contains(QStringLiteral("secret")));
    ASSERT_TRUE(inspector::store::BaselineStore::open(folder() / "empty.db"));
    openStore(folder() / "empty.db");
    EXPECT_TRUE(hint().contains(QStringLiteral("et-inspect import"))) << hint().toStdString();
    EXPECT_FALSE(panel.hasContent());
    EXPECT_FALSE(panel.saveState().contains("secret"));
}

TEST_F(TrendPanelTest, TakesItsPicture) {
    openStore(makeStore());
    clickChange(0);
    panel.findChild<QLineEdit*>(QStringLiteral("trendsStore"))->setText(QStringLiteral("team.db"));
    takePictures(driver, "trend");
}

}  // namespace

}  // namespace et::test
