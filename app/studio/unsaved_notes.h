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

/// Asks what becomes of notes that are not saved before they would be lost.
class UnsavedNotes : public QObject {
    Q_OBJECT

  public:
    /// All of it outlives this object; `window` is what the question belongs to.
    UnsavedNotes(visualizers::NoteModel& book, SessionSaver& sessionSaver, QWidget* window);

    /// Calls `proceed` when nothing is lost by it any more: at once where everything is saved, after saving,
    /// or after the person gave the notes up. Not at all where they would rather stay.
    void settle(std::function<void()> proceed);

  private:
    visualizers::NoteModel& notes;
    SessionSaver& saver;
    QWidget* owner;
    QPointer<QMessageBox> question;  ///< null: none is asked
};

}  // namespace et::studio
