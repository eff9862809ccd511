#pragma once

#include "tests/studio/window_driver.h"

#include <QString>
#include <QStringList>

class QWidget;

namespace et::test {

/// A simulated user who reads the window, presses keys and clicks on visible text. Counts actions: a key
/// (with its modifiers), a click, a typed text. Waiting and reading do not count.
class Person {
  public:
    explicit Person(WindowDriver& at) : driver(at) {}

    [[nodiscard]] int actions() const { return count; }

    /// True if the text appears on screen within half a minute, in one place or across several lines.
    [[nodiscard]] bool sees(const QString& text);
    [[nodiscard]] bool sees(const std::string& text) { return sees(QString::fromStdString(text)); }
    /// All text on screen, for failure messages.
    [[nodiscard]] std::string screen();

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void type(const QString& text);
    /// Clicks the first occurrence of the text on screen, inside `where` if given. Fails the test if it is
    /// not visible.
    void click(const QString& text, const QWidget* where = nullptr);
    /// Follows a path of names down a tree and clicks the last. Names that have scrolled away are skipped.
    void click(const QStringList& way, const QWidget& where);
    void doubleClick(const QString& text, const QWidget* where = nullptr);

  private:
    /// The front dialog, otherwise the window.
    [[nodiscard]] QWidget& front();
    [[nodiscard]] QString allText();
    void clickAt(const QPoint& place, bool twice);
    void clickOn(const QString& text, const QWidget* where, bool twice);

    WindowDriver& driver;
    int count = 0;
};

}  // namespace et::test
