#include "app/studio/time_unit_menu.h"

#include <QActionGroup>
#include <QInputDialog>
#include <QMessageBox>
#include <QSettings>

#include <string>
#include <utility>

namespace et::studio {

namespace {

using inspector::TimeScale;

/// Choice other than the values of TimeScale: a suitable unit for each time.
constexpr int automatic = -1;

constexpr auto delegatesKey = "delegateTimeUnits";

int chosen(const QActionGroup* group) {
    return group->checkedAction()->data().toInt();
}

void check(const QActionGroup* group, int scale) {
    for (QAction* const action : group->actions()) {
        action->setChecked(action->data().toInt() == scale);
    }
}

void addChoice(QMenu* menu, QActionGroup* group, const QString& text, int scale) {
    QAction* const action = menu->addAction(text);
    action->setCheckable(true);
    action->setData(scale);
    group->addAction(action);
}

constexpr int number(TimeScale scale) {
    return static_cast<int>(scale);
}

}  // namespace

TimeUnitMenu::TimeUnitMenu(QWidget* parent)
    : QMenu(QStringLiteral("&Time Unit"), parent),
      targets(new QActionGroup(this)),
      sources(new QActionGroup(this)) {
    addSection(QStringLiteral("Show Times In"));
    addChoice(this, targets, QStringLiteral("Automatic"), automatic);
    addScales(targets);
    addSection(QStringLiteral("Trace Clock Unit"));
    addScales(sources);
    addSection(QStringLiteral("Clocks of Delegates"));
    connect(addAction(QStringLiteral("Unit of Delegate Times…")), &QAction::triggered, this,
            &TimeUnitMenu::promptForDelegates);
    check(targets, automatic);
    check(sources, number(inspector::TraceClock().unit));
    showTarget();
    connect(targets, &QActionGroup::triggered, this,
            [this] { choose(targets, sources, number(TimeScale::Nanoseconds)); });
    connect(sources, &QActionGroup::triggered, this, [this] { choose(sources, targets, automatic); });
}

TimeScale TimeUnitMenu::source() const {
    return static_cast<TimeScale>(chosen(sources));
}

TimeScale TimeUnitMenu::target() const {
    return adaptsUnits() ? inspector::JoinOptions().target : static_cast<TimeScale>(chosen(targets));
}

bool TimeUnitMenu::adaptsUnits() const {
    return chosen(targets) == automatic;
}

void TimeUnitMenu::addScales(QActionGroup* group) {
    for (const inspector::TimeScaleInfo& scale : inspector::timeScales) {
        addChoice(this, group,
                  QString::fromUtf8(scale.name.data(), static_cast<qsizetype>(scale.name.size())),
                  number(scale.scale));
    }
}

void TimeUnitMenu::showTarget() {
    setTitle(QStringLiteral("&Time Unit: %1").arg(targets->checkedAction()->text()));
}

void TimeUnitMenu::choose(QActionGroup* changedGroup, QActionGroup* other, int otherDefault) {
    const int cycles = number(TimeScale::Cycles);
    if (chosen(changedGroup) == cycles) {
        check(other, cycles);
    } else if (chosen(other) == cycles) {
        check(other, otherDefault);
    }
    showTarget();
    emit changed();
}

void TimeUnitMenu::useSettings(QSettings& settings) {
    store = &settings;
    const std::string saved = settings.value(delegatesKey).toString().toStdString();
    scales = inspector::parseDelegateTimeScales(saved).value_or(decltype(scales)());
}

void TimeUnitMenu::promptForDelegates() {
    auto* const dialog = new QInputDialog(parentWidget());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QStringLiteral("Unit of delegate times"));
    dialog->setLabelText(
        QStringLiteral("Unit of the times inside delegates: ns, us, ms, s, a clock such as 800MHz, a "
                       "number of the trace's ticks, or cycles. For one backend: "
                       "VulkanBackend=us. Empty: that of the trace"));
    dialog->setTextValue(QString::fromStdString(inspector::delegateTimeScalesText(scales)));
    connect(dialog, &QInputDialog::textValueSelected, this, &TimeUnitMenu::setDelegates);
    dialog->open();
}

void TimeUnitMenu::setDelegates(const QString& text) {
    auto parsed = inspector::parseDelegateTimeScales(text.trimmed().toStdString());
    if (!parsed) {
        QMessageBox::warning(parentWidget(), QStringLiteral("Unit of delegate times"),
                             QString::fromStdString(parsed.error().message));
        return;
    }
    scales = *std::move(parsed);
    if (store != nullptr) {
        store->setValue(delegatesKey, QString::fromStdString(inspector::delegateTimeScalesText(scales)));
    }
    emit changed();
}

}  // namespace et::studio
