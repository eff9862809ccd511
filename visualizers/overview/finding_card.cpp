#include "visualizers/overview/finding_card.h"

#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/prose.h"
#include "visualizers/toolkit/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace et::visualizers {

namespace {

constexpr int cardEdge = 10;
constexpr double shareLine = 4;

}  // namespace

bool hasPlace(const inspector::Finding& finding) {
    return !finding.instructions.empty() || !finding.handles.empty();
}

FindingCard::FindingCard(const inspector::Finding& finding, const QString& action, QWidget* parent)
    : QFrame(parent), share(inspector::measuredShare(finding).value_or(0)) {
    setObjectName(QStringLiteral("finding"));
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(prosePlain(toQString(finding.title)));
    setAccessibleDescription(prosePlain(toQString(finding.explanation)));
    auto* const title = new QLabel(this);
    title->setWordWrap(true);
    title->setTextFormat(Qt::RichText);
    const QString text = proseHtml(toQString(finding.title));
    title->setText(hasPlace(finding) ? QStringLiteral("<a href=\"place\">%1</a>").arg(text)
                                     : QStringLiteral("<b>%1</b>").arg(text));
    title->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(title, &QLabel::linkActivated, this, &FindingCard::chosen);
    auto* const why = new QLabel(proseHtml(toQString(finding.explanation)), this);
    why->setTextFormat(Qt::RichText);
    why->setWordWrap(true);
    auto* const foot = new QHBoxLayout;
    const QString weight = toQString(inspector::weightText(finding));
    auto* const rule =
        new QLabel(weight.isEmpty() ? QStringLiteral("rule %1").arg(toQString(finding.rule))
                                    : QStringLiteral("%1 · rule %2").arg(weight, toQString(finding.rule)),
                   this);
    rule->setTextFormat(Qt::PlainText);
    rule->setForegroundRole(QPalette::WindowText);
    foot->addWidget(rule, 1);
    if (!action.isEmpty()) {
        auto* const button = new QToolButton(this);
        button->setText(action);
        button->setAccessibleName(QStringLiteral("%1: %2").arg(action, prosePlain(toQString(finding.title))));
        connect(button, &QToolButton::clicked, this, &FindingCard::acted);
        foot->addWidget(button);
    }
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(cardEdge, cardEdge, cardEdge, cardEdge);
    layout->addWidget(title);
    layout->addWidget(why);
    layout->addLayout(foot);
}

/// Draws a line below the top cardEdge whose length is the finding's share.
void FindingCard::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    if (share > 0) {
        QPainter painter(this);
        painter.fillRect(QRectF(1, 1, (width() - 2) * share, shareLine),
                         meaningColour(inspector::format::Meaning::Error, palette()));
    }
}

}  // namespace et::visualizers
