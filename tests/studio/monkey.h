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

/// Random hands at a window: clicks, keys, the wheel, drags, menu commands, the palette, panes that float and
/// the rail, and files that come and go. The same seed does the same. Dialogs are closed before anything is
/// done in them, and no file is chosen or written before chooseFilesIn() is called.
class Monkey {
  public:
    /// `files` are opened in random sets; sound and broken ones.
    Monkey(studio::MainWindow& window, std::uint32_t seed, std::vector<std::filesystem::path> files);

    /// From now on some of the file dialogs are accepted: with a file to open, or a name in this folder to
    /// save to.
    void chooseFilesIn(std::filesystem::path folder);

    /// From now on who is asked about unsaved notes discards them. Until then the answer is "Cancel": what
    /// was asked for does not happen.
    void giveUpNotes() { givesUpNotes = true; }

    void step();
    /// The last things that were done, oldest first.
    [[nodiscard]] const std::vector<std::string>& diary() const { return done; }
    /// Where it has been, by name ("room/lab", "perspective/time", "floating", "palette", "rail", "drawer"),
    /// and how often it was there after a step, or did it.
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
    void enterRoom();
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
    std::filesystem::path choices;  ///< folder to save in; empty: file dialogs are cancelled
    bool answers = false;           ///< a file dialog is being answered; it and its questions stay open
    std::vector<std::string> done;
    std::map<std::string, int> places;
    QTimer closer;      ///< a dialog or menu that waits in a loop of its own lets no step return
    bool acts = false;  ///< within a step: menus of other loops than that one stay open
};

}  // namespace et::test
