// Tests of the file dialogs of single views: chosen files reach the view, saved files are on disk.
#include "app/samples/sample_set.h"
#include "app/studio/generate/generate_panel.h"
#include "app/studio/graph/graph_panel.h"
#include "app/studio/job_dialog.h"
#include "app/studio/run/run_panel.h"
#include "app/studio/sql/sql_panel.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/sql/sql_editor.h"

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace et::test {

namespace {

namespace fs = std::filesystem;

class PanelFileDialogTest : public StudioTest {
  protected:
    PanelFileDialogTest() { driver.window().resize(1280, 800); }

    template <class Panel>
    [[nodiscard]] Panel& panel() {
        return *driver.window().findChild<Panel*>();
    }
    template <class Panel>
    void waitUntilIdle(Panel& panel) {
        EXPECT_TRUE(QTest::qWaitFor([&] { return !panel.busy(); }, 60'000));
        QTest::qWait(0);
    }
    /// Clicks the button with this tool tip next to a field.
    static void browse(const QWidget& form, const char* toolTip) {
        for (QToolButton* const button : form.findChildren<QToolButton*>()) {
            if (button->toolTip() == QLatin1String(toolTip)) {
                ASSERT_TRUE(button->isVisible());
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
        }
        ADD_FAILURE() << "no button " << toolTip;
    }
    [[nodiscard]] static QString textOf(const QWidget& form, const char* field) {
        return form.findChild<QLineEdit*>(QLatin1String(field))->text();
    }
    [[nodiscard]] static QByteArray contentOf(const fs::path& path) {
        QFile file(QString::fromStdString(path.string()));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path;
        return file.readAll();
    }
    [[nodiscard]] static QString nameOf(const fs::path& path) {
        return QString::fromStdString(path.string());
    }

    WindowDriver driver;
};

TEST_F(PanelFileDialogTest, TheGraphIsSaved) {
    qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER);
    driver.open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Graph"));
    auto& graph = panel<studio::GraphPanel>();
    waitUntilIdle(graph);
    graph.canvas().setFocus();
    driver.press(Qt::Key_E, Qt::ControlModifier);
    chooseInFileDialog(folder() / "graph");
    EXPECT_TRUE(contentOf(folder() / "graph.svg").contains("<svg"));
    graph.canvas().setFocus();
    driver.press(Qt::Key_E, Qt::ControlModifier);
    FileDialogDriver dialog;
    EXPECT_EQ(dialog.folder(), folder());
    dialog.chooseFilter(2);
    dialog.choose(folder() / "graph");
    EXPECT_FALSE(dialog.isOpen());
    EXPECT_TRUE(contentOf(folder() / "graph.dot").startsWith("digraph"));
}

TEST_F(PanelFileDialogTest, AnAnswerOfSqlIsSaved) {
    const fs::path trace = write("small.etdp", smallTrace(3));
    driver.open({trace});
    driver.enterPanel(QStringLiteral("SQL"));
    auto& sql = panel<studio::SqlPanel>();
    sql.editor().setPlainText(QStringLiteral("SELECT 42 AS answer"));
    sql.editor().setFocus();
    QTest::keyClick(&sql.editor(), Qt::Key_Return, Qt::ControlModifier);
    waitUntilIdle(sql);
    driver.trigger(QStringLiteral("Save Result…"));
    {
        FileDialogDriver dialog;
        EXPECT_EQ(dialog.folder(), trace.parent_path());
        dialog.choose(folder() / "answer", Accept::Enter);
        EXPECT_FALSE(dialog.isOpen());
    }
    EXPECT_EQ(contentOf(folder() / "answer.csv").trimmed(), "answer\n42");
    driver.trigger(QStringLiteral("Save Result…"));
    chooseInFileDialog(folder() / "answer.json");
    EXPECT_TRUE(contentOf(folder() / "answer.json").startsWith('['));
}

TEST_F(PanelFileDialogTest, ATokenizerIsChosen) {
    ASSERT_TRUE(samples::writeSampleSet("llama", folder()));
    driver.open({folder() / "llama.pte"});
    driver.enterPanel(QStringLiteral("Generate"));
    const fs::path tokenizer = write("other.json", std::string_view("{}"));
    const auto& generate = panel<studio::GeneratePanel>();
    browse(generate, "Choose the Tokenizer");
    FileDialogDriver dialog;
    EXPECT_EQ(dialog.folder(), folder());
    dialog.choose(tokenizer);
    EXPECT_FALSE(dialog.isOpen());
    EXPECT_EQ(textOf(generate, "generateTokenizer"), nameOf(tokenizer));
}

TEST_F(PanelFileDialogTest, InputsOfARunAreChosen) {
    driver.open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Run"));
    const auto& run = panel<studio::RunPanel>();
    auto& inputs = *run.findChild<QComboBox*>(QStringLiteral("runInputs"));
    inputs.setCurrentIndex(inputs.findData(QStringLiteral("files")));
    const fs::path x = write("x.npy", std::string_view("x"));
    const fs::path y = write("y.npy", std::string_view("y"));
    browse(run, "Choose Files");
    FileDialogDriver dialog;
    dialog.choose({x, y});
    EXPECT_FALSE(dialog.isOpen());
    EXPECT_EQ(textOf(run, "runFiles"), nameOf(x) + QStringLiteral(", ") + nameOf(y));
}

TEST_F(PanelFileDialogTest, FilesOfARunAreSaved) {
    driver.open({runSamplePaths().front()});
    driver.enterPanel(QStringLiteral("Run"));
    auto& run = panel<studio::RunPanel>();
    run.setFocus();
    driver.press(Qt::Key_F9);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run.running(); }, 60'000));
    driver.waitUntilIdle();
    const fs::path target = folder() / "kept";
    fs::create_directory(target);
    driver.enterPanel(QStringLiteral("Run"));
    driver.trigger(QStringLiteral("Save Files…"));
    chooseInFileDialog(target);
    EXPECT_TRUE(fs::exists(target / "run_1.etdp"));
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
}

TEST_F(PanelFileDialogTest, TheResultOfAJobIsSaved) {
    driver.open({runSamplePaths().front()});
    driver.enterPanel(QStringLiteral("Memory"));
    driver.trigger(QStringLiteral("Write This Plan…"));
    const auto& fix = panel<studio::JobDialog>();
    ASSERT_TRUE(fix.isVisible());
    const fs::path proposed = fix.request().output;
    const fs::path file = write("plan.pte", std::string_view("old"));
    browse(fix, "Choose the output file");
    FileDialogDriver dialog;
    EXPECT_EQ(dialog.folder(), proposed.parent_path());
    EXPECT_EQ(dialog.name(), nameOf(proposed.filename()));
    dialog.answerWith(QMessageBox::Yes);
    dialog.choose(file);
    EXPECT_EQ(dialog.questions().size(), 1);
    EXPECT_FALSE(dialog.isOpen());
    EXPECT_EQ(fix.request().output, file);
}

}  // namespace

}  // namespace et::test
