// Tests of the tensors panel with tensors of all sources: the list, one tensor, two side by side, a tensor
// file.
#include "app/studio/tensors/tensors_panel.h"

#include "app/studio/inspector/inspector_panel.h"
#include "app/studio/panel_area.h"
#include "app/studio/tensors/tensor_pane.h"
#include "inspector/tensor_files/tensor_file.h"
#include "inspector/tensors/stored_values.h"
#include "tests/studio/clicks.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTextBrowser>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace et::test {

namespace {

using inspector::TensorOrigin;
using studio::TensorPane;
using visualizers::ReportTableModel;

class TensorsPanelTest : public StudioTest {
  protected:
    TensorsPanelTest() : panel(*driver.window().findChild<studio::TensorsPanel*>()) {}

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterPanel(QStringLiteral("Tensors"));
        settle();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
        QTest::qWait(0);
    }
    /// The row of the first listed tensor of this origin whose name contains `name`.
    [[nodiscard]] QModelIndex rowOf(TensorOrigin origin, const std::string& name) {
        QTreeView& tree = panel.list().view();
        for (int i = 0; i < tree.model()->rowCount(); ++i) {
            const QModelIndex index = tree.model()->index(i, 0);
            const auto at = panel.listed()[index.data(ReportTableModel::RowRole).toULongLong()];
            const auto& tensor = panel.catalog()->tensors()[at];
            if (tensor.origin == origin && tensor.name.contains(name)) {
                return index;
            }
        }
        ADD_FAILURE() << "no tensor " << name;
        return {};
    }
    void click(const QModelIndex& index, Qt::KeyboardModifiers modifiers = {}) {
        QTreeView& tree = panel.list().view();
        tree.scrollTo(index);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, modifiers, tree.visualRect(index).center());
        settle();
    }
    [[nodiscard]] std::size_t clickedTensor() { return panel.listed()[panel.list().currentRow().value()]; }
    [[nodiscard]] QString label(const char* name) {
        return driver.window().findChild<QLabel*>(QLatin1String(name))->text();
    }

    WindowDriver driver;
    studio::TensorsPanel& panel;
};

TEST_F(TensorsPanelTest, ShowsWhichFilesToOpen) {
    driver.enterPanel(QStringLiteral("Tensors"));
    EXPECT_FALSE(panel.hasContent());
    EXPECT_TRUE(panel.listed().empty());
}

TEST_F(TensorsPanelTest, TensorsOfAllOriginsAreInOneList) {
    open(runSamplePaths());
    ASSERT_NE(panel.catalog(), nullptr);
    for (const TensorOrigin origin :
         {TensorOrigin::Constant, TensorOrigin::RecordWeight, TensorOrigin::TestInput,
          TensorOrigin::TestOutput, TensorOrigin::Logged}) {
        EXPECT_TRUE(
            std::ranges::contains(panel.catalog()->tensors(), origin, &inspector::CatalogTensor::origin))
            << inspector::traits(origin).name;
    }
    EXPECT_EQ(panel.listed().size(), panel.catalog()->tensors().size());
    EXPECT_EQ(label("tensorsHead"), QStringLiteral("%1 tensors").arg(panel.listed().size()));
    panel.find();
    QTest::keyClicks(driver.window().focusWidget(), QStringLiteral("stem.conv"));
    EXPECT_GT(panel.list().view().model()->rowCount(), 0);
    EXPECT_LT(panel.list().view().model()->rowCount(), static_cast<int>(panel.listed().size()));
}

TEST_F(TensorsPanelTest, ATensorIsShownAsPictureNumbersDistributionAndChannels) {
    open(runSamplePaths());
    click(rowOf(TensorOrigin::RecordWeight, "stem.conv.weight"));
    const std::size_t at = clickedTensor();
    const auto expected =
        inspector::numbersOf(panel.catalog()->read(at, inspector::TensorForm::Real).value());
    ASSERT_TRUE(expected);
    TensorPane& pane = panel.pane();
    EXPECT_TRUE(pane.headline().contains(QStringLiteral("stem.conv.weight")))
        << pane.headline().toStdString();
    EXPECT_TRUE(pane.headline().contains(QStringLiteral("%1 elements").arg(expected->size())));
    // 3x3 kernels are too small to view individually: each channel is a row.
    auto& values = pane.comparison().expected();
    EXPECT_EQ(values.model().rowCount() * values.model().columnCount(), static_cast<int>(expected->size()));
    EXPECT_FALSE(pane.comparison().actual().isVisible());
    driver.window().findChild<QCheckBox*>(QStringLiteral("tensorRows"))->click();
    EXPECT_EQ(values.model().rowCount(), 3);
    EXPECT_EQ(values.model().columnCount(), 3);
    driver.press(Qt::Key_C);
    EXPECT_TRUE(WindowDriver::onScreen(pane.channels()));
    const auto& rows = pane.channels().model().rows().table.rows;
    const std::size_t inner = expected->size() / rows.size();
    EXPECT_EQ(std::get<double>(rows[1][2]),
              *std::ranges::max_element(std::span(*expected).subspan(inner, inner)));
    driver.press(Qt::Key_D);
    EXPECT_FALSE(WindowDriver::onScreen(pane.channels()));
}

TEST_F(TensorsPanelTest, TwoTensorsAreCompared) {
    open(runSamplePaths());
    click(rowOf(TensorOrigin::TestOutput, "output 0"));
    click(rowOf(TensorOrigin::TestOutput, "case 1, output 0"), Qt::ControlModifier);
    TensorPane& pane = panel.pane();
    ASSERT_TRUE(pane.comparison().actual().isVisible());
    EXPECT_TRUE(pane.comparison().actual().caption().contains(QStringLiteral("case 1")));
    EXPECT_TRUE(pane.comparison().cursorText().contains(QStringLiteral("difference")))
        << pane.comparison().cursorText().toStdString();
}

TEST_F(TensorsPanelTest, OperatorLinksToItsWeight) {
    open(runSamplePaths());
    driver.enterPerspective("time");
    auto& pane = *driver.window().findChild<studio::InspectorPanel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !pane.busy(); }, 30'000));
    driver.window().selection().setOperator({.method = "forward", .instruction = core::InstructionId(0)});
    EXPECT_TRUE(pane.plainText().contains(QStringLiteral("Weights"))) << pane.plainText().toStdString();
    EXPECT_TRUE(pane.plainText().contains(QStringLiteral("stem.conv.weight")))
        << pane.plainText().toStdString();
    ASSERT_TRUE(clickLink(*pane.findChild<QTextBrowser*>(), QStringLiteral("panel:tensors")));
    settle();
    EXPECT_EQ(driver.window().area().currentId(), "tensors");
    EXPECT_TRUE(label("tensorsHead").contains(QStringLiteral("of the selected operator")));
    EXPECT_LT(panel.listed().size(), panel.catalog()->tensors().size());
    // The first of them is shown.
    EXPECT_NE(panel.pane().comparison().expected().model().rowCount(), 0);
    driver.window().findChild<QCheckBox*>(QStringLiteral("tensorsOfSelection"))->click();
    EXPECT_EQ(panel.listed().size(), panel.catalog()->tensors().size());
}

TEST_F(TensorsPanelTest, GSelectsTheOperatorOfATensor) {
    open(runSamplePaths());
    click(rowOf(TensorOrigin::Constant, "stem.conv"));
    const auto tensor = panel.catalog()->tensors()[clickedTensor()];
    driver.press(Qt::Key_G);
    ASSERT_TRUE(driver.window().selection().currentOperator());
    EXPECT_EQ(driver.window().selection().currentOperator()->instruction, tensor.instructions.front());
}

TEST_F(TensorsPanelTest, ASavedTensorReadsBack) {
    open(runSamplePaths());
    click(rowOf(TensorOrigin::Constant, "weight"));
    const auto file = folder() / "weight.npy";
    driver.press(Qt::Key_E, Qt::ControlModifier);
    {
        FileDialogDriver dialog;
        EXPECT_TRUE(dialog.name().endsWith(QStringLiteral("weight.npy"))) << dialog.name().toStdString();
        dialog.choose(file);
        EXPECT_FALSE(dialog.isOpen());
    }
    const auto read = inspector::readTensorFile(file, std::nullopt, 1 << 20);
    ASSERT_TRUE(read) << read.error().toString();
    const auto expected = panel.catalog()->read(clickedTensor(), inspector::TensorForm::Real);
    EXPECT_EQ(inspector::numbersOf(read->front()).value(), inspector::numbersOf(*expected).value());
    driver.press(Qt::Key_E, Qt::ControlModifier);
    chooseInFileDialog(folder() / "missing" / "weight.npy");
    EXPECT_TRUE(driver.errors().value(0).contains(QStringLiteral("missing")))
        << driver.errors().join(u'\n').toStdString();
}

TEST_F(TensorsPanelTest, WeightsOfADelegateAreRealNumbersOrIntegers) {
    ET_NEEDS_SHARED_DATA();
    const auto programs = sharedData() / "programs" / "mobilenet_v2_small";
    open({programs / "xnnpack_q8.bpte", programs / "xnnpack_q8.etrecord"});
    click(rowOf(TensorOrigin::DelegateWeight, "filter"));
    auto& model = panel.pane().comparison().expected().model();
    const QString real = model.index(0, 0).data().toString();
    EXPECT_TRUE(real.contains(u'.')) << real.toStdString();
    driver.window().findChild<QCheckBox*>(QStringLiteral("tensorReal"))->click();
    settle();
    const QString stored = model.index(0, 0).data().toString();
    EXPECT_FALSE(stored.contains(u'.')) << stored.toStdString();
}

TEST_F(TensorsPanelTest, TakesItsPicture) {
    open(runSamplePaths());
    click(rowOf(TensorOrigin::RecordWeight, "stem.conv.weight"));
    takePictures(driver, "tensors");
}

}  // namespace

}  // namespace et::test
