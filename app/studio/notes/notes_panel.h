#pragma once

#include "app/studio/panel.h"

class QPlainTextEdit;
class QToolBar;
class QTreeView;

namespace et::visualizers {
class NoteModel;
}  // namespace et::visualizers

namespace et::studio {

/// Panel of the notes on the session and on operators: a list, and below it an editor for the selected note.
class NotesPanel : public Panel {
    Q_OBJECT

  public:
    NotesPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QTreeView& list() { return *rows; }
    [[nodiscard]] QPlainTextEdit& editor() { return *text; }

    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void createActions();
    void createList();
    void createEditor();
    void connectNotes();

    void addToSelection();
    void addToSession();
    void startNote(int row);
    void removeNote();
    void showOperator();
    void takeText();
    void showNote();
    void showState();
    [[nodiscard]] int currentRow() const;

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    visualizers::NoteModel& notes;
    QToolBar* tools;
    QTreeView* rows;
    QPlainTextEdit* text;
    QAction* toSelection = nullptr;
    QAction* toSession = nullptr;
    QAction* removeAction = nullptr;
    QAction* showAction = nullptr;
};

}  // namespace et::studio
