#include "visualizers/graph/graph_find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace et::visualizers {

namespace {

constexpr int pauseMilliseconds = 120;

}  // namespace

GraphFindBar::GraphFindBar(QWidget* parent)
    : QWidget(parent), edit(new QLineEdit(this)), count(new QLabel(this)) {
    edit->setObjectName(QStringLiteral("graphFind"));
    edit->setClearButtonEnabled(true);
    edit->setPlaceholderText(QStringLiteral("Find by regular expression"));
    edit->setToolTip(QStringLiteral(
        "Searches names, operators, attributes and groups. Prefix with name:, op:, attribute: or "
        "group: to search only there. Enter: next, Shift+Enter: previous."));
    edit->installEventFilter(this);
    count->setObjectName(QStringLiteral("graphFindCount"));
    count->setTextFormat(Qt::PlainText);
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(edit, 1);
    layout->addWidget(count);
    const auto addButton = [&](Qt::ArrowType arrow, const QString& tip, void (GraphFindBar::*signal)()) {
        auto* const button = new QToolButton(this);
        button->setArrowType(arrow);
        button->setAutoRaise(true);
        button->setToolTip(tip);
        connect(button, &QToolButton::clicked, this, signal);
        layout->addWidget(button);
    };
    addButton(Qt::UpArrow, QStringLiteral("Previous match (Shift+F3)"), &GraphFindBar::previousRequested);
    addButton(Qt::DownArrow, QStringLiteral("Next match (F3)"), &GraphFindBar::nextRequested);
    pause.setSingleShot(true);
    pause.setInterval(pauseMilliseconds);
    connect(edit, &QLineEdit::textChanged, &pause, qOverload<>(&QTimer::start));
    connect(&pause, &QTimer::timeout, this, [this] { emit searched(edit->text()); });
}

QString GraphFindBar::text() const {
    return edit->text();
}

void GraphFindBar::clear() {
    edit->clear();
}

void GraphFindBar::focusText() {
    edit->setFocus(Qt::ShortcutFocusReason);
    edit->selectAll();
}

void GraphFindBar::showCount(std::size_t number, std::optional<std::size_t> place) {
    if (edit->text().isEmpty()) {
        count->clear();
    } else if (number == 0) {
        count->setText(QStringLiteral("no matches"));
    } else if (place) {
        count->setText(QStringLiteral("%1 of %2").arg(*place + 1).arg(number));
    } else {
        count->setText(number == 1 ? QStringLiteral("1 node") : QStringLiteral("%1 nodes").arg(number));
    }
    count->setToolTip({});
}

void GraphFindBar::showError(const QString& line) {
    count->setText(QStringLiteral("invalid regular expression"));
    count->setToolTip(line);
}

bool GraphFindBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == edit && event->type() == QEvent::KeyPress) {
        const auto* const key = static_cast<const QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            key->modifiers().testFlag(Qt::ShiftModifier) ? emit previousRequested() : emit nextRequested();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace et::visualizers
