#include "app/studio/appearance_menu.h"

#include "app/studio/appearance.h"

#include <QActionGroup>
#include <QMenu>
#include <QSettings>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

const QString appearanceKey = QStringLiteral("window/appearance");

struct AppearanceInfo {
    Appearance appearance;
    const char* name;  ///< untranslated
    const char* id;
};
constexpr std::array appearances{
    AppearanceInfo{Appearance::System, "System", "system"},
    AppearanceInfo{Appearance::Light, "Light", "light"},
    AppearanceInfo{Appearance::Dark, "Dark", "dark"},
};

}  // namespace

void addAppearances(QMenu& menu, QSettings& settings) {
    auto* const group = new QActionGroup(&menu);
    const QString stored = settings.value(appearanceKey).toString();
    const bool known = std::ranges::any_of(
        appearances, [&](const AppearanceInfo& info) { return stored == QLatin1String(info.id); });
    const QString now = known ? stored : QLatin1String(appearances.front().id);
    for (const AppearanceInfo& info : appearances) {
        QAction* const action = menu.addAction(QString::fromUtf8(info.name));
        action->setCheckable(true);
        action->setChecked(now == QLatin1String(info.id));
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, &menu, [&settings, &info] {
            apply(info.appearance);
            settings.setValue(appearanceKey, QLatin1String(info.id));
        });
        if (action->isChecked() && info.appearance != Appearance::System) {
            apply(info.appearance);
        }
    }
}

}  // namespace et::studio
