// Tests of the three problems of docs/how_to/debug_a_model.md, solved in the window.
#include "app/samples/sample_set.h"
#include "app/studio/debug/debug_console.h"
#include "tests/studio/debug_panel_fixture.h"

#include <QComboBox>
#include <QLabel>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

namespace et::test {

namespace {

using visualizers::DebugValue;

class DebugHowToTest : public RealDebugTest {
  protected:
    void openFault(const std::string& name) {
        const auto written = samples::writeSampleSet("faults", folder() / "faults");
        ASSERT_TRUE(written) << written.error().toString();
        const std::string stem = (folder() / "faults" / name).string();
        openAll({stem + ".pte", stem + ".etrecord"});
    }
    void addTrigger(int kind, const QString& where, const QString& condition = {}) {
        showList(panel.triggers());
        chooseItem(field<QComboBox>("debugKind"), kind);
        QTest::keyClicks(&field<QLineEdit>("debugCondition"), condition);
        type("debugWhere", where);
    }
    [[nodiscard]] QString reason() { return field<QLabel>("debugReason").text(); }
    /// Clicks the first value for which this holds.
    void choose(const std::function<bool(const DebugValue&)>& wanted) {
        showList(panel.values());
        const auto& values = panel.session().values();
        const auto found = std::ranges::find_if(values, wanted);
        ASSERT_NE(found, values.end());
        auto& view = panel.values().table().view();
        clickRow(view, view.model()->index(static_cast<int>(found - values.begin()), 0));
        waitUntilStopped();
    }
    void listAllValues() {
        showList(panel.values());
        chooseItem(field<QComboBox>("debugScope"), 1);
        waitUntilStopped();
    }
};

constexpr int breakpoint = 0;
constexpr int watchpoint = 1;

TEST_F(DebugHowToTest, FindsNanInAnAttentionMaskAndTriesAnotherMask) {
    openFault("nan_mask");
    addTrigger(watchpoint, QStringLiteral("nan"));
    press(Qt::Key_F5);  // starts and continues
    ASSERT_TRUE(panel.session().position()) << problem().toStdString();
    EXPECT_EQ(panel.session().position()->point.place.instruction, core::InstructionId(6));
    EXPECT_TRUE(reason().contains(QStringLiteral("nan: 4 of 16 elements of aten__softmax_default")))
        << reason().toStdString();
    ASSERT_TRUE(code.debugLines());
    EXPECT_EQ(code.debugLines()->current, 14);
    const auto names = panel.session().values();
    EXPECT_TRUE(std::ranges::contains(names, QStringLiteral("aten_add_tensor"), &DebugValue::name));
    listAllValues();
    choose([](const DebugValue& each) { return each.name == QStringLiteral("aten_add_tensor"); });
    EXPECT_TRUE(panel.value().details().contains(QStringLiteral("10 Inf")))
        << panel.value().details().toStdString();

    addTrigger(breakpoint, QStringLiteral("attention.py:13"));
    press(Qt::Key_F5, Qt::ShiftModifier);
    EXPECT_EQ(code.debugLines()->current, 13) << panel.positionLine().toStdString();
    press(Qt::Key_F10);
    choose([](const DebugValue& each) { return each.id == 16; });
    type("debugNewValue", QStringLiteral("0"));
    press(Qt::Key_F5);
    EXPECT_TRUE(panel.positionLine().endsWith(QStringLiteral("end"))) << panel.positionLine().toStdString();
    choose([](const DebugValue& each) { return each.role == QStringLiteral("output"); });
    EXPECT_TRUE(panel.value().details().contains(QStringLiteral("range")));
    EXPECT_FALSE(panel.value().details().contains(QStringLiteral("NaN")))
        << panel.value().details().toStdString();
}

TEST_F(DebugHowToTest, FindsTwoTensorsThatShareMemory) {
    openFault("shared_memory");
    addTrigger(watchpoint, QStringLiteral("overwritten"));
    press(Qt::Key_F5);
    ASSERT_TRUE(panel.session().position()) << problem().toStdString();
    EXPECT_TRUE(reason().contains(QStringLiteral("whose bytes aten_mul_tensor overwrote in step 1")))
        << reason().toStdString();
    EXPECT_TRUE(plan.state().current) << "marked in the memory plan";
    listAllValues();
    QString memory;
    for (const char* const name : {"aten_mm_default", "aten_mul_tensor"}) {
        choose([name](const DebugValue& each) { return each.name == QLatin1String(name); });
        const QString place = panel.value().details().section(QStringLiteral("arena"), 1);
        EXPECT_FALSE(place.isEmpty()) << name;
        EXPECT_TRUE(memory.isEmpty() || memory == place) << "the same bytes";
        memory = place;
    }
}

TEST_F(DebugHowToTest, FindsACacheThatIsNotUpdated) {
    openFault("stale_cache");
    addTrigger(breakpoint, QStringLiteral("*custom_sdpa*"), QStringLiteral("max(abs(key)) == 0"));
    auto& inputs = field<QComboBox>("debugInputs");  // the record has none
    chooseItem(inputs, inputs.findText(QStringLiteral("zeros")));
    start();
    showList(panel.console());
    type("debugCommand", QStringLiteral("run 1 0"));
    ASSERT_TRUE(panel.session().position()) << problem().toStdString();
    EXPECT_EQ(panel.session().position()->point.place.instruction, core::InstructionId(55));
    EXPECT_TRUE(reason().contains(QStringLiteral("layers.1.attention"))) << reason().toStdString();
    choose([](const DebugValue& each) { return each.role == QStringLiteral("state"); });
    const QString details = panel.value().details();
    EXPECT_TRUE(details.contains(QStringLiteral("last write&nbsp;&nbsp;</td><td>never")))
        << details.toStdString();
}

}  // namespace

}  // namespace et::test
