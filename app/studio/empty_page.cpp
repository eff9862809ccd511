#include "app/studio/empty_page.h"

#include "app/studio/recent_files.h"
#include "app/studio/tours.h"

#include <QApplication>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace et::studio {

namespace {

constexpr int iconSide = 64;
constexpr double titleScale = 1.5;
constexpr int pageMargin = 24;
constexpr qsizetype maxRecent = 6;
constexpr int firstPageLetters = 80;    // width of a readable line
constexpr int firstPageStretch = 1000;  // uses the whole page up to that width

}  // namespace

EmptyPage::EmptyPage(QWidget* parent)
    : QWidget(parent), opening(new QLabel(QStringLiteral("Opening…"), this)) {
    content = makeContent();
    opening->setAlignment(Qt::AlignCenter);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    layout->addStretch();
    // Centered by stretches instead of an alignment, which would use the height of a wider layout.
    auto* const across = new QHBoxLayout;
    across->addStretch(1);
    across->addWidget(content, firstPageStretch);
    across->addStretch(1);
    layout->addLayout(across);
    layout->addWidget(opening);
    layout->addStretch();
    setOpening(false);
    setRecent({});
}

QWidget* EmptyPage::makeContent() {
    auto* const page = new QWidget(this);
    page->setMaximumWidth(firstPageLetters * fontMetrics().averageCharWidth());
    auto* const icon = new QLabel(page);
    icon->setPixmap(QApplication::windowIcon().pixmap(iconSide));
    auto* const title = new QLabel(QStringLiteral("Drop files here, or open them"), page);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * titleScale);
    title->setFont(large);
    auto* const text = new QLabel(
        QStringLiteral(
            "A trace (.etdp) shows where the time goes. The model's ETRecord adds operators, modules and "
            "Python lines. A bundled program (.bpte) has test cases that check the numbers. Drop files "
            "together, in any order."),
        page);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    auto* const open = new QPushButton(QStringLiteral("Open…"), page);
    connect(open, &QPushButton::clicked, this, &EmptyPage::openRequested);
    auto* const sample = new QPushButton(QStringLiteral("Create a Sample"), page);
    sample->setToolTip(QStringLiteral("Run a small model and open its files: et-inspect sample conv_net"));
    connect(sample, &QPushButton::clicked, this, &EmptyPage::sampleWanted);
    auto* const buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(sample);
    buttons->addStretch();
    auto* const column = new QVBoxLayout(page);
    column->addWidget(icon);
    column->addWidget(title);
    column->addWidget(text);
    column->addLayout(buttons);
    recent = new QLabel(page);
    recent->setTextFormat(Qt::RichText);
    recent->setWordWrap(true);
    recent->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(recent, &QLabel::linkActivated, this, &EmptyPage::follow);
    column->addSpacing(pageMargin / 2);
    column->addWidget(recent);
    auto* const heading = new QLabel(QStringLiteral("Guided tours"), page);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    column->addSpacing(pageMargin / 2);
    column->addWidget(heading);
    QStringList lines;
    for (std::size_t i = 0; i < tours().size(); ++i) {
        lines.append(
            QStringLiteral("<a href=\"tour:%1\">%2</a>").arg(i).arg(tours()[i].titleText().toHtmlEscaped()));
    }
    tourList = new QLabel(lines.join(QStringLiteral("<br>")), page);
    tourList->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(tourList, &QLabel::linkActivated, this, &EmptyPage::follow);
    column->addWidget(tourList);
    return page;
}

void EmptyPage::setRecent(const QList<QStringList>& sets) {
    recentSets = sets.first(std::min(sets.size(), maxRecent));
    QStringList lines{QStringLiteral("<b>%1</b>").arg(QStringLiteral("Recent files"))};
    for (qsizetype i = 0; i < recentSets.size(); ++i) {
        lines.append(QStringLiteral("<a href=\"recent:%1\">%2</a>&nbsp;&nbsp;%3")
                         .arg(i)
                         .arg(namesOf(recentSets[i]).toHtmlEscaped(),
                              QFileInfo(recentSets[i].first()).absolutePath().toHtmlEscaped()));
    }
    recent->setText(lines.join(QStringLiteral("<br>")));
    recent->setVisible(!recentSets.isEmpty());
}

/// Rich text keeps the link colours that it was created with.
void EmptyPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        for (QLabel* const label : {recent, tourList}) {
            if (label == nullptr) {
                continue;  // during construction of the page
            }
            if (const QString text = label->text(); !text.isEmpty()) {
                label->clear();
                label->setText(text);
            }
        }
    }
}

void EmptyPage::setOpening(bool now) {
    content->setVisible(!now);
    opening->setVisible(now);
}

/// "recent:0", "tour:2".
void EmptyPage::follow(const QString& link) {
    const qsizetype number = link.section(u':', 1).toLongLong();
    if (link.startsWith(QStringLiteral("tour:"))) {
        emit tourWanted(static_cast<std::size_t>(number));
    } else if (number < recentSets.size()) {
        emit filesChosen(toPaths(recentSets[number]));
    }
}

}  // namespace et::studio
