#include "app/studio/notes/notes_room.h"

#include "app/studio/room_command.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/notes/note_place.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <array>

namespace et::studio {

namespace {

using visualizers::NoteModel;

/// Column widths in characters; the last column gets the rest.
constexpr std::array<int, 2> noteColumnWidths{26, 84};

}  // namespace

NotesRoom::NotesRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
      opened(context.opened),
      chosen(context.selection),
      notes(context.notes),
      tools(new QToolBar(this)),
      rows(new QTreeView(this)),
      text(new QPlainTextEdit(this)),
      splitter(new visualizers::Splitter(Qt::Vertical, this)) {
    createActions();
    createList();
    createEditor();
    splitter->addWidget(rows);
    splitter->addWidget(text);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(splitter, 1);
    setFocusProxy(rows);
    connectNotes();
    showNote();
}

void NotesRoom::createActions() {
    toSelection = addCommand(*this, tr("Add &Note to Selection"),
                             QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), &NotesRoom::addToSelection);
    toSelection->setShortcutContext(Qt::WindowShortcut);  // works in every panel
    toSelection->setToolTip(tr("Add a note to the selected operator"));
    toSession = addCommand(*this, tr("Add Note to S&ession"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N),
                           &NotesRoom::addToSession);
    toSession->setShortcutContext(Qt::WindowShortcut);
    removeAction =
        addCommand(*this, tr("&Delete Note"), QKeySequence(Qt::Key_Delete), &NotesRoom::removeNote);
    showAction =
        addCommand(*this, tr("&Go to the Operator"), QKeySequence(Qt::Key_G), &NotesRoom::showOperator);
    showAction->setToolTip(tr("Show the operator that the note is about"));
    QAction* const undo = notes.history().createUndoAction(this, tr("Undo"));
    QAction* const redo = notes.history().createRedoAction(this, tr("Redo"));
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

void NotesRoom::createList() {
    rows->setObjectName(QStringLiteral("notes"));
    rows->setModel(&notes);
    rows->setRootIsDecorated(false);
    rows->setUniformRowHeights(true);
    rows->setAlternatingRowColors(true);
    rows->setAllColumnsShowFocus(true);
    rows->setFrameShape(QFrame::NoFrame);
    const int letter = rows->fontMetrics().averageCharWidth();
    for (std::size_t column = 0; column < noteColumnWidths.size(); ++column) {
        rows->setColumnWidth(static_cast<int>(column), noteColumnWidths[column] * letter);
    }
    connect(rows, &QTreeView::pressed, this, [this] { setFocusProxy(rows); });
    connect(rows, &QTreeView::doubleClicked, this, &NotesRoom::showOperator);
}

void NotesRoom::createEditor() {
    text->setObjectName(QStringLiteral("noteText"));
    text->setFrameShape(QFrame::NoFrame);
    text->setTabChangesFocus(true);
    text->setUndoRedoEnabled(false);  // the undo of the notes covers all steps, including those of other
                                      // notes
    text->installEventFilter(this);
    connect(text, &QPlainTextEdit::textChanged, this, &NotesRoom::takeText);
}

void NotesRoom::connectNotes() {
    connect(rows->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        notes.beginStep();
        showNote();
        if (const int row = currentRow(); row >= 0) {
            chooseWhatItIsAbout(notes.notes()[static_cast<std::size_t>(row)], chosen);
        }
    });
    connect(&notes, &NoteModel::dataChanged, this, &NotesRoom::showNote);
    connect(&notes, &NoteModel::rowsInserted, this, [this](const QModelIndex&, int first) {
        rows->setCurrentIndex(notes.index(first, 0));  // also when an undo restores it
    });
    connect(&notes, &NoteModel::rowsRemoved, this, &NotesRoom::showNote);
    connect(&notes, &NoteModel::modelReset, this, &NotesRoom::showNote);
    connect(&opened, &visualizers::OpenSession::changed, this, &NotesRoom::showState);
}

bool NotesRoom::hasContent() const {
    return opened.session() != nullptr;
}

QByteArray NotesRoom::saveState() const {
    return splitter->saveState();
}

void NotesRoom::restoreState(const QByteArray& state) {
    splitter->restoreState(state);
}

/// Undo and redo in the text use the undo stack of the notes.
bool NotesRoom::eventFilter(QObject* watched, QEvent* event) {
    if (watched == text && event->type() == QEvent::ShortcutOverride) {
        auto* const key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            key->ignore();
            return true;
        }
    }
    return Room::eventFilter(watched, event);
}

int NotesRoom::currentRow() const {
    const int row = rows->currentIndex().isValid() ? rows->currentIndex().row() : -1;
    return row < notes.rowCount() ? row : -1;
}

void NotesRoom::addToSelection() {
    startNote(notes.add(noteTo(chosen)));
}

void NotesRoom::addToSession() {
    startNote(notes.add({}));
}

void NotesRoom::startNote(int row) {
    rows->setCurrentIndex(notes.index(row, 0));
    setFocusProxy(text);  // gets the focus when the panel is raised
    emit entryWanted();
    text->setFocus(Qt::OtherFocusReason);
}

void NotesRoom::removeNote() {
    if (const int row = currentRow(); row >= 0) {
        notes.remove(row);
    }
}

void NotesRoom::showOperator() {
    const int row = currentRow();
    if (row >= 0 && !visualizers::isAboutSession(notes.notes()[static_cast<std::size_t>(row)])) {
        chooseWhatItIsAbout(notes.notes()[static_cast<std::size_t>(row)], chosen);
        chosen.reveal();
    }
}

void NotesRoom::takeText() {
    if (const int row = currentRow(); row >= 0) {
        notes.setText(row, text->toPlainText());
    }
}

void NotesRoom::showNote() {
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

void NotesRoom::showState() {
    const int row = currentRow();
    toSelection->setEnabled(hasContent());
    toSession->setEnabled(hasContent());
    removeAction->setEnabled(row >= 0);
    showAction->setEnabled(row >= 0 &&
                           !visualizers::isAboutSession(notes.notes()[static_cast<std::size_t>(row)]));
    text->setEnabled(row >= 0);
    text->setPlaceholderText(row >= 0 ? tr("Write a note")
                             : hasContent()
                                 ? tr("Ctrl+Shift+N adds a note to the selection, Ctrl+Alt+N to the session")
                                 : tr("Open files to add notes"));
}

}  // namespace et::studio
