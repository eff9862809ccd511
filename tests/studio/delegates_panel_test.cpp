// Tests of the delegates panel: list, debug handle map in both directions, payload.
#include "app/studio/delegates/delegates_panel.h"

#include "backends/builtin.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace et::test {

namespace {

using visualizers::DelegatesView;
using visualizers::MapDirection;
using visualizers::ReportTable;
using Row = std::vector<inspector::format::Cell>;

class DelegatesPanelTest : public StudioTest {
  protected:
    DelegatesPanelTest()
        : panel(*driver.window().findChild<studio::DelegatesPanel*>()),
          view(panel.view()),
          selection(driver.window().selection()) {}

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Delegates"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 60'000));
        QTest::qWait(0);
    }
    void openReal() {
        const auto folder = sharedData() / "programs" / "mobilenet_v2_small";
        open({folder / "xnnpack.bpte", folder / "xnnpack.etrecord",
              sharedData() / "traces" / "mobilenet_v2_small_xnnpack" / "trace.etdp"});
    }
    [[nodiscard]] static const std::vector<Row>& rowsOf(ReportTable& table) {
        return table.model().rows().table.rows;
    }
    [[nodiscard]] static std::string text(const Row& row, std::size_t column) {
        return std::get<std::string>(row[column]);
    }
    /// The value of a named fact; empty if missing.
    [[nodiscard]] std::string fact(std::string_view name) {
        for (const Row& row : rowsOf(view.info())) {
            if (text(row, 0) == name) {
                return text(row, 1);
            }
        }
        return {};
    }
    static void click(ReportTable& table, std::size_t row) {
        QTreeView& tree = table.view();
        QModelIndex index;
        for (int i = 0; i < tree.model()->rowCount() && !index.isValid(); ++i) {
            const QModelIndex top = tree.model()->index(i, 0);
            if (top.data(visualizers::ReportTableModel::RowRole).toULongLong() == row) {
                index = top;
            }
        }
        ASSERT_TRUE(index.isValid()) << row;
        tree.scrollTo(index);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(index).center());
    }
    [[nodiscard]] QString label(const char* name) {
        return driver.window().findChild<QLabel*>(QLatin1String(name))->text();
    }

    WindowDriver driver;
    studio::DelegatesPanel& panel;
    DelegatesView& view;
    visualizers::Selection& selection;
};

TEST_F(DelegatesPanelTest, ShowsWhichFilesToOpen) {
    driver.open(samplePaths());
    EXPECT_FALSE(panel.hasContent());
    EXPECT_TRUE(label("delegatesHint").contains(QStringLiteral("Open a program")));
}

TEST_F(DelegatesPanelTest, ANodeOfTheGraphChoosesItsDelegate) {
    ET_NEEDS_SHARED_DATA();
    const auto model = sharedData() / "programs" / "bert_tiny";
    open({model / "xnnpack.bpte", model / "xnnpack.etrecord"});
    const auto joined = visualizers::Delegation::build(driver.window().opened().session());
    const inspector::MethodDelegates& method = joined->report.methods.front();
    ASSERT_GT(method.delegates.size(), 2U);
    const auto& handles = method.delegates.back().calls.back().handles;
    ASSERT_FALSE(handles.empty());
    selection.setHandles(std::string(method.method->name), {handles.front()});
    EXPECT_EQ(view.delegates().currentRow(), rowsOf(view.delegates()).size() - 1);
}

TEST_F(DelegatesPanelTest, AProgramWithoutDelegatesShowsWhereItsOperatorsRun) {
    open(runSamplePaths());
    EXPECT_TRUE(rowsOf(view.delegates()).empty());
    EXPECT_TRUE(label("delegatesHead").contains(QStringLiteral("0 delegates")));
    view.showTab(DelegatesView::Operators);
    const auto& rows = rowsOf(view.operators());
    ASSERT_GT(rows.size(), 1U);
    EXPECT_EQ(text(rows.back(), 0), "all operators");
    const auto total = std::get<std::uint64_t>(rows.back()[1]);
    std::uint64_t sum = 0;
    for (const Row& row : rows) {
        sum += &row == &rows.back() ? 0 : std::get<std::uint64_t>(row[1]);
    }
    EXPECT_EQ(sum, total);
    EXPECT_TRUE(WindowDriver::onScreen(view.operators()));
}

TEST_F(DelegatesPanelTest, RealDelegatesMatchTheCommandLine) {
    ET_NEEDS_SHARED_DATA();
    openReal();
    const QAbstractItemModelTester tester(&view.map().model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto& session = driver.window().opened().session();
    const auto report = inspector::delegatesOf({.program = *session->program,
                                                .backends = backends::builtin(),
                                                .record = session->record.get(),
                                                .blocks = session->blocks.get()});
    ASSERT_TRUE(report);
    const inspector::MethodDelegates& method = report->methods.front();
    ASSERT_EQ(rowsOf(view.delegates()).size(), method.delegates.size());
    const auto& delegate = method.delegates.front();
    EXPECT_EQ(std::get<std::uint64_t>(rowsOf(view.delegates()).front()[4]),
              delegate.delegate->payload.size());
    std::uint64_t weights = 0;
    for (const inspector::NamedBlob& blob : delegate.namedData) {
        weights += blob.data.size();
    }
    EXPECT_GT(weights, delegate.delegate->payload.size()) << "most of it is not in the payload";
    EXPECT_EQ(std::get<std::uint64_t>(rowsOf(view.delegates()).front()[5]), weights);
    EXPECT_EQ(std::get<double>(rowsOf(view.delegates()).front()[8]), delegate.calls.front().time);
    EXPECT_EQ(fact("nodes inside"), std::to_string(delegate.graph->nodes().size()));
    EXPECT_EQ(fact("covers"), std::to_string(delegate.calls.front().nodes.size()) + " Edge nodes");
    EXPECT_FALSE(fact("overhead").empty());
    view.showTab(DelegatesView::Inside);
    EXPECT_EQ(rowsOf(view.inside()).size(), delegate.graph->nodes().size());
    const QString bytes =
        driver.window().findChild<QPlainTextEdit*>(QStringLiteral("payloadBytes"))->toPlainText();
    EXPECT_TRUE(bytes.startsWith(QStringLiteral("00000000 "))) << bytes.first(60).toStdString();
    EXPECT_TRUE(bytes.contains(QStringLiteral("XH00")));
}

TEST_F(DelegatesPanelTest, MapSelectsInBothDirections) {
    ET_NEEDS_SHARED_DATA();
    openReal();
    EXPECT_TRUE(label("mapSource").contains(QStringLiteral("trace"))) << label("mapSource").toStdString();
    const auto& forward = rowsOf(view.map());
    ASSERT_FALSE(forward.empty());
    const auto convolution =
        std::ranges::find_if(forward, [](const Row& row) { return text(row, 6).starts_with("Convolution"); });
    ASSERT_NE(convolution, forward.end());
    const std::string node = text(*std::next(convolution), 0);
    const std::string id = text(*convolution, 6);
    EXPECT_EQ(text(*convolution, 0), "conv2d");
    EXPECT_TRUE(text(*std::next(convolution), 5).contains(".py:")) << "its Python line";
    view.setDirection(MapDirection::FromNodes);
    const auto& back = rowsOf(view.map());
    const auto same = std::ranges::find_if(back, [&](const Row& row) { return text(row, 0) == node; });
    ASSERT_NE(same, back.end()) << node;
    EXPECT_EQ(text(*std::next(same), 6), id);
}

TEST_F(DelegatesPanelTest, SelectingInTheMapSelectsHandlesInAllPanels) {
    ET_NEEDS_SHARED_DATA();
    openReal();
    const auto& rows = rowsOf(view.map());
    const auto convolution =
        std::ranges::find_if(rows, [](const Row& row) { return text(row, 6).starts_with("Convolution"); });
    ASSERT_NE(convolution, rows.end());
    const auto at = static_cast<std::size_t>(convolution - rows.begin());
    click(view.map(), at);
    ASSERT_FALSE(selection.currentHandles().empty());
    EXPECT_EQ(text(rows[at], 2), std::to_string(selection.currentHandles().front().value));
    EXPECT_EQ(view.map().currentRow(), at) << "it stays where it was chosen";
}

TEST_F(DelegatesPanelTest, FollowsAnEventOfTheDelegate) {
    ET_NEEDS_SHARED_DATA();
    openReal();
    const auto& blocks = driver.window().opened().blocks()->blocks();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        for (std::size_t e = 0; e < blocks[b].events.size(); ++e) {
            if (blocks[b].events[e].delegated && blocks[b].events[e].name.starts_with("Convolution")) {
                selection.setCurrent(visualizers::EventRef{.block = b, .event = e});
            }
        }
    }
    ASSERT_NE(selection.currentEvent(), nullptr);
    ASSERT_TRUE(view.map().currentRow());
    EXPECT_EQ(text(rowsOf(view.map())[*view.map().currentRow()], 6), selection.currentEvent()->name);
}

TEST_F(DelegatesPanelTest, FiltersAndCopies) {
    ET_NEEDS_SHARED_DATA();
    openReal();
    view.showTab(DelegatesView::Inside);
    driver.press(Qt::Key_F, Qt::ControlModifier);
    auto* const filter = driver.window().findChild<QLineEdit*>(QStringLiteral("delegatesFilter"));
    ASSERT_TRUE(filter->hasFocus());
    QTest::keyClicks(filter, QStringLiteral("Clamp"));
    const int shown = view.inside().view().model()->rowCount();
    EXPECT_LT(static_cast<std::size_t>(shown), rowsOf(view.inside()).size());
    filter->clear();
    view.inside().view().setFocus();
    QTest::keyClick(&view.inside().view(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(QApplication::clipboard()->text().startsWith(QStringLiteral("| name | kind |")));
}

TEST_F(DelegatesPanelTest, TheButtonExtractsThePayload) {
    ET_NEEDS_SHARED_DATA();
    openReal();
    auto* const button = driver.window().findChild<QToolButton*>(QStringLiteral("extractPayload"));
    ASSERT_TRUE(button->isVisible());
    ASSERT_TRUE(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
    const auto file = folder() / "payload.bin";
    {
        FileDialogDriver dialog;
        EXPECT_EQ(dialog.name(), QStringLiteral("forward_0.bin"));
        dialog.choose(file);
        EXPECT_FALSE(dialog.isOpen());
    }
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 60'000));
    const auto& session = driver.window().opened().session();
    const program::Delegate& delegate = session->program->methods.front().delegates.front();
    EXPECT_TRUE(std::ranges::equal(readBytes(file), delegate.payload));
    const auto weights = folder() / "payload.bin.parts" / "named_data";
    EXPECT_TRUE(std::filesystem::is_directory(weights));
    EXPECT_FALSE(std::filesystem::is_empty(weights));
    EXPECT_TRUE(fact("payload").contains("bytes"));
}

TEST_F(DelegatesPanelTest, OtherBackendsShowTheirHeaders) {
    ET_NEEDS_SHARED_DATA();
    std::size_t opened = 0;
    for (const auto& folder : std::filesystem::directory_iterator(sharedData() / "programs" / "backends")) {
        if (!folder.is_directory() || opened == 4) {
            continue;
        }
        for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
            if (file.path().extension() == ".bpte") {
                open({file.path()});
                ASSERT_TRUE(driver.window().opened().session()->program) << file.path();
                std::size_t delegates = 0;
                for (const program::Method& method : driver.window().opened().session()->program->methods) {
                    delegates += method.delegates.size();
                }
                EXPECT_GE(rowsOf(view.delegates()).size(), delegates) << file.path();
                EXPECT_EQ(delegates == 0, fact("payload").empty()) << file.path();
                ++opened;
                break;
            }
        }
    }
    EXPECT_GT(opened, 0U);
}

TEST_F(DelegatesPanelTest, TakesItsPicture) {
    ET_NEEDS_SHARED_DATA();
    driver.window().resize(1024, 560);
    openReal();
    const auto& rows = rowsOf(view.map());
    const auto convolution =
        std::ranges::find_if(rows, [](const Row& row) { return text(row, 6).starts_with("Convolution"); });
    click(view.map(), static_cast<std::size_t>(convolution - rows.begin()));
    takePictures(driver, "delegates");
}

}  // namespace

}  // namespace et::test
