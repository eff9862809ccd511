#pragma once

#include "app/studio/main_window.h"

#include <QPointer>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

class QDialog;
class QFileDialog;
class QWindow;

namespace et::test {

/// Random input for a window: clicks, keys, the wheel, drags, menu commands, the palette, floating panes, the
/// rail, and opening and closing files. The same seed gives the same actions. Dialogs are closed without
/// using them, and no file is chosen or written before chooseFilesIn() is called.
class Monkey {
  public:
    /// `files` are opened in random sets; both valid and broken ones.
    Monkey(studio::MainWindow& window, std::uint32_t seed, std::vector<std::filesystem::path> files);

    /// Accepts some file dialogs from now on, with a file to open or a name in this folder to save to.
    void chooseFilesIn(std::filesystem::path folder);

    /// Answers questions about unsaved notes with "Discard" from now on. Until then the answer is "Cancel",
    /// which aborts the action.
    void giveUpNotes() { givesUpNotes = true; }

    void step();
    /// The last actions, oldest first.
    [[nodiscard]] const std::vector<std::string>& diary() const { return done; }
    /// Number of times each place was visited or action performed, by name ("panel/lab", "perspective/time",
    /// "floating", "palette", "rail", "drawer").
    [[nodiscard]] const std::map<std::string, int>& reached() const { return places; }

  private:
    using Action = void (Monkey::*)();
    void click();
    void drag();
    void wheel();
    void key();
    template <class Key>
    void tap(Key key, Qt::KeyboardModifiers with = Qt::NoModifier);
    void type();
    void command();
    void openFiles();
    void enterPanel();
    void clickRail();
    void floatPane();
    void findCommand();
    void resize();
    void wait();
    void closeDialogs();
    void closeDialog(QDialog& dialog);
    void answer(QFileDialog& dialog);
    [[nodiscard]] std::filesystem::path choiceFor(const QFileDialog& dialog);
    void closeMenus();

    [[nodiscard]] int below(int count) { return std::uniform_int_distribution(0, count - 1)(random); }
    template <class T>
    const T& oneOf(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }
    [[nodiscard]] Qt::KeyboardModifiers modifiers();
    [[nodiscard]] QWindow* target();
    [[nodiscard]] QPoint place(const QWindow& in);
    void note(const std::string& what);
    void lookAround();

    studio::MainWindow& main;
    std::mt19937 random;
    std::vector<std::filesystem::path> known;
    bool givesUpNotes = false;
    std::filesystem::path choices;  ///< folder for saving; empty: file dialogs are cancelled
    bool answers = false;           ///< a file dialog is being answered; it and its questions stay open
    std::vector<std::string> done;
    std::map<std::string, int> places;
    QTimer closer;      ///< closes dialogs and menus whose nested event loop blocks a step
    bool acts = false;  ///< within a step: menus of other event loops stay open
};

}  // namespace et::test
