#include "visualizers/source/code_view.h"

#include "visualizers/source/python_highlighter.h"
#include "visualizers/toolkit/debug_mark.h"
#include "visualizers/toolkit/keyed_action.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>
#include <functional>
#include <utility>

namespace et::visualizers {

namespace {

/// Longer code is not highlighted, so that it appears at once.
constexpr qsizetype maxHighlighted = 200'000;
constexpr int space = 6;
constexpr int barAlpha = 90;
constexpr int markAlpha = 60;

void paintDebugLine(QPainter& painter, const QRectF& place, const DebugLines& lines, std::int64_t number,
                    const QPalette& palette) {
    if (const auto stop = lines.breakpoints.find(number); stop != lines.breakpoints.end()) {
        paintBreakpointMark(painter, place, stop->second, palette);
    }
    if (number == lines.current) {
        paintCurrentMark(painter, place, palette);
    }
}

}  // namespace

CodeView::CodeView(QWidget* parent)
    : QPlainTextEdit(parent), margin(new QWidget(this)), highlighter(new PythonHighlighter(nullptr)) {
    highlighter->setParent(this);
    setReadOnly(true);
    setLineWrapMode(NoWrap);
    setFrameShape(QFrame::NoFrame);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    margin->setObjectName(QStringLiteral("codeMargin"));
    margin->installEventFilter(this);
    createActions();
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect&, int) { margin->update(); });
    placeGutter();
}

void CodeView::createActions() {
    const auto add = [this](const QString& text, Qt::Key key, std::function<void()> act) {
        keyedAction(*this, text, key, std::move(act), KeyScope::Widget);
    };
    add(QStringLiteral("&Next Line with Operators"), Qt::Key_Period, [this] { jump(1); });
    add(QStringLiteral("&Previous Line with Operators"), Qt::Key_Comma, [this] { jump(-1); });
    add(QStringLiteral("&Select the Line's Operators"), Qt::Key_Return,
        [this] { chooseLine(currentLine()); });
    add(QStringLiteral("Set or Delete a &Breakpoint"), Qt::Key_B, [this] {
        if (debugged && currentLine() > 0) {
            emit breakpointToggled(currentLine());
        }
    });
}

void CodeView::setCode(const std::vector<CodeLine>& code) {
    QStringList lines;
    numbers.clear();
    qsizetype letters = 0;
    for (const CodeLine& line : code) {
        lines.append(line.text);
        numbers.push_back(line.number);
        letters += line.text.size();
    }
    notes.clear();
    marked.clear();
    highlighter->setDocument(nullptr);
    setPlainText(lines.join(u'\n'));
    if (letters <= maxHighlighted) {
        highlighter->setDocument(document());
    }
    placeGutter();
    mark();
}

void CodeView::setNotes(std::map<std::int64_t, LineNote> shown) {
    notes = std::move(shown);
    placeGutter();
}

void CodeView::setMarked(std::set<std::int64_t> lines, bool scroll) {
    marked = std::move(lines);
    mark();
    if (scroll && !marked.empty()) {
        showLine(*marked.begin());
    }
}

void CodeView::setDebugLines(std::optional<DebugLines> lines) {
    debugged = std::move(lines);
    placeGutter();
    mark();
}

void CodeView::showLine(std::int64_t number) {
    const QTextBlock block = blockOf(number);
    if (block.isValid()) {
        setTextCursor(QTextCursor(block));
        centerCursor();
    }
}

QTextBlock CodeView::blockOf(std::int64_t number) const {
    const auto found = number > 0 ? std::ranges::find(numbers, number) : numbers.end();
    return found == numbers.end() ? QTextBlock()
                                  : document()->findBlockByNumber(static_cast<int>(found - numbers.begin()));
}

std::int64_t CodeView::currentLine() const {
    const auto block = static_cast<std::size_t>(textCursor().blockNumber());
    return block < numbers.size() ? numbers[block] : 0;
}

QRectF CodeView::lineRect(std::int64_t number) const {
    const QTextBlock block = blockOf(number);
    return block.isValid() ? blockBoundingGeometry(block).translated(contentOffset()) : QRectF();
}

std::int64_t CodeView::lineAt(double y) const {
    const QTextCursor cursor = cursorForPosition(QPoint(0, static_cast<int>(y)));
    const auto block = static_cast<std::size_t>(cursor.blockNumber());
    const QRectF rect = blockBoundingGeometry(cursor.block()).translated(contentOffset());
    return block < numbers.size() && y < rect.bottom() ? numbers[block] : 0;
}

void CodeView::mark() {
    QList<QTextEdit::ExtraSelection> selections;
    const auto add = [&](std::int64_t number, const QColor& colour) {
        const QTextBlock block = blockOf(number);
        if (block.isValid()) {
            QTextEdit::ExtraSelection selection;
            selection.cursor = QTextCursor(block);
            selection.format.setBackground(colour);
            selection.format.setProperty(QTextFormat::FullWidthSelection, true);
            selections.append(selection);
        }
    };
    QColor colour = palette().color(QPalette::Highlight);
    colour.setAlpha(markAlpha);
    for (const std::int64_t number : marked) {
        add(number, colour);
    }
    if (debugged) {
        add(debugged->current, currentGround(palette()));
    }
    setExtraSelections(selections);
}

int CodeView::numberWidth() const {
    const std::int64_t last = numbers.empty() ? 0 : *std::ranges::max_element(numbers);
    return fontMetrics().horizontalAdvance(QString::number(last)) + 2 * space;
}

int CodeView::stripWidth() const {
    return debugged ? fontMetrics().height() : 0;
}

int CodeView::timeWidth() const {
    int widest = 0;
    for (const auto& [number, note] : notes) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(note.time));
    }
    return widest == 0 ? 0 : widest + 2 * space;
}

void CodeView::placeGutter() {
    const int width = stripWidth() + timeWidth() + numberWidth();
    setViewportMargins(width, 0, 0, 0);
    margin->setGeometry(contentsRect().left(), contentsRect().top(), width, contentsRect().height());
    margin->update();
}

void CodeView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeGutter();
}

void CodeView::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        highlighter->setDark(palette().color(QPalette::Base).lightness() < 128);
        mark();
    } else if (event->type() == QEvent::FontChange) {
        placeGutter();
    }
}

bool CodeView::eventFilter(QObject* object, QEvent* event) {
    if (object != margin) {
        return QPlainTextEdit::eventFilter(object, event);
    }
    if (event->type() == QEvent::Paint) {
        paintGutter();
        return true;
    }
    if (event->type() == QEvent::MouseButtonRelease) {
        pressGutter(static_cast<QMouseEvent*>(event)->position());
        return true;
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        showTip(help->pos(), help->globalPos());
        return true;
    }
    return QPlainTextEdit::eventFilter(object, event);
}

void CodeView::pressGutter(const QPointF& at) {
    const std::int64_t number = lineAt(at.y());
    if (at.x() >= stripWidth()) {
        chooseLine(number);
    } else if (number > 0) {
        emit breakpointToggled(number);
    }
}

void CodeView::showTip(const QPoint& position, const QPoint& global) {
    if (position.x() < stripWidth()) {
        QToolTip::showText(global, QStringLiteral("Click to set or delete a breakpoint (B)"), margin);
        return;
    }
    const auto note = notes.find(lineAt(position.y()));
    QToolTip::showText(global, note == notes.end() ? QString() : note->second.tip, margin);
}

void CodeView::paintGutter() {
    QPainter painter(margin);
    painter.fillRect(margin->rect(), palette().color(QPalette::AlternateBase));
    QColor pale = palette().color(QPalette::Text);
    pale.setAlphaF(0.55F);
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() > margin->height()) {
            return;
        }
        const auto at = static_cast<std::size_t>(block.blockNumber());
        const std::int64_t number = at < numbers.size() ? numbers[at] : 0;
        const QRectF row(0, place.top(), margin->width(), fontMetrics().height());
        const auto note = notes.find(number);
        if (debugged && number > 0) {
            paintDebugLine(painter, QRectF(0, row.top(), stripWidth(), row.height()), *debugged, number,
                           palette());
        }
        if (note != notes.end()) {
            paintNote(painter, row, note->second);
        }
        painter.setPen(note == notes.end() ? pale : palette().color(QPalette::Text));
        painter.drawText(row.adjusted(0, 0, -space, 0), Qt::AlignRight | Qt::AlignVCenter,
                         number == 0 ? QStringLiteral("⋮") : QString::number(number));
    }
}

void CodeView::paintNote(QPainter& painter, const QRectF& row, const LineNote& note) const {
    const QRectF room(row.left() + stripWidth(), row.top(), timeWidth(), row.height());
    QColor bar = palette().color(QPalette::Highlight);
    bar.setAlpha(barAlpha);
    QRectF filled = room.adjusted(0, 1, 0, -1);
    filled.setWidth(room.width() * std::clamp(note.share, 0.0, 1.0));
    painter.fillRect(filled, bar);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(room.adjusted(0, 0, -space, 0), Qt::AlignRight | Qt::AlignVCenter, note.time);
}

void CodeView::mouseReleaseEvent(QMouseEvent* event) {
    QPlainTextEdit::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !textCursor().hasSelection()) {
        chooseLine(lineAt(event->position().y()));
    }
}

void CodeView::chooseLine(std::int64_t number) {
    if (notes.contains(number)) {
        emit lineChosen(number);
    }
}

void CodeView::jump(int step) {
    const std::int64_t now = currentLine();
    if (step > 0) {
        const auto next = notes.upper_bound(now);
        if (next != notes.end()) {
            showLine(next->first);
        }
        return;
    }
    const auto next = notes.lower_bound(now);
    if (next != notes.begin()) {
        showLine(std::prev(next)->first);
    }
}

}  // namespace et::visualizers
