// Tests real bundled programs, valid and broken: the panel reports the same as the manifest.
#include "app/studio/verify/verify_panel.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/verify/comparison_view.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTreeView>

#include <gtest/gtest.h>

namespace et::test {

namespace {

using visualizers::CaseRef;
using visualizers::TestState;

QJsonArray brokenFiles() {
    QFile file(QString::fromStdString((sharedData() / "broken" / "manifest.json").string()));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    return QJsonDocument::fromJson(file.readAll()).array();
}

/// Runs all cases with the keyboard and waits.
void runAll(WindowDriver& driver) {
    driver.tests().tree().setFocus();
    driver.press(Qt::Key_F9);
    driver.waitForTests();
}

TEST(RealBundles, BrokenOnesGetTheVerdictOfTheManifest) {
    ET_NEEDS_SHARED_DATA();
    WindowDriver driver;
    int checked = 0;
    for (const auto& entry : brokenFiles()) {
        const QString name = entry[QStringLiteral("file")].toString();
        const QString verdict = entry[QStringLiteral("verdict")].toString();
        if (!name.endsWith(QStringLiteral(".bpte"))) {
            continue;
        }
        SCOPED_TRACE(name.toStdString());
        ++checked;
        driver.press(Qt::Key_W, Qt::ControlModifier);
        driver.open({sharedData() / "broken" / name.toStdString()});
        const auto& session = driver.window().opened().session();
        if (!session || !session->bundle) {
            EXPECT_EQ(verdict, QStringLiteral("error"));
            EXPECT_FALSE(driver.errors().isEmpty()) << "says why it cannot be opened";
            continue;
        }
        runAll(driver);
        const std::vector<CaseRef> cases = driver.tests().model().allCases();
        ASSERT_FALSE(cases.empty());
        const TestState state = driver.tests().model().state(cases.front());
        EXPECT_EQ(state, verdict == QStringLiteral("fail") ? TestState::Fail : TestState::Error);
        EXPECT_FALSE(driver.tests().model().message(cases.front()).isEmpty());
    }
    EXPECT_GT(checked, 15);
}

TEST(RealBundles, SoundOnesPassAndEqualTheirExpectations) {
    ET_NEEDS_SHARED_DATA();
    WindowDriver driver;
    for (const char* const name : {"add/portable.bpte", "mobilenet_v2_small/xnnpack.bpte"}) {
        const auto path = sharedData() / "programs" / name;
        ASSERT_TRUE(std::filesystem::exists(path)) << path;
        driver.open({path});
        runAll(driver);
        for (const CaseRef& each : driver.tests().model().allCases()) {
            EXPECT_EQ(driver.tests().model().state(each), TestState::Pass)
                << name << ": " << driver.tests().model().message(each).toStdString();
        }
        EXPECT_GT(driver.tests().comparison().actual().model().columnCount(), 0) << name;
        EXPECT_EQ(driver.tests().comparison().markedCount(), 0U) << name;
    }
}

TEST(RealBundles, WeightsOutsideOfTheProgramAreHandedOn) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = sharedData() / "programs" / "ext_const";
    WindowDriver driver;
    driver.open({folder / "portable_all.bpte", folder / "portable_all._default_external_constant.ptd"});
    ASSERT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    runAll(driver);
    const auto cases = driver.tests().model().allCases();
    ASSERT_FALSE(cases.empty());
    EXPECT_EQ(driver.tests().model().state(cases[0]), TestState::Pass)
        << driver.tests().model().message(cases[0]).toStdString();
}

}  // namespace

}  // namespace et::test
