#include "app/studio/unsaved_notes.h"

#include "app/studio/session_saver.h"
#include "visualizers/notes/note_model.h"

#include <QMessageBox>

#include <utility>

namespace et::studio {

UnsavedNotes::UnsavedNotes(visualizers::NoteModel& book, SessionSaver& sessionSaver, QWidget* window)
    : QObject(window), notes(book), saver(sessionSaver), owner(window) {
}

void UnsavedNotes::settle(std::function<void()> proceed) {
    if (!notes.modified()) {
        proceed();
        return;
    }
    delete question;  // question of the previous request
    auto* const asked =
        new QMessageBox(QMessageBox::Question, QStringLiteral("et-studio"), QStringLiteral("Save notes?"),
                        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, owner);
    question = asked;
    asked->setObjectName(QStringLiteral("unsavedNotes"));
    asked->setInformativeText(QStringLiteral("Notes are saved in a session, together with all open files."));
    asked->setDefaultButton(QMessageBox::Save);
    asked->setAttribute(Qt::WA_DeleteOnClose);
    connect(asked, &QMessageBox::finished, this, [this, proceed = std::move(proceed)](int answer) {
        if (answer == QMessageBox::Save) {
            saver.saveAgain([this, proceed] {
                if (!notes.modified()) {  // otherwise the notes were edited while they were saved
                    proceed();
                }
            });
        } else if (answer == QMessageBox::Discard) {
            notes.setSaved();
            proceed();
        }
    });
    asked->open();
}

}  // namespace et::studio
