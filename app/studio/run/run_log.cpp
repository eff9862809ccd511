#include "app/studio/run/run_log.h"

#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCharFormat>
#include <QTextCursor>

namespace et::studio {

namespace {

/// Readable on light and dark backgrounds.
QColor errorColour(const QPalette& palette) {
    constexpr int middle = 128;
    const bool isDark = palette.color(QPalette::Base).lightness() < middle;
    return isDark ? QColor(0xff, 0x8a, 0x80) : QColor(0xb0, 0x20, 0x18);
}

QColor colourOf(RunLine::Kind kind, const QPalette& palette) {
    switch (kind) {
        case RunLine::Kind::Progress:
            return palette.color(QPalette::PlaceholderText);
        case RunLine::Kind::Error:
            return errorColour(palette);
        case RunLine::Kind::Output:
            break;
    }
    return palette.color(QPalette::Text);
}

}  // namespace

LoggedLine RunLog::add(const RunLine& line) {
    const bool isProgress = line.kind == RunLine::Kind::Progress;
    const bool replaces = isProgress && progressLines >= maxProgress && !kept.empty() &&
                          kept.back().kind == RunLine::Kind::Progress;
    characters += line.text.size();
    if (replaces) {
        characters -= kept.back().text.size();
        kept.back() = line;
    } else {
        kept.push_back(line);
        progressLines += isProgress ? 1 : 0;
    }
    while (kept.size() > maxLines || (characters > maxCharacters && kept.size() > 1)) {
        dropFirst();
    }
    return {.line = line, .replacesLast = replaces};
}

void RunLog::dropFirst() {
    characters -= kept.front().text.size();
    progressLines -= kept.front().kind == RunLine::Kind::Progress ? 1 : 0;
    kept.pop_front();
}

RunLogView::RunLogView(QWidget* parent) : QPlainTextEdit(parent) {
    setReadOnly(true);
    setUndoRedoEnabled(false);  // it would keep dropped lines
    setLineWrapMode(NoWrap);    // makes the scroll bar count lines
    setMaximumBlockCount(static_cast<int>(RunLog::maxLines));
    setPlaceholderText(QStringLiteral("No output."));
    QScrollBar* const bar = verticalScrollBar();
    connect(bar, &QScrollBar::valueChanged, this,
            [this, bar](int value) { isFollowing = value >= bar->maximum(); });
    // Also when the view is resized or first shown.
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar] {
        if (isFollowing) {
            bar->setValue(bar->maximum());
        }
    });
}

void RunLogView::setLog(const RunLog& log) {
    clear();
    hasLines = false;
    isFollowing = true;
    QTextCursor at(document());
    at.beginEditBlock();
    for (const RunLine& line : log.lines()) {
        write(at, {.line = line});
    }
    at.endEditBlock();
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void RunLogView::add(std::span<const LoggedLine> lines) {
    const bool follows = isFollowing;
    const QTextCursor first(firstVisibleBlock());
    QTextCursor at(document());
    at.beginEditBlock();  // avoids a layout per line
    for (const LoggedLine& each : lines) {
        write(at, each);
    }
    at.endEditBlock();
    // Keeps the visible lines in place, even when lines above them are dropped.
    QScrollBar* const bar = verticalScrollBar();
    bar->setValue(follows ? bar->maximum() : first.block().firstLineNumber());
    isFollowing = follows;
}

void RunLogView::write(QTextCursor& at, const LoggedLine& logged) {
    at.movePosition(QTextCursor::End);
    if (logged.replacesLast) {
        at.movePosition(QTextCursor::StartOfBlock, QTextCursor::KeepAnchor);
        at.removeSelectedText();
    } else if (hasLines) {
        at.insertBlock();
    }
    QTextCharFormat format;
    format.setForeground(colourOf(logged.line.kind, palette()));
    at.insertText(logged.line.text, format);
    hasLines = true;
}

void RunLogView::copyAll() const {
    QApplication::clipboard()->setText(toPlainText());
}

}  // namespace et::studio
