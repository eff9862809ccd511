#include "visualizers/overview/answer_tile.h"

#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/prose.h"
#include "visualizers/toolkit/text.h"

#include <QLabel>
#include <QVBoxLayout>

namespace et::visualizers {

namespace {

constexpr int tileEdge = 10;
constexpr double valueSize = 1.5;  // relative to the font of the text

using Mood = inspector::Answer::Mood;

}  // namespace

AnswerTile::AnswerTile(const inspector::Answer& answer, const QString& link, QWidget* parent)
    : QFrame(parent) {
    setObjectName(QStringLiteral("answer"));
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(QStringLiteral("%1 %2").arg(toQString(answer.question), toQString(answer.value)));
    auto* const question = new QLabel(toQString(answer.question), this);
    question->setTextFormat(Qt::PlainText);
    auto* const value = new QLabel(toQString(answer.value), this);
    value->setTextFormat(Qt::PlainText);
    QFont large = value->font();
    large.setPointSizeF(large.pointSizeF() * valueSize);
    large.setBold(true);
    value->setFont(large);
    if (answer.mood == Mood::Bad) {
        QPalette colours = value->palette();
        colours.setColor(QPalette::WindowText, meaningColour(inspector::format::Meaning::Error, palette()));
        value->setPalette(colours);
    }
    const QString html = proseHtml(toQString(answer.detail));
    auto* const detail =
        new QLabel(link.isEmpty() ? html : QStringLiteral("<a href=\"%1\">%2</a>").arg(link, html), this);
    detail->setTextFormat(Qt::RichText);
    detail->setWordWrap(true);
    detail->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(detail, &QLabel::linkActivated, this, &AnswerTile::linkFollowed);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(tileEdge, tileEdge, tileEdge, tileEdge);
    layout->addWidget(question);
    layout->addWidget(value);
    layout->addWidget(detail);
    layout->addStretch(1);
}

}  // namespace et::visualizers
