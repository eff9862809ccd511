// Tests of generating text in the window, and of the effect of a chosen token on other panels.
#include "app/studio/generate/generate_panel.h"

#include "app/samples/sample_set.h"
#include "app/studio/generate/generate_form.h"
#include "app/studio/panel_area.h"
#include "tests/studio/pictures.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/generate/generated_text.h"
#include "visualizers/generate/position_map.h"
#include "visualizers/generate/rate_plot.h"
#include "visualizers/selection.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

namespace {

class GeneratePanelTest : public StudioTest {
  protected:
    GeneratePanelTest() : panel(*driver.window().findChild<studio::GeneratePanel*>()) {
        driver.window().resize(1280, 800);
    }

    void openSample() {
        ASSERT_TRUE(samples::writeSampleSet("llama", folder()));
        driver.open({folder() / "llama.pte"});
        driver.enterPanel(QStringLiteral("Generate"));
        ASSERT_TRUE(panel.hasContent());
    }
    void prompt(const QString& text) { panel.form().promptField().setPlainText(text); }
    void generate() {
        field<QCheckBox>("generateIgnoreEnd").setChecked(true);
        panel.setFocus();
        driver.press(Qt::Key_F9);
        waitForText();
    }
    void waitForText() {
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 60'000)) << "it does not end";
        driver.waitUntilIdle();
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
        QTest::qWait(0);
    }
    template <class Widget>
    [[nodiscard]] Widget& field(const char* name) {
        return *panel.findChild<Widget*>(QLatin1String(name));
    }
    [[nodiscard]] QString summary() { return field<QLabel>("generateSummary").text(); }

    WindowDriver driver;
    studio::GeneratePanel& panel;
};

TEST_F(GeneratePanelTest, OpeningALanguageModelShowsIt) {
    ASSERT_TRUE(samples::writeSampleSet("llama", folder()));
    driver.open({folder() / "llama.pte"});
    EXPECT_EQ(driver.window().area().currentId(), "generate");
    EXPECT_TRUE(WindowDriver::onScreen(panel));
}

TEST_F(GeneratePanelTest, ShowsWhichFilesToOpen) {
    EXPECT_FALSE(panel.hasContent());
    EXPECT_TRUE(summary().contains(QStringLiteral("Open a language model"))) << summary().toStdString();
    driver.open(runSamplePaths());
    EXPECT_FALSE(panel.hasContent()) << "a net for images";
    EXPECT_TRUE(summary().contains(QStringLiteral("not a language model"))) << summary().toStdString();
}

TEST_F(GeneratePanelTest, GeneratesAndOpensTheTrace) {
    openSample();
    EXPECT_TRUE(field<QLineEdit>("generateTokenizer").text().endsWith(QStringLiteral("llama_tokenizer.bin")))
        << "the one beside the model";
    prompt(QStringLiteral("the model"));
    field<QSpinBox>("generateTokens").setValue(12);
    generate();
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    const auto tokens = panel.tokens().tokens();
    ASSERT_GE(tokens.size(), 14U) << summary().toStdString();
    EXPECT_FALSE(tokens[0].generated) << "BOS";
    EXPECT_TRUE(tokens.back().generated);
    EXPECT_TRUE(tokens.back().surprise);
    EXPECT_GT(tokens.back().milliseconds, 0);
    EXPECT_TRUE(panel.text().toPlainText().contains(QStringLiteral("the model")))
        << "the prompt stands in front";
    EXPECT_TRUE(summary().contains(QStringLiteral("max tokens"))) << summary().toStdString();
    ASSERT_NE(driver.window().opened().blocks(), nullptr) << "the trace is open";
    EXPECT_TRUE(WindowDriver::onScreen(panel)) << "what was generated stays on screen";
    ASSERT_NE(panel.map().times(), nullptr);
    EXPECT_EQ(panel.map().times()->calls.size(), tokens.size() - 1) << "the last token was not read";
    EXPECT_FALSE(panel.map().times()->rows.empty());
    EXPECT_TRUE(panel.rate().pointOf(tokens.size() - 1));
}

TEST_F(GeneratePanelTest, AChosenTokenIsTheRangeOfAllPanels) {
    openSample();
    prompt(QStringLiteral("the model"));
    field<QSpinBox>("generateTokens").setValue(6);
    generate();
    visualizers::Selection& selection = driver.window().selection();
    const auto& calls = panel.map().times()->calls;
    panel.tokens().choose(panel.tokens().tokens().size() - 1);
    ASSERT_TRUE(selection.range());
    EXPECT_EQ(selection.range()->first, calls.back().first) << "the execution that gave it";
    EXPECT_EQ(selection.range()->last, calls.back().last);
    // From elsewhere.
    selection.setRange(visualizers::TickRange{.first = calls[2].first, .last = calls[2].last});
    ASSERT_TRUE(panel.tokens().chosen());
    EXPECT_EQ(*panel.tokens().chosen(), 2U) << "of the prompt, the one that was read";
    // Chosen in the map, with the operators of the row.
    QTest::mouseClick(&panel.map(), Qt::LeftButton, {}, panel.map().cellRect({0, calls.size() - 2}).center());
    EXPECT_EQ(selection.range()->first, calls[calls.size() - 2].first);
    EXPECT_FALSE(selection.events().empty());
    EXPECT_EQ(*panel.tokens().chosen(), panel.tokens().tokens().size() - 2);
    EXPECT_TRUE(field<QLabel>("generatedToken").text().contains(QStringLiteral("surprise")));
}

TEST_F(GeneratePanelTest, WithARecordTheMapIsOfLayersAndPositions) {
    ASSERT_TRUE(samples::writeSampleSet("llama", folder()));
    driver.open({folder() / "llama.pte", folder() / "llama.etrecord"});
    driver.enterPanel(QStringLiteral("Generate"));
    prompt(QStringLiteral("the model"));
    field<QSpinBox>("generateTokens").setValue(12);
    generate();
    const auto* const times = panel.map().times();
    ASSERT_NE(times, nullptr);
    EXPECT_TRUE(times->byModule);
    std::vector<std::string> names;
    for (const auto& row : times->rows) {
        names.push_back(row.name);
    }
    EXPECT_FALSE(std::ranges::contains(names, "(no module)")) << "updates of caches have their layer";
    for (const std::string_view layer : {"layers.0", "layers.1"}) {
        const auto found =
            std::ranges::find_if(names, [layer](std::string_view name) { return name.starts_with(layer); });
        ASSERT_NE(found, names.end()) << layer;
        const auto row = static_cast<std::size_t>(found - names.begin());
        for (std::size_t call = 0; call < times->calls.size(); ++call) {
            EXPECT_GT(times->time(row, call), 0) << layer << " in call " << call;
        }
        const std::size_t last = times->calls.size() - 1;
        QTest::mouseClick(&panel.map(), Qt::LeftButton, {}, panel.map().cellRect({row, last}).center());
        const visualizers::Selection& selection = driver.window().selection();
        EXPECT_EQ(selection.events().size(), times->rows[row].events.size()) << "those of the layer";
        ASSERT_TRUE(selection.range());
        EXPECT_EQ(selection.range()->first, times->calls[last].first);
        EXPECT_TRUE(panel.map()
                        .tipAt(panel.map().cellRect({row, last}).center())
                        .contains(QString::fromStdString(*found)));
    }
    double cells = 0;
    for (const double cell : times->times) {
        cells += cell;
    }
    double executions = 0;
    for (const auto& block : driver.window().opened().blocks()->blocks()) {
        for (const auto& event : block.events) {
            for (const double sample : event.samples) {
                executions += event.name == "Method::execute" ? sample : 0;
            }
        }
    }
    EXPECT_NEAR(cells, executions, 1e-6 * executions) << "every time has a cell";
}

TEST_F(GeneratePanelTest, MatchesTheCommandLine) {
    openSample();
    prompt(QStringLiteral("it's"));
    field<QSpinBox>("generateTokens").setValue(3);
    field<QDoubleSpinBox>("generateTemperature").setValue(0.7);
    field<QSpinBox>("generateSeed").setValue(5);
    driver.trigger(QStringLiteral("Copy Generate Command"));
    const QString command = panel.form().command();
    for (const char* const word : {"et-inspect generate", "--max-tokens=3", "--temperature=0.7", "--seed=5",
                                   "--bos=1", "--etdump=trace.etdp", "--format=jsonl", "--surprise"}) {
        EXPECT_TRUE(command.contains(QLatin1String(word))) << word << " in " << command.toStdString();
    }
}

TEST_F(GeneratePanelTest, APromptMayStartLikeAFile) {
    openSample();
    prompt(QStringLiteral("@the"));
    field<QSpinBox>("generateTokens").setValue(2);
    generate();
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    EXPECT_TRUE(panel.text().toPlainText().contains(QStringLiteral("@the")));
}

TEST_F(GeneratePanelTest, ReportsInvalidTokenizer) {
    openSample();
    field<QLineEdit>("generateTokenizer").setText(QString::fromStdString((folder() / "llama.pte").string()));
    prompt(QStringLiteral("x"));
    generate();
    EXPECT_EQ(driver.errors().size(), 1);
    EXPECT_TRUE(summary().contains(QStringLiteral("llama.pte"))) << summary().toStdString();
}

TEST_F(GeneratePanelTest, StoppingKeepsGeneratedText) {
    openSample();
    const auto script = write("endless", std::string_view(R"(#!/bin/sh
echo '{"event": "prompt", "tokens": [{"id": 1, "position": 0, "text": "the"}]}'
echo '{"event": "token", "text": " end", "id": 9, "position": 1, "ms": 2.5, "surprise": 0.5}'
exec sleep 1000
)"));
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    driver.useProgram(script);
    panel.setFocus();
    driver.press(Qt::Key_F9);
    ASSERT_TRUE(
        WindowDriver::waitForText([this] { return panel.text().toPlainText(); }, QStringLiteral("the end")))
        << "as it comes";
    EXPECT_TRUE(panel.busy());
    driver.press(Qt::Key_Period, Qt::ControlModifier);
    waitForText();
    EXPECT_EQ(summary(), QStringLiteral("cancelled"));
    EXPECT_EQ(panel.text().toPlainText(), QStringLiteral("the end"));
    EXPECT_TRUE(driver.errors().isEmpty());
}

TEST_F(GeneratePanelTest, ARealModelFillsItsContext) {
    ET_NEEDS_SHARED_DATA();
    const auto data = sharedData() / "llm";
    driver.open({data / "models/tiny-a/portable_fp32.pte"});
    driver.enterPanel(QStringLiteral("Generate"));
    field<QLineEdit>("generateTokenizer")
        .setText(QString::fromStdString((data / "tokenizers/hf_bpe_llama3/tokenizer.json").string()));
    prompt(QStringLiteral("The ExecuTorch runtime"));
    generate();
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    EXPECT_TRUE(summary().contains(QStringLiteral("context full"))) << summary().toStdString();
    EXPECT_EQ(panel.tokens().tokens().size(), 129U) << "the last has no room to be read";
}

TEST_F(GeneratePanelTest, TakesItsPicture) {
    openSample();
    prompt(QStringLiteral("the small model"));
    field<QDoubleSpinBox>("generateTemperature").setValue(1);
    generate();
    panel.tokens().choose(30);
    ASSERT_TRUE(settle(driver.window()));
    takePictures(driver, "generate");
}

}  // namespace

}  // namespace et::test
