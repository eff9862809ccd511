// Logs that are pasted or dropped onto the window.
#include "app/studio/explain_dialog.h"

#include "app/studio/commands.h"
#include "app/studio/main_window.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/selection.h"

#include <QApplication>
#include <QClipboard>
#include <QMenuBar>
#include <QTest>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>

#include <gtest/gtest.h>

namespace et::test {
namespace {

class ExplainDialogTest : public StudioTest {
  protected:
    WindowDriver driver;
    studio::ExplainDialog& dialog = *driver.window().findChild<studio::ExplainDialog*>();

    void trigger(const QString& text) {
        for (const studio::Command& each : studio::collectCommands(*driver.window().menuBar())) {
            if (each.text == text) {
                each.action->trigger();
                return;
            }
        }
        FAIL() << "no command " << text.toStdString();
    }
    [[nodiscard]] bool waitFor(const QString& text) {
        return QTest::qWaitFor([&] { return dialog.answerText().contains(text); }, 60'000);
    }
};

TEST_F(ExplainDialogTest, ADroppedLogIsExplained) {
    driver.drop({write("device.log", "E/ExecuTorch(1): Backend FooBackend is not registered.\n")});
    EXPECT_TRUE(dialog.isVisible());
    EXPECT_TRUE(waitFor(QStringLiteral("FooBackend is not built into this runtime")))
        << dialog.answerText().toStdString();
    EXPECT_TRUE(dialog.answerText().contains(QStringLiteral("--whole-archive")));
}

TEST_F(ExplainDialogTest, TheClipboardIsExplained) {
    QApplication::clipboard()->setText(QStringLiteral("Load failed: 34\n"));
    trigger(QStringLiteral("Explain the Clipboard"));
    EXPECT_TRUE(waitFor(QStringLiteral("AccessFailed (0x22)"))) << dialog.answerText().toStdString();
}

TEST_F(ExplainDialogTest, TheAnswerLinksToTheOperatorOfTheOpenProgram) {
    driver.open(runSamplePaths());
    driver.drop({write("device.log",
                       "[op_x.cpp:1] Check failed (tensors_have_same_dim_order(in, out)):\n"
                       "[method.cpp:1] KernelCall failed at instruction 0:0 in operator x: 0x12\n")});
    ASSERT_TRUE(waitFor(QStringLiteral("Show instruction 0 of forward")))
        << dialog.answerText().toStdString();
    auto* const answer = dialog.findChild<QTextBrowser*>();
    const QTextCursor link = answer->document()->find(QStringLiteral("Show instruction 0"));
    QTest::mouseClick(answer->viewport(), Qt::LeftButton, {},
                      answer->cursorRect(link).center() - QPoint(8, 0));
    const auto& selected = driver.window().selection().currentOperator();
    ASSERT_TRUE(selected.has_value());
    EXPECT_EQ(selected->instruction.value, 0);
    EXPECT_EQ(selected->method, "forward");
}

TEST_F(ExplainDialogTest, TextOfALogIsNotInterpretedAsMarkup) {
    dialog.explainText(QStringLiteral("Backend Foo is not registered. <img src=x><b>bold\n"));
    ASSERT_TRUE(waitFor(QStringLiteral("<img src=x>"))) << dialog.answerText().toStdString();
}

}  // namespace
}  // namespace et::test
