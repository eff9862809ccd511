#include "app/studio/time_unit_menu.h"

#include <QActionGroup>

namespace et::studio {

namespace {

using inspector::TimeScale;

TimeScale scaleOf(const QActionGroup* group) {
    return static_cast<TimeScale>(group->checkedAction()->data().toInt());
}

void check(const QActionGroup* group, TimeScale scale) {
    for (QAction* const action : group->actions()) {
        action->setChecked(action->data().toInt() == static_cast<int>(scale));
    }
}

}  // namespace

TimeUnitMenu::TimeUnitMenu(QWidget* parent)
    : QMenu(tr("&Time Unit"), parent),
      targets(addScales(tr("Show Times In"))),
      sources(addScales(tr("Trace Clock Unit"))) {
    const inspector::JoinOptions defaults;
    check(targets, defaults.target);
    check(sources, defaults.source);
    showTarget();
    connect(targets, &QActionGroup::triggered, this,
            [this] { choose(targets, sources, TimeScale::Nanoseconds); });
    connect(sources, &QActionGroup::triggered, this,
            [this] { choose(sources, targets, TimeScale::Milliseconds); });
}

TimeScale TimeUnitMenu::source() const {
    return scaleOf(sources);
}

TimeScale TimeUnitMenu::target() const {
    return scaleOf(targets);
}

QActionGroup* TimeUnitMenu::addScales(const QString& heading) {
    addSection(heading);
    auto* const group = new QActionGroup(this);
    for (const inspector::TimeScaleFacts& scale : inspector::timeScales) {
        QAction* const action =
            addAction(QString::fromUtf8(scale.name.data(), static_cast<qsizetype>(scale.name.size())));
        action->setCheckable(true);
        action->setData(static_cast<int>(scale.scale));
        group->addAction(action);
    }
    return group;
}

void TimeUnitMenu::showTarget() {
    setTitle(tr("&Time Unit: %1").arg(targets->checkedAction()->text()));
}

void TimeUnitMenu::choose(QActionGroup* changedGroup, QActionGroup* other, TimeScale otherDefault) {
    const bool cycles = scaleOf(changedGroup) == TimeScale::Cycles;
    if (cycles) {
        check(other, TimeScale::Cycles);
    } else if (scaleOf(other) == TimeScale::Cycles) {
        check(other, otherDefault);
    }
    showTarget();
    emit changed();
}

}  // namespace et::studio
