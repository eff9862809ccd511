#pragma once

#include "tests/studio/window_driver.h"

#include <QString>
#include <QStringList>

class QWidget;

namespace et::test {

/// Somebody who looks at the window, presses keys and clicks on what they see, and whose actions are counted:
/// a key (with what is held), a click, a text that is typed. Waiting and reading are none.
class Person {
  public:
    explicit Person(WindowDriver& at) : driver(at) {}

    [[nodiscard]] int actions() const { return count; }

    /// Whether the text is on screen within half a minute: in one place, or over several lines.
    [[nodiscard]] bool sees(const QString& text);
    [[nodiscard]] bool sees(const std::string& text) { return sees(QString::fromStdString(text)); }
    /// All that is on screen, to say what was seen instead.
    [[nodiscard]] std::string screen();

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void type(const QString& text);
    /// Clicks on the first such text on screen; of those inside of `where` if that is given. A test failure
    /// where nobody can see it.
    void click(const QString& text, const QWidget* where = nullptr);
    /// Reads down a tree: the first of the names, the next below it, and so on; clicks on the last. Names
    /// that have scrolled away are left out.
    void click(const QStringList& way, const QWidget& where);
    void doubleClick(const QString& text, const QWidget* where = nullptr);

  private:
    /// The dialog in front, or else the window.
    [[nodiscard]] QWidget& front();
    [[nodiscard]] QString allText();
    void clickAt(const QPoint& place, bool twice);
    void clickOn(const QString& text, const QWidget* where, bool twice);

    WindowDriver& driver;
    int count = 0;
};

}  // namespace et::test
