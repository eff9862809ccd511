// Tests of the tensors panel with tensors of all sources: the list, one tensor, two side by side, a tensor
// file.
#include "app/studio/tensors/tensors_room.h"

#include "app/studio/inspector/inspector_room.h"
#include "app/studio/room_area.h"
#include "app/studio/tensors/tensor_pane.h"
#include "inspector/catalog/stored_values.h"
#include "inspector/tensors/tensor_file.h"
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
#include <QUrl>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace et::test {

namespace {

using inspector::TensorOrigin;
using studio::TensorPane;
using visualizers::ReportTableModel;

class TensorsRoomTest : public StudioTest {
  protected:
    TensorsRoomTest() : room(*driver.window().findChild<studio::TensorsRoom*>()) {}

    void open(const std::vector<std::filesystem::path>& paths) {
        driver.open(paths);
        driver.enterRoom(QStringLiteral("Tensors"));
        settle();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !room.busy(); }, 30'000));
        QTest::qWait(0);
    }
    /// The row of the first listed tensor of this origin whose name contains `name`.
    [[nodiscard]] QModelIndex rowOf(TensorOrigin origin, const std::string& name) {
        QTreeView& tree = room.list().view();
        for (int i = 0; i < tree.model()->rowCount(); ++i) {
            const QModelIndex index = tree.model()->index(i, 0);
            const auto at = room.listed()[index.data(ReportTableModel::RowRole).toULongLong()];
            const auto& tensor = room.catalog()->tensors()[at];
            if (tensor.origin == origin && tensor.name.contains(name)) {
                return index;
            }
        }
        ADD_FAILURE() << "no tensor " << name;
        return {};
    }
    void click(const QModelIndex& index, Qt::KeyboardModifiers modifiers = {}) {
        QTreeView& tree = room.list().view();
        tree.scrollTo(index);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, modifiers, tree.visualRect(index).center());
        settle();
    }
    [[nodiscard]] std::size_t clickedTensor() { return room.listed()[room.list().currentRow().value()]; }
    [[nodiscard]] QString label(const char* name) {
        return driver.window().findChild<QLabel*>(QLatin1String(name))->text();
    }

    WindowDriver driver;
    studio::TensorsRoom& room;
};

TEST_F(TensorsRoomTest, SaysWhatToOpen) {
    driver.enterRoom(QStringLiteral("Tensors"));
    EXPECT_FALSE(room.hasContent());
    EXPECT_TRUE(room.listed().empty());
}

TEST_F(TensorsRoomTest, TensorsOfAllOriginsAreInOneList) {
    open(runSamplePaths());
    ASSERT_NE(room.catalog(), nullptr);
    for (const TensorOrigin origin :
         {TensorOrigin::Constant, TensorOrigin::RecordWeight, TensorOrigin::TestInput,
          TensorOrigin::TestOutput, TensorOrigin::Logged}) {
        EXPECT_TRUE(
            std::ranges::contains(room.catalog()->tensors(), origin, &inspector::CatalogTensor::origin))
            << inspector::traits(origin).name;
    }
    EXPECT_EQ(room.listed().size(), room.catalog()->tensors().size());
    EXPECT_EQ(label("tensorsHead"), QStringLiteral("%1 tensors").arg(room.listed().size()));
    room.find();
    QTest::keyClicks(driver.window().focusWidget(), QStringLiteral("stem.conv"));
    EXPECT_GT(room.list().view().model()->rowCount(), 0);
    EXPECT_LT(room.list().view().model()->rowCount(), static_cast<int>(room.listed().size()));
}

TEST_F(TensorsRoomTest, ATensorIsShownAsPictureNumbersDistributionAndChannels) {
    open(runSamplePaths());
    click(rowOf(TensorOrigin::RecordWeight, "stem.conv.weight"));
    const std::size_t at = clickedTensor();
    const auto expected = inspector::numbersOf(room.catalog()->read(at, inspector::TensorForm::Real).value());
    ASSERT_TRUE(expected);
    TensorPane& pane = room.pane();
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

TEST_F(TensorsRoomTest, TwoTensorsAreCompared) {
    open(runSamplePaths());
    click(rowOf(TensorOrigin::TestOutput, "output 0"));
    click(rowOf(TensorOrigin::TestOutput, "case 1, output 0"), Qt::ControlModifier);
    TensorPane& pane = room.pane();
    ASSERT_TRUE(pane.comparison().actual().isVisible());
    EXPECT_TRUE(pane.comparison().actual().caption().contains(QStringLiteral("case 1")));
    EXPECT_TRUE(pane.comparison().cursorText().contains(QStringLiteral("difference")))
        << pane.comparison().cursorText().toStdString();
}

TEST_F(TensorsRoomTest, WhatAWeightLooksLikeIsOneClickFromItsOperator) {
    open(runSamplePaths());
    driver.enterPerspective("time");
    auto& pane = *driver.window().findChild<studio::InspectorRoom*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !pane.busy(); }, 30'000));
    driver.window().selection().setOperator({.method = "forward", .instruction = core::InstructionId(0)});
    EXPECT_TRUE(pane.plainText().contains(QStringLiteral("Weights"))) << pane.plainText().toStdString();
    EXPECT_TRUE(pane.plainText().contains(QStringLiteral("stem.conv.weight")))
        << pane.plainText().toStdString();
    emit pane.findChild<QTextBrowser*>()->anchorClicked(QUrl(QStringLiteral("room:tensors")));
    settle();
    EXPECT_EQ(driver.window().area().currentId(), "tensors");
    EXPECT_TRUE(label("tensorsHead").contains(QStringLiteral("of the selected operator")));
    EXPECT_LT(room.listed().size(), room.catalog()->tensors().size());
    // The first of them is shown.
    EXPECT_NE(room.pane().comparison().expected().model().rowCount(), 0);
    driver.window().findChild<QCheckBox*>(QStringLiteral("tensorsOfSelection"))->click();
    EXPECT_EQ(room.listed().size(), room.catalog()->tensors().size());
}

TEST_F(TensorsRoomTest, GSelectsTheOperatorOfATensor) {
    open(runSamplePaths());
    click(rowOf(TensorOrigin::Constant, "stem.conv"));
    const auto tensor = room.catalog()->tensors()[clickedTensor()];
    driver.press(Qt::Key_G);
    ASSERT_TRUE(driver.window().selection().currentOperator());
    EXPECT_EQ(driver.window().selection().currentOperator()->instruction, tensor.instructions.front());
}

TEST_F(TensorsRoomTest, ASavedTensorReadsBack) {
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
    const auto expected = room.catalog()->read(clickedTensor(), inspector::TensorForm::Real);
    EXPECT_EQ(inspector::numbersOf(read->front()).value(), inspector::numbersOf(*expected).value());
    driver.press(Qt::Key_E, Qt::ControlModifier);
    chooseInFileDialog(folder() / "missing" / "weight.npy");
    EXPECT_TRUE(driver.errors().value(0).contains(QStringLiteral("missing")))
        << driver.errors().join(u'\n').toStdString();
}

TEST_F(TensorsRoomTest, WeightsOfADelegateAreRealNumbersOrIntegers) {
    ET_NEEDS_SHARED_DATA();
    const auto programs = sharedData() / "programs" / "mobilenet_v2_small";
    open({programs / "xnnpack_q8.bpte", programs / "xnnpack_q8.etrecord"});
    click(rowOf(TensorOrigin::DelegateWeight, "filter"));
    auto& model = room.pane().comparison().expected().model();
    const QString real = model.index(0, 0).data().toString();
    EXPECT_TRUE(real.contains(u'.')) << real.toStdString();
    driver.window().findChild<QCheckBox*>(QStringLiteral("tensorReal"))->click();
    settle();
    const QString stored = model.index(0, 0).data().toString();
    EXPECT_FALSE(stored.contains(u'.')) << stored.toStdString();
}

TEST_F(TensorsRoomTest, TakesItsPicture) {
    open(runSamplePaths());
    click(rowOf(TensorOrigin::RecordWeight, "stem.conv.weight"));
    takePictures(driver, "tensors");
}

}  // namespace

}  // namespace et::test
