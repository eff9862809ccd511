#include "app/studio/command_palette.h"

#include "app/studio/fuzzy_match.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>
#include <vector>

namespace et::studio {

namespace {

constexpr int minWidth = 640;
constexpr int widthInLetters = 64;
constexpr int rowsShown = 12;
constexpr int fromTop = 48;

QString rowText(const Command& command) {
    const QString keys = keysOf(*command.action);
    const QString checked = command.action->isChecked() ? QStringLiteral("✓ ") : QString();
    const QString text = QStringLiteral("%1%2   —   %3").arg(checked, command.text, command.path);
    return keys.isEmpty() ? text : QStringLiteral("%1      [%2]").arg(text, keys);
}

QString nameAndSynonyms(const Command& command) {
    return QStringLiteral("%1 %2").arg(command.text, synonymsOf(command.text));
}

QString searched(const Command& command) {
    return QStringLiteral("%1 %2").arg(nameAndSynonyms(command), command.path);
}

/// Recent files have arbitrary names, which match anything: they come last.
bool isRecentFile(const Command& command) {
    return command.path.endsWith(QStringLiteral("Open Recent"));
}

struct Match {
    const Command* command = nullptr;
    bool isLast = false;
    bool isExact = false;      ///< its name is the typed text
    bool isNamed = false;      ///< its name or a synonym contains the typed text, not only its menu
    bool isScattered = false;  ///< its letters are not adjacent
    int score = 0;
};

/// Commands that contain the typed text; if there are none, commands with its letters in this order. Commands
/// of this name come first, then those with the text in their names, the others, and recent files; among
/// equals, the one with the shorter menu path.
std::vector<Match> matchesOf(const QString& typed, const QList<Command>& commands) {
    std::vector<Match> matches;
    const QString wanted = typed.trimmed();
    for (const Command& command : commands) {
        const QString text = searched(command);
        const QString names = nameAndSynonyms(command);
        const bool isNamed = names.contains(wanted, Qt::CaseInsensitive);
        if (const auto score = fuzzyScore(typed, isNamed ? names : text)) {
            matches.push_back({.command = &command,
                               .isLast = isRecentFile(command),
                               .isExact = command.text.compare(wanted, Qt::CaseInsensitive) == 0,
                               .isNamed = isNamed,
                               .isScattered = !text.contains(wanted, Qt::CaseInsensitive),
                               .score = *score});
        }
    }
    if (std::ranges::any_of(matches, [](const Match& each) { return !each.isScattered && !each.isLast; })) {
        std::erase_if(matches, [](const Match& each) { return each.isScattered; });
    }
    std::ranges::stable_sort(matches, [](const Match& a, const Match& b) {
        const auto rank = [](const Match& match) {
            return std::tuple(match.isLast, !match.isExact, !match.isNamed, -match.score,
                              match.command->path.size());
        };
        return rank(a) < rank(b);
    });
    return matches;
}

}  // namespace

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window), input(new QLineEdit(this)), list(new QListWidget(this)) {
    setObjectName(QStringLiteral("palette"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    input->setPlaceholderText(QStringLiteral("Search commands"));
    list->setFocusPolicy(Qt::NoFocus);
    list->setUniformItemSizes(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setTextElideMode(Qt::ElideRight);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(input);
    layout->addWidget(list);
    connect(input, &QLineEdit::textChanged, this, &CommandPalette::showMatches);
    connect(list, &QListWidget::itemClicked, this, &CommandPalette::choose);
    input->installEventFilter(this);
    window->installEventFilter(this);
    hide();
}

void CommandPalette::open(const QList<Command>& commands) {
    all = commands;
    all.removeIf([](const Command& command) { return !command.action->isEnabled(); });
    before = QApplication::focusWidget();
    input->clear();
    showMatches();
    place();
    show();
    raise();
    input->setFocus(Qt::PopupFocusReason);
}

QStringList CommandPalette::offered() const {
    QStringList texts;
    for (int row = 0; row < list->count(); ++row) {
        texts.append(list->item(row)->text());
    }
    return texts;
}

void CommandPalette::place() {
    const int row = std::max(list->sizeHintForRow(0), fontMetrics().height());
    const int wide = std::min(std::max(fontMetrics().averageCharWidth() * widthInLetters, minWidth),
                              parentWidget()->width());
    resize(wide, input->sizeHint().height() + row * rowsShown + 24);
    move((parentWidget()->width() - wide) / 2, fromTop);
}

void CommandPalette::showMatches() {
    all.removeIf([](const Command& command) { return command.action.isNull(); });
    list->clear();
    actions.clear();
    for (const Match& each : matchesOf(input->text(), all)) {
        list->addItem(rowText(*each.command));
        actions.append(each.command->action);
    }
    list->setCurrentRow(0);
}

void CommandPalette::choose() {
    const int row = list->currentRow();
    const QPointer<QAction> action = actions.value(row);
    dismiss();
    if (action) {
        action->trigger();
    }
}

void CommandPalette::dismiss() {
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    hide();
    if (hadFocus && before != nullptr) {
        before->setFocus(Qt::PopupFocusReason);
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parent() && event->type() == QEvent::Resize && isVisible()) {
        place();
    }
    if (watched != input) {
        return QFrame::eventFilter(watched, event);
    }
    if (event->type() == QEvent::FocusOut && isVisible()) {
        dismiss();
    }
    const int key =
        event->type() == QEvent::KeyPress ? static_cast<const QKeyEvent*>(event)->key() : Qt::Key_unknown;
    switch (key) {
        case Qt::Key_Escape:
            dismiss();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            choose();
            return true;
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            QApplication::sendEvent(list, event);
            return true;
        default:
            return QFrame::eventFilter(watched, event);
    }
}

}  // namespace et::studio
