#include "app/studio/card_page.h"

#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace et::studio {

namespace {

constexpr int pageEdge = 16;
constexpr int cardEdge = 12;
/// Width of a readable card; with less space, cards use fewer columns.
constexpr int fewestLetters = 34;
constexpr int mostLetters = 64;
/// Stretch factors in the column.
constexpr int stretchAbove = 0;
constexpr int stretchBelow = 3;
constexpr int mostStretch = 1000;  // uses the whole page, up to the maximum width

}  // namespace

CardPage::CardPage(QWidget* parent)
    : QWidget(parent),
      line(new QLabel(this)),
      column(new QVBoxLayout(this)),
      area(new QWidget(this)),
      grid(new QGridLayout(area)) {
    line->setAlignment(Qt::AlignCenter);
    line->setWordWrap(true);
    line->setTextFormat(Qt::PlainText);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    grid->setContentsMargins(0, pageEdge, 0, 0);
    grid->setSpacing(pageEdge);
    // Cards side by side must not force the page to their total width.
    area->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    column->setContentsMargins(pageEdge, pageEdge, pageEdge, pageEdge);
    column->addStretch(1);
    column->addWidget(line);
    auto* const across = new QHBoxLayout;
    across->addStretch(1);
    across->addWidget(area, mostStretch);
    across->addStretch(1);
    column->addLayout(across);
    column->addStretch(2);
}

void CardPage::setHeadline(const QString& text) {
    line->setText(text);
}

std::size_t CardPage::addCard(const QString& title, const QString& button) {
    auto* const frame = new QFrame(area);
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setAccessibleName(title);
    auto* const heading = new QLabel(title, frame);
    heading->setTextFormat(Qt::PlainText);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    auto* const text = new QLabel(frame);
    text->setTextFormat(Qt::RichText);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(text, &QLabel::linkActivated, this, &CardPage::linkActivated);
    auto* const layout = new QVBoxLayout(frame);
    layout->setContentsMargins(cardEdge, cardEdge, cardEdge, cardEdge);
    layout->addWidget(heading);
    layout->addWidget(text, 1);
    const std::size_t number = cards.size();
    QPushButton* press = nullptr;
    if (!button.isEmpty()) {
        press = new QPushButton(button, frame);
        connect(press, &QPushButton::clicked, this, [this, number] { emit acted(number); });
        layout->addWidget(press, 0, Qt::AlignLeft);
    }
    cards.push_back({.frame = frame, .text = text, .button = press});
    columns = 0;
    place();
    return number;
}

void CardPage::setText(std::size_t card, const QString& html) {
    cards[card].text->setText(html);
    fit();
}

/// Fits cards to their wrapped texts; if they are taller than the page, it scrolls.
void CardPage::fit() {
    for (const Card& card : cards) {
        card.frame->layout()->activate();  // the layout has not processed the new text yet
    }
    grid->activate();
    setMinimumHeight(std::max(column->heightForWidth(width()), 0));
}

QString CardPage::text(std::size_t card) const {
    return cards[card].text->text();
}

void CardPage::setButton(std::size_t card, const QString& text) {
    cards[card].button->setText(text);
}

void CardPage::setCardShown(std::size_t card, bool shown) {
    if (cards[card].frame->isHidden() == shown) {
        cards[card].frame->setVisible(shown);
        columns = 0;
        place();
    }
    fit();
}

void CardPage::setButtonEnabled(std::size_t card, bool enabled) {
    if (cards[card].button != nullptr) {
        cards[card].button->setEnabled(enabled);
    }
}

void CardPage::showCards(bool shown) {
    area->setVisible(shown);
}

void CardPage::setBelow(QWidget* widget) {
    below = widget;
    column->addSpacing(pageEdge);
    column->addWidget(widget, 1);
    showBelow(true);
}

void CardPage::showBelow(bool shown) {
    below->setVisible(shown);
    column->setStretch(stretchAbove, shown ? 0 : 1);
    column->setStretch(stretchBelow, shown ? 0 : 2);
}

/// Places as many cards side by side as are readable. If there are fewer columns than cards, the first card,
/// which matters most, has its own column. Hidden cards take no space, so the others are centered.
void CardPage::place() {
    std::vector<QWidget*> frames;
    for (const Card& card : cards) {
        if (!card.frame->isHidden()) {
            frames.push_back(card.frame);
        }
    }
    const int letter = std::max(fontMetrics().averageCharWidth(), 1);
    const int count = static_cast<int>(frames.size());
    const int now =
        std::clamp((width() - pageEdge) / (letter * fewestLetters + pageEdge), 1, std::max(count, 1));
    if (now == columns) {
        return;
    }
    columns = now;
    for (const Card& card : cards) {
        grid->removeWidget(card.frame);
    }
    area->setMaximumWidth(columns * (letter * mostLetters + pageEdge) - pageEdge);
    const int others = std::max(columns - 1, 1);
    const int rows = columns == 1 ? count : (count - 1 + others - 1) / others;
    for (int i = 0; i < count; ++i) {
        QWidget* const frame = frames[static_cast<std::size_t>(i)];
        if (columns == 1) {
            grid->addWidget(frame, i, 0);
        } else if (i == 0) {
            // Next to several rows it keeps its natural height, so that its button is right below its text.
            grid->addWidget(frame, 0, 0, std::max(rows, 1), 1, rows > 1 ? Qt::AlignTop : Qt::Alignment());
        } else {
            grid->addWidget(frame, (i - 1) / others, 1 + (i - 1) % others);
        }
    }
    for (int i = 0; i < static_cast<int>(cards.size()); ++i) {
        grid->setColumnStretch(i, i < columns ? 1 : 0);
    }
    area->updateGeometry();  // surrounding layouts must not use the previous columns
}

/// Changed texts and cards affect the height only after the surrounding layouts were updated.
bool CardPage::event(QEvent* event) {
    const bool taken = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) {
        fit();
    }
    return taken;
}

void CardPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
    fit();
}

/// Rich text keeps the link colours that it was created with.
void CardPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        for (const Card& card : cards) {
            const QString text = card.text->text();
            card.text->clear();
            card.text->setText(text);
        }
    }
}

}  // namespace et::studio
