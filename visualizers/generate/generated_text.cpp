#include "visualizers/generate/generated_text.h"

#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/text.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace et::visualizers {

namespace {

using inspector::format::Meaning;

constexpr auto colourRest = std::chrono::milliseconds(250);
constexpr double mostSurprising = 6;     // 1 in 400
constexpr double strongestGround = 0.8;  // maximum opacity of the colour on the background
constexpr double faintest = 0.02;        // no background below this

}  // namespace

GeneratedText::GeneratedText(GeneratedTokens& shown, QWidget* parent) : QTextEdit(parent), source(shown) {
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setAcceptRichText(false);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(QStringLiteral("Generated text"));
    setFrameShape(QFrame::NoFrame);
    recolouring.setSingleShot(true);
    recolouring.setInterval(colourRest);
    connect(&recolouring, &QTimer::timeout, this, &GeneratedText::recolour);
    connect(&source, &GeneratedTokens::cleared, this, [this] {
        starts.clear();
        median = 0;
        clear();
    });
    connect(&source, &GeneratedTokens::added, this, &GeneratedText::append);
    connect(&source, &GeneratedTokens::chosenChanged, this, &GeneratedText::showChosen);
}

void GeneratedText::setColour(Colour by) {
    colouring = by;
    recolour();
}

QString GeneratedText::legend() const {
    return colouring == Colour::Surprise
               ? QStringLiteral("Background: the stronger, the less likely the token; full: 1 in 400 or less")
               : QStringLiteral(
                     "Background: the stronger, the slower the token; full: twice the median or more");
}

QColor GeneratedText::groundOf(std::size_t token) const {
    const ShownToken& of = source.tokens()[token];
    double share = 0;
    Meaning meaning = Meaning::Kernel;
    if (colouring == Colour::Surprise && of.surprise) {
        share = std::isfinite(*of.surprise) ? *of.surprise / mostSurprising : 1;
        meaning = Meaning::Own;
    } else if (colouring == Colour::Time && source.isTimed(token) && median > 0) {
        share = of.milliseconds / median - 1;
    }
    share = std::clamp(share, 0.0, 1.0) * strongestGround;
    return share < faintest
               ? QColor()
               : mixedColour(palette().color(QPalette::Base), meaningColour(meaning, palette()), share);
}

QTextCharFormat GeneratedText::formatOf(std::size_t token) const {
    QTextCharFormat format;
    const QColor ground = groundOf(token);
    if (ground.isValid()) {
        format.setBackground(ground);
        format.setForeground(inkOn(ground));
    } else if (!source.tokens()[token].generated) {
        format.setForeground(palette().color(QPalette::PlaceholderText));
    } else {
        format.setForeground(palette().color(QPalette::Text));
    }
    return format;
}

void GeneratedText::append() {
    QScrollBar& bar = *verticalScrollBar();
    const bool isFollowing = bar.value() >= bar.maximum();
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    starts.push_back(end.position());
    const std::size_t token = starts.size() - 1;
    end.insertText(source.tokens()[token].text, formatOf(token));
    if (isFollowing) {
        bar.setValue(bar.maximum());
    }
    if (colouring == Colour::Time && !recolouring.isActive()) {
        recolouring.start();
    }
}

void GeneratedText::recolour() {
    median = source.medianTime();
    QTextCursor edit(document());
    edit.beginEditBlock();
    for (std::size_t i = 0; i < starts.size(); ++i) {
        cursorOver(i).setCharFormat(formatOf(i));
    }
    edit.endEditBlock();
    markChosen();
}

QTextCursor GeneratedText::cursorOver(std::size_t token) const {
    QTextCursor cursor(document());
    cursor.setPosition(starts[token]);
    cursor.setPosition(token + 1 < starts.size() ? starts[token + 1] : document()->characterCount() - 1,
                       QTextCursor::KeepAnchor);
    return cursor;
}

/// Highlights the current token with selection colours; a frame would move the text.
void GeneratedText::markChosen() {
    QList<ExtraSelection> marked;
    const auto chosen = source.chosen();
    if (chosen && *chosen < starts.size()) {
        ExtraSelection mark;
        mark.cursor = cursorOver(*chosen);
        mark.format.setBackground(palette().color(QPalette::Highlight));
        mark.format.setForeground(palette().color(QPalette::HighlightedText));
        marked.append(mark);
    }
    setExtraSelections(marked);
    setAccessibleDescription(chosen ? source.describe(*chosen) : QString());
}

void GeneratedText::showChosen() {
    markChosen();
    if (const auto chosen = source.chosen(); chosen && *chosen < starts.size()) {
        QTextCursor place(document());
        place.setPosition(starts[*chosen]);
        setTextCursor(place);
        ensureCursorVisible();
    }
}

std::optional<std::size_t> GeneratedText::tokenAt(const QPoint& at) const {
    const QTextCursor place = cursorForPosition(at);
    // The nearest cursor position may be after the character under the pointer.
    const int position = cursorRect(place).left() > at.x() ? place.position() - 1 : place.position();
    if (starts.empty() || position < 0 || position >= document()->characterCount() - 1) {
        return std::nullopt;
    }
    const auto after = std::ranges::upper_bound(starts, position);
    return after == starts.begin() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(after - starts.begin()) - 1);
}

bool GeneratedText::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<const QHelpEvent*>(event);
        const auto token = tokenAt(help->pos());
        QToolTip::showText(help->globalPos(), token ? source.describe(*token) : QString(), viewport());
        return true;
    }
    return QTextEdit::viewportEvent(event);
}

void GeneratedText::changeEvent(QEvent* event) {
    QTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        recolour();
    }
}

void GeneratedText::mouseReleaseEvent(QMouseEvent* event) {
    QTextEdit::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !textCursor().hasSelection()) {
        source.choose(tokenAt(event->position().toPoint()));
    }
}

void GeneratedText::keyPressEvent(QKeyEvent* event) {
    const bool plain = event->modifiers() == Qt::NoModifier;
    if (plain && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
        source.selectAdjacent(event->key() == Qt::Key_Left ? -1 : 1);
        return;
    }
    QTextEdit::keyPressEvent(event);
}

}  // namespace et::visualizers
