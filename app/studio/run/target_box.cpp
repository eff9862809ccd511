#include "app/studio/run/target_box.h"

#include "app/devices/target_file.h"
#include "visualizers/toolkit/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace et::studio {

TargetBox::TargetBox(QWidget* parent) : QWidget(parent), box(new QComboBox(this)) {
    box->setObjectName(QStringLiteral("runTarget"));
    box->setAccessibleName(QStringLiteral("Target"));
    auto* const edit = new QToolButton(this);
    edit->setObjectName(QStringLiteral("runTargets"));
    edit->setText(QStringLiteral("…"));
    edit->setToolTip(QStringLiteral("Add, test or remove targets"));
    edit->setAccessibleName(edit->toolTip());
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(box, 1);
    layout->addWidget(edit);
    setFocusProxy(box);
    connect(edit, &QToolButton::clicked, this, &TargetBox::editWanted);
    connect(box, &QComboBox::currentIndexChanged, this, &TargetBox::changed);
    reload();
}

void TargetBox::reload() {
    const QString before = target();
    {
        const QSignalBlocker quiet(box);
        box->clear();
        box->addItem(QStringLiteral("this machine"), QString());
        const auto path = devices::targetFile();
        const auto targets = path ? devices::readTargets(*path) : std::unexpected(path.error());
        for (const devices::Target& each : targets.value_or(std::vector<devices::Target>())) {
            const QString name = visualizers::toQString(each.name);
            box->addItem(name, name);
            box->setItemData(box->count() - 1, visualizers::toQString(each.address), Qt::ToolTipRole);
        }
        box->setToolTip(targets ? QStringLiteral("Where the model runs: this machine, or a device")
                                : visualizers::toQString(targets.error().toString()));
        box->setCurrentIndex(std::max(box->findData(before), 0));
    }
    if (target() != before) {
        emit changed();
    }
}

QString TargetBox::target() const {
    return box->currentData().toString();
}

void TargetBox::choose(const QString& name) {
    box->setCurrentIndex(std::max(box->findData(name), 0));
}

}  // namespace et::studio
