#pragma once

#include <QObject>
#include <QPointer>

#include <functional>

class QMessageBox;
class QWidget;

namespace et::visualizers {
class NoteModel;
}

namespace et::studio {

class SessionSaver;

/// Asks whether to save modified notes before they would be lost.
class UnsavedNotes : public QObject {
    Q_OBJECT

  public:
    /// All parameters must outlive this object; `window` is the parent of the message box.
    UnsavedNotes(visualizers::NoteModel& book, SessionSaver& sessionSaver, QWidget* window);

    /// Calls `proceed` once no notes can be lost: immediately if all are saved, after saving, or after the
    /// user discarded them. Not called if the user cancels.
    void settle(std::function<void()> proceed);

  private:
    visualizers::NoteModel& notes;
    SessionSaver& saver;
    QWidget* owner;
    QPointer<QMessageBox> question;  ///< null: not shown
};

}  // namespace et::studio
