#include "app/studio/notice_bar.h"

#include "visualizers/toolkit/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

constexpr int maxLines = 5;
constexpr double tint = 0.22;
const char* const kindProperty = "noticeKind";

struct KindInfo {
    NoticeBar::Kind kind;
    QRgb accent;
    QStyle::StandardPixmap icon;
};
constexpr std::array kinds{
    KindInfo{NoticeBar::Kind::Warning, qRgb(0xf0, 0xa0, 0x00), QStyle::SP_MessageBoxWarning},
    KindInfo{NoticeBar::Kind::Error, qRgb(0xe0, 0x20, 0x20), QStyle::SP_MessageBoxCritical},
    KindInfo{NoticeBar::Kind::Note, qRgb(0x30, 0x80, 0xe0), QStyle::SP_MessageBoxInformation},
};
const KindInfo& infoOf(NoticeBar::Kind kind) {
    return *std::ranges::find(kinds, kind, &KindInfo::kind);
}

/// Mixes the window's colour with the accent of the kind, so that the palette's text stays readable.
QColor background(const QPalette& palette, NoticeBar::Kind kind) {
    const QColor base = palette.color(QPalette::Window);
    const QColor accent(infoOf(kind).accent);
    const auto mix = [](int from, int to) { return static_cast<int>(from + (to - from) * tint); };
    return {mix(base.red(), accent.red()), mix(base.green(), accent.green()),
            mix(base.blue(), accent.blue())};
}

QLabel* iconLabel(QWidget* parent, NoticeBar::Kind kind) {
    auto* const label = new QLabel(parent);
    const QStyle* const style = parent->style();
    const int side = style->pixelMetric(QStyle::PM_SmallIconSize);
    label->setPixmap(style->standardIcon(infoOf(kind).icon).pixmap(side));
    return label;
}

}  // namespace

NoticeBar::NoticeBar(QWidget* parent) : QFrame(parent), layoutOfLines(new QVBoxLayout(this)) {
    layoutOfLines->setContentsMargins(0, 0, 0, 0);
    layoutOfLines->setSpacing(1);
    setVisible(false);
}

void NoticeBar::setNotices(Kind kind, const QStringList& lines) {
    for (QWidget* const line : findChildren<QFrame*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (line->property(kindProperty).toInt() == static_cast<int>(kind)) {
            removeLine(line);
        }
    }
    for (const QString& line : lines.first(std::min<qsizetype>(lines.size(), maxLines))) {
        addLine(kind, line);
    }
    if (lines.size() > maxLines) {
        addLine(kind, QStringLiteral("… and %1 more").arg(lines.size() - maxLines));
    }
    setVisible(layoutOfLines->count() > 0);
}

void NoticeBar::addButton(const QString& text, const std::function<void()>& run) {
    if (layoutOfLines->count() == 0) {
        return;
    }
    QWidget* const line = layoutOfLines->itemAt(layoutOfLines->count() - 1)->widget();
    auto* const button = new QPushButton(text, line);
    connect(button, &QPushButton::clicked, line, run);
    auto* const row = qobject_cast<QHBoxLayout*>(line->layout());
    row->insertWidget(row->count() - 1, button);  // before the one that dismisses the line
}

QStringList NoticeBar::notices(Kind kind) const {
    QStringList lines;
    for (int i = 0; i < layoutOfLines->count(); ++i) {
        const QWidget* const line = layoutOfLines->itemAt(i)->widget();
        if (line->property(kindProperty).toInt() == static_cast<int>(kind)) {
            lines.append(line->accessibleName());
        }
    }
    return lines;
}

void NoticeBar::addLine(Kind kind, const QString& line) {
    auto* const frame = new QFrame(this);
    frame->setProperty(kindProperty, static_cast<int>(kind));
    frame->setAccessibleName(line);
    QPalette tinted = frame->palette();
    tinted.setColor(QPalette::Window, background(tinted, kind));
    frame->setPalette(tinted);
    frame->setAutoFillBackground(true);

    auto* const text = new QLabel(frame);
    text->setTextFormat(Qt::PlainText);
    text->setText(line);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* const close = new QToolButton(frame);
    close->setAutoRaise(true);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setToolTip(QStringLiteral("Dismiss"));
    connect(close, &QToolButton::clicked, frame, [this, frame] { removeLine(frame); });

    auto* const row = new QHBoxLayout(frame);
    row->setContentsMargins(8, 2, 4, 2);
    row->addWidget(iconLabel(frame, kind));
    row->addWidget(text, 1);
    row->addWidget(close);
    layoutOfLines->addWidget(frame);
}

void NoticeBar::removeLine(QWidget* line) {
    layoutOfLines->removeWidget(line);
    line->setParent(nullptr);
    line->deleteLater();
    setVisible(layoutOfLines->count() > 0);
}

QStringList noticeLines(const std::vector<std::string>& lines) {
    QStringList shown;
    for (const std::string& line : lines) {
        shown.append(visualizers::toQString(line));
    }
    return shown;
}

}  // namespace et::studio
