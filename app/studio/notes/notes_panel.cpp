#include "app/studio/notes/notes_panel.h"

#include "app/studio/panel_command.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/notes/note_target.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/table_view.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QToolBar>
#include <QTreeView>

#include <array>

namespace et::studio {

namespace {

using visualizers::NoteModel;

/// Column widths in characters; the last column gets the rest.
constexpr std::array<int, 2> noteColumnWidths{20, 48};

}  // namespace

NotesPanel::NotesPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      notes(context.notes),
      tools(new QToolBar(this)),
      rows(new QTreeView(this)),
      text(new QPlainTextEdit(this)) {
    createActions();
    createList();
    createEditor();
    auto* const splitter = new visualizers::Splitter(Qt::Vertical, this);
    splitter->addParts({{rows, 3}, {text, 2}});
    splitter->setChildrenCollapsible(false);
    visualizers::fillColumn(*this, {tools, splitter});
    setFocusProxy(rows);
    connectNotes();
    showNote();
}

void NotesPanel::createActions() {
    toSelection = addCommand(*this, QStringLiteral("Add &Note to Selection"),
                             QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), &NotesPanel::addToSelection);
    toSelection->setShortcutContext(Qt::WindowShortcut);  // works in every panel
    toSelection->setToolTip(QStringLiteral("Add a note to the selected operator"));
    toSession = addCommand(*this, QStringLiteral("Add Note to S&ession"),
                           QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N), &NotesPanel::addToSession);
    toSession->setShortcutContext(Qt::WindowShortcut);
    removeAction = addCommand(*this, QStringLiteral("&Delete Note"), QKeySequence(Qt::Key_Delete),
                              &NotesPanel::removeNote);
    showAction = addCommand(*this, QStringLiteral("&Go to the Operator"), QKeySequence(Qt::Key_G),
                            &NotesPanel::showOperator);
    showAction->setToolTip(QStringLiteral("Show the operator of the note"));
    QAction* const undo = notes.history().createUndoAction(this, QStringLiteral("Undo"));
    QAction* const redo = notes.history().createRedoAction(this, QStringLiteral("Redo"));
    undo->setShortcuts(QKeySequence::Undo);
    redo->setShortcuts(QKeySequence::Redo);
    for (QAction* const action : {undo, redo}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
    }
    tools->addActions({toSelection, toSession, removeAction});
    tools->addSeparator();
    tools->addActions({undo, redo});
    tools->addSeparator();
    tools->addAction(showAction);
}

void NotesPanel::createList() {
    rows->setObjectName(QStringLiteral("notes"));
    rows->setModel(&notes);
    rows->setRootIsDecorated(false);
    visualizers::dressRows(*rows);
    visualizers::setColumnWidths(*rows, noteColumnWidths);
    connect(rows, &QTreeView::pressed, this, [this] { setFocusProxy(rows); });
    connect(rows, &QTreeView::doubleClicked, this, &NotesPanel::showOperator);
}

void NotesPanel::createEditor() {
    text->setObjectName(QStringLiteral("noteText"));
    text->setFrameShape(QFrame::NoFrame);
    text->setTabChangesFocus(true);
    text->setUndoRedoEnabled(false);  // the undo of the notes covers all steps, including those of other
                                      // notes
    text->installEventFilter(this);
    connect(text, &QPlainTextEdit::textChanged, this, &NotesPanel::takeText);
}

void NotesPanel::connectNotes() {
    connect(rows->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        notes.beginStep();
        showNote();
        if (const int row = currentRow(); row >= 0) {
            selectTarget(notes.notes()[static_cast<std::size_t>(row)], chosen);
        }
    });
    connect(&notes, &NoteModel::dataChanged, this, &NotesPanel::showNote);
    connect(&notes, &NoteModel::rowsInserted, this, [this](const QModelIndex&, int first) {
        rows->setCurrentIndex(notes.index(first, 0));  // also when an undo restores it
    });
    connect(&notes, &NoteModel::rowsRemoved, this, &NotesPanel::showNote);
    connect(&notes, &NoteModel::modelReset, this, &NotesPanel::showNote);
    connect(&opened, &visualizers::OpenSession::changed, this, &NotesPanel::showState);
}

bool NotesPanel::hasContent() const {
    return opened.session() != nullptr;
}

/// Undo and redo in the text use the undo stack of the notes.
bool NotesPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == text && event->type() == QEvent::ShortcutOverride) {
        auto* const key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            key->ignore();
            return true;
        }
    }
    return Panel::eventFilter(watched, event);
}

int NotesPanel::currentRow() const {
    const int row = rows->currentIndex().isValid() ? rows->currentIndex().row() : -1;
    return row < notes.rowCount() ? row : -1;
}

void NotesPanel::addToSelection() {
    startNote(notes.add(noteTo(chosen)));
}

void NotesPanel::addToSession() {
    startNote(notes.add({}));
}

void NotesPanel::startNote(int row) {
    rows->setCurrentIndex(notes.index(row, 0));
    setFocusProxy(text);  // gets the focus when the panel is raised
    emit entryWanted();
    text->setFocus(Qt::OtherFocusReason);
}

void NotesPanel::removeNote() {
    if (const int row = currentRow(); row >= 0) {
        notes.remove(row);
    }
}

void NotesPanel::showOperator() {
    const int row = currentRow();
    if (row >= 0 && !visualizers::isAboutSession(notes.notes()[static_cast<std::size_t>(row)])) {
        selectTarget(notes.notes()[static_cast<std::size_t>(row)], chosen);
        chosen.reveal();
    }
}

void NotesPanel::takeText() {
    if (const int row = currentRow(); row >= 0) {
        notes.setText(row, text->toPlainText());
    }
}

void NotesPanel::showNote() {
    const int row = currentRow();
    const QString wanted =
        row < 0 ? QString() : visualizers::toQStringLines(notes.notes()[static_cast<std::size_t>(row)].text);
    if (text->toPlainText() != wanted) {
        const QSignalBlocker still(text);
        text->setPlainText(wanted);
        text->moveCursor(QTextCursor::End);
    }
    showState();
}

void NotesPanel::showState() {
    const int row = currentRow();
    toSelection->setEnabled(hasContent());
    toSession->setEnabled(hasContent());
    removeAction->setEnabled(row >= 0);
    showAction->setEnabled(row >= 0 &&
                           !visualizers::isAboutSession(notes.notes()[static_cast<std::size_t>(row)]));
    text->setEnabled(row >= 0);
    text->setPlaceholderText(
        row >= 0 ? QStringLiteral("Write a note")
        : hasContent()
            ? QStringLiteral("Ctrl+Shift+N adds a note to the selection, Ctrl+Alt+N to the session")
            : QStringLiteral("Open files to add notes"));
}

}  // namespace et::studio
