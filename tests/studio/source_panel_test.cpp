// Tests of the source panel: stacks, the file, the time of its lines.
#include "app/studio/source/source_panel.h"

#include "app/studio/path_mappings.h"
#include "app/studio/source/mapping_dialog.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/text.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QSettings>
#include <QTableWidget>
#include <QTest>
#include <QTextBlock>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace et::test {

namespace {

namespace fs = std::filesystem;
using inspector::SourceFile;
using inspector::SourceIndex;
using inspector::SourceLine;
using visualizers::CodeView;
using visualizers::SourceView;

/// The Python source that the stacks of the sample conv_net refer to.
constexpr std::string_view convNet = R"(import torch
from torch import nn
from torch.nn import functional as F


class Stem(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.act = nn.ReLU()

    def forward(self, x):
        x = self.norm(self.conv(x))
        return self.act(x)


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.body = nn.Sequential(
            nn.Conv2d(8, 16, 3, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(16),
            nn.ReLU6(),
        )
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        x = self.stem(x)
        x = self.body(x)
        x = F.adaptive_avg_pool2d(x, (1, 1))
        x = self.fc(torch.flatten(x, 1))
        return torch.softmax(x, dim=1)
)";

class SourcePanelTest : public StudioTest {
  protected:
    SourcePanelTest()
        : panel(*driver.window().findChild<studio::SourcePanel*>()),
          view(panel.view()),
          code(view.code()),
          selection(driver.window().selection()) {}

    void open(const std::vector<fs::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Source"));
        settle();
        const auto& session = driver.window().opened().session();
        auto built = SourceIndex::build(
            {.method = "forward",
             .program = session->program ? session->program->findMethod("forward") : nullptr,
             .record = session->record.get(),
             .blocks = session->blocks.get(),
             .onlyMethod = true});
        ASSERT_TRUE(built) << built.error().toString();
        index = std::move(*built);
    }
    void findFile(const fs::path& file) {
        driver.trigger(QStringLiteral("Find File…"));
        chooseInFileDialog(file);
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 60'000));
        QTest::qWait(0);
    }
    /// Reconstructs a file from the lines in the record.
    [[nodiscard]] static std::string pythonOf(const SourceFile& file) {
        std::string text;
        std::int64_t number = 1;
        for (const SourceLine& line : file.lines) {
            for (; number < line.number; ++number) {
                text += "# line " + std::to_string(number) + "\n";
            }
            text += "    " + std::string(line.code) + "\n";
            ++number;
        }
        return text;
    }
    [[nodiscard]] QString head() {
        return driver.window().findChild<QLabel*>(QStringLiteral("sourceHead"))->text();
    }
    [[nodiscard]] QString lineText(std::int64_t number) {
        return code.document()->findBlockByNumber(static_cast<int>(number) - 1).text();
    }
    void clickLine(std::int64_t number) {
        code.showLine(number);
        const QRectF rect = code.lineRect(number);
        QTest::mouseClick(code.viewport(), Qt::LeftButton, {},
                          QPoint(30, static_cast<int>(rect.center().y())));
    }

    WindowDriver driver;
    studio::SourcePanel& panel;
    SourceView& view;
    CodeView& code;
    visualizers::Selection& selection;
    SourceIndex index;
};

TEST_F(SourcePanelTest, ShowsWhichFilesToOpen) {
    driver.open({write("small.etdp", smallTrace(3))});
    EXPECT_FALSE(panel.hasContent());
    EXPECT_TRUE(driver.window()
                    .findChild<QLabel*>(QStringLiteral("sourceHint"))
                    ->text()
                    .contains(QStringLiteral("Open an ETRecord")));
}

TEST_F(SourcePanelTest, WithoutTheFileTheLinesOfTheRecordAreShown) {
    open(runSamplePaths());
    const SourceFile& file = index.files.front();
    EXPECT_EQ(view.shownFile(), file.path);
    EXPECT_TRUE(head().contains(QStringLiteral("File not found"))) << head().toStdString();
    EXPECT_TRUE(head().contains(QStringLiteral("Find File"))) << "what to do";
    for (const SourceLine& line : file.lines) {
        EXPECT_TRUE(code.toPlainText().contains(QString::fromStdString(std::string(line.code))));
    }
}

TEST_F(SourcePanelTest, AFileBesideTheRecordIsFoundAndItsLineMarked) {
    auto paths = runSamplePaths();
    open(paths);
    const SourceFile& file = index.files.front();
    const fs::path here = paths.front().parent_path() / fs::path(file.path).filename();
    std::ofstream(here) << pythonOf(file);
    open(paths);
    EXPECT_TRUE(head().contains(QString::fromStdString(here.string()))) << head().toStdString();
    const SourceLine& line = index.files.front().lines.back();
    EXPECT_EQ(lineText(line.number).trimmed().toStdString(), line.code);
    selection.setHandles("forward", line.handles);
    settle();
    EXPECT_TRUE(code.markedLines().contains(line.number));
    EXPECT_EQ(code.extraSelections().size(), static_cast<qsizetype>(code.markedLines().size()));
}

TEST_F(SourcePanelTest, AMappingIsLearntFromOneFile) {
    open(runSamplePaths());
    const SourceFile file = index.files.front();
    const std::string name = fs::path(file.path).filename().string();
    fs::create_directories(folder() / "elsewhere" / "models");
    const fs::path here = folder() / "elsewhere" / "models" / name;
    std::ofstream(here) << pythonOf(file);
    findFile(here);
    settle();
    EXPECT_EQ(lineText(file.lines.front().number).trimmed().toStdString(), file.lines.front().code);
    const auto mappings = studio::storedMappings(driver.store());
    ASSERT_EQ(mappings.size(), 1U);
    EXPECT_EQ(mappings.front(), inspector::mappingBetween(file.path, here));
    studio::MappingDialog dialog(mappings);
    EXPECT_EQ(dialog.mappings(), mappings);
    dialog.table().item(0, 1)->setText(QString());
    EXPECT_TRUE(dialog.mappings().empty()) << "half a mapping is none";
}

TEST_F(SourcePanelTest, WarnsOfChangedFile) {
    open(runSamplePaths());
    SourceFile file = index.files.front();
    const fs::path here = folder() / fs::path(file.path).filename();
    file.lines.front().code = "x = something_else(x)";
    std::ofstream(here) << pythonOf(file);
    findFile(here);
    settle();
    EXPECT_TRUE(head().contains(QStringLiteral("differs from the exported version"))) << head().toStdString();
}

TEST_F(SourcePanelTest, ShowsTimePerLine) {
    open(runSamplePaths());
    const SourceFile& file = index.files.front();
    ASSERT_TRUE(index.total);
    std::size_t timed = 0;
    for (const SourceLine& line : file.lines) {
        const auto note = code.lineNotes().find(line.number);
        ASSERT_NE(note, code.lineNotes().end()) << line.number;
        if (line.time) {
            ++timed;
            EXPECT_NEAR(note->second.share, *line.time / *index.total, 1e-9);
            EXPECT_EQ(note->second.time,
                      visualizers::timeText(*line.time, inspector::TimeScale::Milliseconds));
        }
    }
    EXPECT_GT(timed, 3U);
    // The line with the largest share has the longest bar.
    const auto max =
        std::ranges::max_element(code.lineNotes(), {}, [](const auto& note) { return note.second.share; });
    code.showLine(max->first);
    const QImage picture = code.gutter().grab().toImage();
    const int y = static_cast<int>(code.lineRect(max->first).top()) + 3;
    const int strip = code.fontMetrics().height();  // of breakpoints
    EXPECT_NE(picture.pixel(strip + 1, y), code.palette().color(QPalette::AlternateBase).rgb());
}

TEST_F(SourcePanelTest, AClickOnALineChoosesItsOperators) {
    auto paths = runSamplePaths();
    open(paths);
    const SourceLine line = index.files.front().lines.front();
    clickLine(line.number);
    const auto handles = selection.currentHandles();
    EXPECT_TRUE(std::ranges::equal(handles, line.handles));
    EXPECT_TRUE(code.markedLines().contains(line.number));
    EXPECT_FALSE(view.stacks().model().rows().table.rows.empty());
}

TEST_F(SourcePanelTest, FollowsTheSelectionToItsLine) {
    open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Events"));
    const auto& blocks = driver.window().opened().blocks()->blocks();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        for (std::size_t e = 0; e < blocks[b].events.size(); ++e) {
            if (blocks[b].events[e].name.contains("softmax")) {
                selection.setCurrent(visualizers::EventRef{.block = b, .event = e});
            }
        }
    }
    driver.enterPanel(QStringLiteral("Source"));
    settle();
    const auto& rows = view.stacks().model().rows().table.rows;
    ASSERT_GT(rows.size(), 1U);
    EXPECT_TRUE(std::get<std::string>(rows[1][2]).contains("softmax")) << "the innermost line";
    ASSERT_FALSE(code.markedLines().empty());
    EXPECT_EQ(code.currentLine(), *code.markedLines().rbegin());
    code.setFocus();
    QTest::keyClick(&code, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(
        QApplication::clipboard()->text().endsWith(QStringLiteral(":%1").arg(*code.markedLines().rbegin())));
}

TEST_F(SourcePanelTest, RealRecordsResolveDelegatedOperatorsToLines) {
    ET_NEEDS_SHARED_DATA();
    const auto programs = sharedData() / "programs" / "mobilenet_v2_small";
    open({programs / "xnnpack.bpte", programs / "xnnpack.etrecord",
          sharedData() / "traces" / "mobilenet_v2_small_xnnpack" / "trace.etdp"});
    EXPECT_FALSE(view.shownFile().empty());
    const auto timed =
        std::ranges::count_if(code.lineNotes(), [](const auto& note) { return !note.second.time.isEmpty(); });
    EXPECT_GT(timed, 0) << "XNNPACK's operators, by the handles of its payload";
}

TEST_F(SourcePanelTest, AProgramMayCarryItsStacks) {
    ET_NEEDS_SHARED_DATA();
    open({sharedData() / "programs" / "memplan" / "stacktrace.pte"});
    ASSERT_TRUE(panel.hasContent());
    ASSERT_FALSE(index.files.empty());
    selection.setOperator({.method = "forward", .instruction = core::InstructionId(0)});
    settle();
    EXPECT_FALSE(view.stacks().model().rows().table.rows.empty());
    EXPECT_FALSE(code.markedLines().empty());
}

TEST_F(SourcePanelTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    auto paths = runSamplePaths();
    open(paths);
    const SourceFile file = index.files.front();
    std::ofstream(paths.front().parent_path() / fs::path(file.path).filename()) << convNet;
    open(paths);
    EXPECT_FALSE(head().contains(QStringLiteral("not the version"))) << head().toStdString();
    clickLine(file.lines[file.lines.size() / 2].number);
    takePictures(driver, "source");
}

}  // namespace

}  // namespace et::test
