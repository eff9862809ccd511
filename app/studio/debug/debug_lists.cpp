#include "app/studio/debug/debug_lists.h"

#include "app/studio/debug/debug_session.h"
#include "app/studio/form_rows.h"
#include "visualizers/debug/debug_rows.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/widgets.h"

#include <QComboBox>
#include <QGridLayout>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace et::studio {

using visualizers::DebugTrigger;
using visualizers::ReportTable;

namespace {

constexpr int fieldMargin = 4;
constexpr int mostIgnored = 1'000'000;

constexpr std::array scopes{
    Choice{"instruction", "Current instruction", "Values that the current instruction reads and writes"},
    Choice{"all", "All values", "All values of the method"},
};
constexpr std::array triggerKinds{
    Choice{"break", "Breakpoint", "Stops before an instruction"},
    Choice{"watch", "Watchpoint", "Stops after the instruction that changes a value or breaks a rule"},
};

/// Adds an action to a table, with a key.
QAction* addToTable(ReportTable& table, const QString& text, const QKeySequence& key,
                    std::function<void()> act) {
    QAction* const action =
        visualizers::keyedAction(table, text, key, std::move(act), visualizers::KeyScope::Panel);
    table.view().addAction(action);
    return action;
}

}  // namespace

DebugValueList::DebugValueList(DebugSession& of, QWidget* parent)
    : QWidget(parent),
      session(of),
      scope(visualizers::choiceBox("debugScope", QStringLiteral("Values to list"), this)),
      rows(new ReportTable(this)) {
    fillChoices(*scope, scopes);
    rows->setObjectName(QStringLiteral("debugValues"));
    rows->view().setAccessibleName(QStringLiteral("Values"));
    rows->setHint(QStringLiteral("Values appear when the run stops at an instruction."));
    visualizers::fillColumn(*this, {scope, rows}, rows);
    setFocusProxy(rows);
    connect(scope, &QComboBox::currentIndexChanged, this, [this](int choice) {
        session.setScope(choice == 0 ? DebugSession::Scope::Instruction : DebugSession::Scope::All);
    });
    connect(&session, &DebugSession::valuesChanged, this, &DebugValueList::show);
    connect(rows, &ReportTable::rowChosen, this,
            [this](std::size_t row) { emit chosen(session.values()[row].spelling()); });
}

void DebugValueList::show() {
    const auto row = rows->currentRow();
    rows->setRows(visualizers::valueRows(session.values()));
    if (row && *row < session.values().size()) {
        rows->choose(row);
    }
}

DebugWatchList::DebugWatchList(DebugSession& of, QWidget* parent)
    : QWidget(parent), session(of), rows(new ReportTable(this)), expression(new QLineEdit(this)) {
    rows->setObjectName(QStringLiteral("debugWatches"));
    rows->view().setAccessibleName(QStringLiteral("Watched expressions"));
    rows->setHint(QStringLiteral("Add a value or an expression below to see it at every stop."));
    expression->setObjectName(QStringLiteral("debugExpression"));
    expression->setAccessibleName(QStringLiteral("Expression to watch"));
    expression->setPlaceholderText(QStringLiteral("out, %12, max(abs(in)) > 10"));
    expression->setToolTip(QStringLiteral("A value or an expression; Enter adds it"));
    visualizers::fillColumn(*this, {rows, expression}, rows);
    setFocusProxy(rows);
    addToTable(*rows, QStringLiteral("&Remove"), QKeySequence::Delete, [this] { remove(); });
    connect(expression, &QLineEdit::returnPressed, this, &DebugWatchList::add);
    connect(&session, &DebugSession::refreshed, this, [this] {
        for (std::size_t i = 0; i < watched.size(); ++i) {
            refresh(i);
        }
    });
    connect(rows, &ReportTable::rowChosen, this,
            [this](std::size_t row) { emit chosen(watched[row].first); });
    show();
}

void DebugWatchList::begin() {
    expression->setFocus(Qt::ShortcutFocusReason);
    expression->selectAll();
}

void DebugWatchList::add() {
    const QString text = expression->text().simplified();
    if (!text.isEmpty()) {
        watched.emplace_back(text, QString());
        expression->clear();
        show();
        refresh(watched.size() - 1);
    }
}

void DebugWatchList::remove() {
    if (const auto row = rows->currentRow(); row && *row < watched.size()) {
        watched.erase(watched.begin() + static_cast<std::ptrdiff_t>(*row));
        show();
    }
}

void DebugWatchList::refresh(std::size_t place) {
    if (session.position()) {
        session.query(
            QStringLiteral("print ") + watched[place].first,
            [this, asked = watched[place].first](const QJsonObject& answer) { take(asked, answer); });
    }
}

void DebugWatchList::take(const QString& asked, const QJsonObject& answer) {
    const QJsonObject value = answer.value(QLatin1String("value")).toObject();
    const QString text = value.isEmpty() ? visualizers::readDebugError(answer)
                                         : visualizers::summaryOf(visualizers::readDebugValue(value));
    for (auto& [known, shown] : watched) {
        shown = known == asked ? text : shown;
    }
    show();
}

void DebugWatchList::show() {
    const auto row = rows->currentRow();
    rows->setRows(visualizers::watchRows(watched));
    if (row && *row < watched.size()) {
        rows->choose(row);
    }
}

DebugTriggerList::DebugTriggerList(DebugSession& of, QWidget* parent)
    : QWidget(parent),
      session(of),
      rows(new ReportTable(this)),
      kind(visualizers::choiceBox("debugKind", QStringLiteral("What to add"), this)),
      where(new QLineEdit(this)),
      condition(new QLineEdit(this)),
      ignore(numberField(0, mostIgnored, 0, "debugIgnore", this)),
      changeButton(new QPushButton(QStringLiteral("Change"), this)) {
    rows->setObjectName(QStringLiteral("debugTriggers"));
    rows->view().setAccessibleName(QStringLiteral("Breakpoints and watchpoints"));
    rows->setHint(
        QStringLiteral("Add a breakpoint below, at the left edge of the source, or on a selected "
                       "operator with B."));
    visualizers::fillColumn(*this, {rows, createFields()}, rows);
    setFocusProxy(rows);
    createActions();
    connect(&session.triggers(), &DebugTriggers::changed, this, &DebugTriggerList::show);
    connect(rows, &ReportTable::rowChosen, this, &DebugTriggerList::showFields);
    show();
}

QWidget* DebugTriggerList::createFields() {
    auto* const fields = new QWidget(this);
    auto* const grid = new QGridLayout(fields);
    grid->setContentsMargins(fieldMargin, fieldMargin, fieldMargin, fieldMargin);
    fillChoices(*kind, triggerKinds);
    where->setObjectName(QStringLiteral("debugWhere"));
    where->setAccessibleName(QStringLiteral("Location or expression"));
    condition->setObjectName(QStringLiteral("debugCondition"));
    condition->setAccessibleName(QStringLiteral("Condition"));
    condition->setPlaceholderText(QStringLiteral("only if, such as max(out) > 3"));
    ignore->setAccessibleName(QStringLiteral("Number of hits to ignore"));
    ignore->setToolTip(QStringLiteral("Number of hits before the first stop"));
    ignore->setPrefix(QStringLiteral("ignore "));
    auto* const addButton = new QPushButton(QStringLiteral("Add"), this);
    addButton->setObjectName(QStringLiteral("debugAdd"));
    changeButton->setObjectName(QStringLiteral("debugChange"));
    changeButton->setToolTip(QStringLiteral("Change condition and ignored hits of the selected row"));
    grid->addWidget(kind, 0, 0);
    grid->addWidget(where, 0, 1, 1, 2);
    grid->addWidget(addButton, 0, 3);
    grid->addWidget(condition, 1, 0, 1, 2);
    grid->addWidget(ignore, 1, 2);
    grid->addWidget(changeButton, 1, 3);
    grid->setColumnStretch(1, 1);
    const auto showHint = [this] {
        where->setPlaceholderText(kind->currentIndex() == 0
                                      ? QStringLiteral("17, aten.mul.out, *softmax*, model.py:88")
                                      : QStringLiteral("nan, out in 0..1, snr < 20, own_error"));
    };
    showHint();
    connect(kind, &QComboBox::currentIndexChanged, this, showHint);
    connect(addButton, &QPushButton::clicked, this, &DebugTriggerList::add);
    connect(changeButton, &QPushButton::clicked, this, &DebugTriggerList::change);
    for (QLineEdit* const each : {where, condition}) {
        connect(each, &QLineEdit::returnPressed, this, &DebugTriggerList::add);
    }
    return fields;
}

void DebugTriggerList::createActions() {
    addToTable(*rows, QStringLiteral("&Delete"), QKeySequence::Delete,
               [this] { withRow([this](std::size_t row) { session.triggers().remove(row); }); });
    addToTable(*rows, QStringLiteral("&Enable or Disable"), Qt::Key_Space, [this] {
        withRow([this](std::size_t row) {
            session.triggers().setEnabled(row, !session.triggers().all()[row].enabled);
        });
    });
}

void DebugTriggerList::withRow(const std::function<void(std::size_t)>& act) {
    if (const auto row = rows->currentRow(); row && *row < session.triggers().all().size()) {
        act(*row);
    }
}

void DebugTriggerList::begin() {
    where->setFocus(Qt::ShortcutFocusReason);
    where->selectAll();
}

void DebugTriggerList::add() {
    if (where->text().simplified().isEmpty()) {
        change();
        return;
    }
    const auto what = kind->currentIndex() == 0 ? DebugTrigger::Kind::Break : DebugTrigger::Kind::Watch;
    session.triggers().add(what, where->text(), condition->text(), ignore->value());
    where->clear();
    condition->clear();
    ignore->setValue(0);
}

void DebugTriggerList::change() {
    withRow([this](std::size_t row) {
        session.triggers().setCondition(row, condition->text(), ignore->value());
    });
}

void DebugTriggerList::show() {
    const auto row = rows->currentRow();
    const auto& all = session.triggers().all();
    rows->setRows(visualizers::triggerRows(all));
    if (row && *row < all.size()) {
        rows->choose(row);
    }
    changeButton->setEnabled(rows->currentRow().has_value());
}

void DebugTriggerList::showFields() {
    withRow([this](std::size_t row) {
        const DebugTrigger& trigger = session.triggers().all()[row];
        condition->setText(trigger.condition);
        ignore->setValue(static_cast<int>(std::clamp<std::int64_t>(trigger.ignore, 0, mostIgnored)));
        changeButton->setEnabled(true);
    });
}

}  // namespace et::studio
