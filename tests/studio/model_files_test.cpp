// Tests of opening packages and weight files through the dialog of the window.
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/person.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;

class ModelFilesTest : public StudioTest {
  protected:
    void openByDialog(const std::vector<fs::path>& paths) {
        driver.press(Qt::Key_O, Qt::ControlModifier);
        FileDialogDriver().choose(paths);
        driver.waitUntilIdle();
    }
    /// Errors and warnings of the window, a line each.
    [[nodiscard]] std::string messages() {
        return (driver.errors() + driver.warnings()).join(u'\n').toStdString();
    }

    WindowDriver driver;
};

TEST_F(ModelFilesTest, APackageOpensAndRuns) {
    ET_NEEDS_SHARED_DATA();
    openByDialog({sharedData() / "ptn" / "cnn_bn.ptn"});
    EXPECT_EQ(messages(), "");
    Person person(driver);
    driver.enterPanel(QStringLiteral("Memory"));
    EXPECT_TRUE(person.sees(QStringLiteral("24.0 KiB planned"))) << person.screen();
    driver.enterPanel(QStringLiteral("Tensors"));
    EXPECT_TRUE(person.sees(QStringLiteral("float32 [8, 3, 3, 3]"))) << person.screen();
    driver.enterPanel(QStringLiteral("Size"));
    EXPECT_TRUE(person.sees(QStringLiteral("(tensor data tables)"))) << person.screen();
    driver.enterPanel(QStringLiteral("Run"));
    person.press(Qt::Key_F9);
    EXPECT_TRUE(person.sees(QStringLiteral("p50"))) << person.screen();
}

TEST_F(ModelFilesTest, WeightsOfAnotherExportAreNamed) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = sharedData() / "pairs" / "portable_same_sizes";
    openByDialog({folder / "a.pte", folder / "b.ptd", folder / "a.etrecord"});
    driver.enterPanel(QStringLiteral("Overview"));
    Person person(driver);
    EXPECT_TRUE(person.sees(QStringLiteral("does not match the"))) << person.screen();
    openByDialog({folder / "a.pte", folder / "a.ptd", folder / "a.etrecord"});
    EXPECT_FALSE(person.screen().contains("does not match")) << person.screen();
}

}  // namespace
}  // namespace et::test
