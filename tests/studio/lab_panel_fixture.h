#pragma once

#include "app/samples/sample_set.h"
#include "app/studio/card_page.h"
#include "app/studio/lab/lab_figures.h"
#include "app/studio/lab/lab_known_sites.h"
#include "app/studio/lab/lab_panel.h"
#include "app/studio/lab/lab_result_view.h"
#include "app/studio/lab/lab_site_table.h"
#include "app/studio/lab/lab_start.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/lab/lab_study.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace et::test {

namespace fs = std::filesystem;

/// JSON of `sensitivity` from before it listed schemes other than static scales.
inline constexpr const char* madeUpSensitivity = R"({"schema": 1, "method": "forward", "calibration_cases": 4,
"evaluation_cases": 8, "seconds": 1, "all_quantized": {"sqnr_db": 20}, "sites": [
 {"site": "conv2d", "op": "conv", "module": "stem", "line": "net.py:3", "nodes": ["aten_convolution"],
  "weight_bytes": 400, "only": {"sqnr_db": 23}, "only_weights": {"sqnr_db": 40},
  "only_activations": {"sqnr_db": 23.1}, "all_but": {"sqnr_db": 30}, "cause": "2 of 8 channels"},
 {"site": "linear", "op": "linear", "module": "head", "line": "", "nodes": [], "weight_bytes": 4000,
  "only": {"sqnr_db": 33}, "only_weights": null, "only_activations": null, "all_but": {"sqnr_db": null},
  "cause": ""},
 {"site": "mul", "op": "mul", "module": "", "line": "", "nodes": [], "rule": "of integers"}]})";

inline visualizers::LabStudy madeUpStudy() {
    const auto read = visualizers::readLabStudy(madeUpSensitivity);
    EXPECT_TRUE(read);
    return *read;
}

/// Fixture with a window and its Lab panel.
class LabPanelTest : public StudioTest {
  protected:
    LabPanelTest() : panel(*driver.window().findChild<studio::LabPanel*>()) {
        qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER);
        driver.window().resize(1280, 860);
        EXPECT_TRUE(samples::writeSampleSet("conv_net", folder()));
    }
    [[nodiscard]] fs::path file(const char* ending) const {
        return folder() / (std::string("conv_net") + ending);
    }
    void openModel() {
        driver.open({file(".pte"), file(".bpte"), file(".etrecord")});
        driver.enterPerspective("lab");
        ASSERT_TRUE(panel.hasContent());
    }
    /// Chooses the file of a card on the first page.
    void chooseInputs(const char* card, const fs::path& path) {
        for (const QFrame* const each : panel.findChildren<QFrame*>()) {
            if (each->accessibleName() == QLatin1String(card)) {
                QTest::mouseClick(each->findChild<QPushButton*>(), Qt::LeftButton);
                chooseInFileDialog(path);
                return;
            }
        }
        ADD_FAILURE() << "no card " << card;
    }
    void chooseCalibration(const fs::path& path) { chooseInputs("Inputs for calibration", path); }
    void chooseEvaluation(const fs::path& path) { chooseInputs("Inputs for comparing outputs", path); }
    void saveProgram(const fs::path& path) {
        driver.trigger(QStringLiteral("Save This Program…"));
        chooseInFileDialog(path);
        wait();
    }
    void wait() {
        EXPECT_TRUE(QTest::qWaitFor([this] { return panel.idle(); }, 120'000)) << "it does not end";
    }
    void study() {
        panel.setFocus();
        driver.press(Qt::Key_F9);
        wait();
        EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    }
    void useScript(const std::string& text) {
        const auto script = write("script", std::string_view(text));
        fs::permissions(script, fs::perms::owner_all);
        driver.useProgram(script);
    }
    [[nodiscard]] QString headline() { return panel.findChild<studio::CardPage*>()->headline().text(); }
    [[nodiscard]] bool figuresSay(const char* text) {
        return panel.views().result.figures().text().contains(QLatin1String(text));
    }
    /// The model index of a site's row.
    [[nodiscard]] QModelIndex row(const QString& site) {
        const auto found = panel.views().sites.model()->match(panel.views().sites.model()->index(0, 0),
                                                              Qt::DisplayRole, site, 1, Qt::MatchExactly);
        return found.isEmpty() ? QModelIndex() : found.first();
    }

    WindowDriver driver;
    studio::LabPanel& panel;
};

}  // namespace et::test
