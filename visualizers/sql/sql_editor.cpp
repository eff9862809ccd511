#include "visualizers/sql/sql_editor.h"

#include "visualizers/sql/sql_completion.h"
#include "visualizers/sql/sql_highlighter.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QEvent>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>

namespace et::visualizers {

namespace {

constexpr int minLetters = 2;  ///< typed letters after which completion opens
constexpr int maxShown = 12;

}  // namespace

SqlEditor::SqlEditor(QWidget* parent)
    : QPlainTextEdit(parent),
      highlighter(new SqlHighlighter(document())),
      completer(new QCompleter(this)),
      words(new QStringListModel(this)) {
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabChangesFocus(true);
    setLineWrapMode(QPlainTextEdit::WidgetWidth);
    setPlaceholderText(QStringLiteral("SELECT … FROM events …    Ctrl+Enter runs, Ctrl+Space completes"));
    completer->setModel(words);
    completer->setWidget(this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setMaxVisibleItems(maxShown);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, &SqlEditor::insert);
    connect(this, &QPlainTextEdit::textChanged, this, [this] { showError(std::nullopt); });
    updateColours();
}

void SqlEditor::updateColours() {
    constexpr int middle = 128;
    highlighter->setDark(palette().base().color().lightness() < middle);
}

void SqlEditor::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        updateColours();
    }
}

QString SqlEditor::chosenText() const {
    const QTextCursor cursor = textCursor();
    return cursor.hasSelection() ? cursor.selectedText().replace(QChar::ParagraphSeparator, u'\n')
                                 : toPlainText();
}

QString SqlEditor::textBeforeCursor() const {
    return toPlainText().left(textCursor().position());
}

void SqlEditor::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool popup = completer->popup()->isVisible();
    if (enter && event->modifiers().testFlag(Qt::ControlModifier)) {
        completer->popup()->hide();
        emit runRequested();
        return;
    }
    if (popup && (enter || event->key() == Qt::Key_Tab || event->key() == Qt::Key_Escape)) {
        event->ignore();  // handled by the popup
        return;
    }
    if (event->key() == Qt::Key_Space && event->modifiers().testFlag(Qt::ControlModifier)) {
        offer(true);
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
    if (!event->text().isEmpty()) {
        offer(false);
    }
}

void SqlEditor::offer(bool asked) {
    const QString before = textBeforeCursor();
    const QString word = wordBefore(before);
    const bool dot = before.endsWith(u'.');
    if (!asked && !dot && word.size() < minLetters) {
        completer->popup()->hide();
        return;
    }
    words->setStringList(sqlCompletions(before, toPlainText()));
    completer->setCompletionPrefix(word);
    const bool complete = completer->completionCount() == 1 &&
                          completer->currentCompletion().compare(word, Qt::CaseInsensitive) == 0;
    if (completer->completionCount() == 0 || (complete && !asked)) {
        completer->popup()->hide();
        return;
    }
    QAbstractItemView* const popup = completer->popup();
    popup->setCurrentIndex(completer->completionModel()->index(0, 0));
    QRect place = cursorRect();
    place.setWidth(popup->sizeHintForColumn(0) + popup->verticalScrollBar()->sizeHint().width() + 8);
    completer->complete(place);
}

void SqlEditor::insert(const QString& completion) {
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor,
                        static_cast<int>(completer->completionPrefix().size()));
    cursor.insertText(completion);
    setTextCursor(cursor);
}

void SqlEditor::showError(std::optional<std::size_t> offset) {
    if (!offset) {
        setExtraSelections({});
        return;
    }
    const QByteArray bytes = toPlainText().toUtf8();
    const auto at = std::min<qsizetype>(static_cast<qsizetype>(*offset), bytes.size());
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(document());
    mark.cursor.setPosition(static_cast<int>(QString::fromUtf8(bytes.left(at)).size()));
    mark.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
    if (!mark.cursor.hasSelection()) {
        mark.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
    }
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(Qt::red);
    setExtraSelections({mark});
}

}  // namespace et::visualizers
