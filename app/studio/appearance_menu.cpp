#include "app/studio/appearance_menu.h"

#include "app/studio/appearance.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QSettings>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

const QString appearanceKey = QStringLiteral("window/appearance");

struct AppearanceFacts {
    Appearance appearance;
    const char* name;  ///< untranslated
    const char* id;
};
constexpr std::array appearances{
    AppearanceFacts{Appearance::System, QT_TRANSLATE_NOOP("appearance", "As the Desktop"), "system"},
    AppearanceFacts{Appearance::Light, QT_TRANSLATE_NOOP("appearance", "Light"), "light"},
    AppearanceFacts{Appearance::Dark, QT_TRANSLATE_NOOP("appearance", "Dark"), "dark"},
};

}  // namespace

void addAppearances(QMenu& menu, QSettings& settings) {
    auto* const group = new QActionGroup(&menu);
    const QString stored = settings.value(appearanceKey).toString();
    const bool known = std::ranges::any_of(
        appearances, [&](const AppearanceFacts& facts) { return stored == QLatin1String(facts.id); });
    const QString now = known ? stored : QLatin1String(appearances.front().id);
    for (const AppearanceFacts& facts : appearances) {
        QAction* const action = menu.addAction(QCoreApplication::translate("appearance", facts.name));
        action->setCheckable(true);
        action->setChecked(now == QLatin1String(facts.id));
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, &menu, [&settings, &facts] {
            apply(facts.appearance);
            settings.setValue(appearanceKey, QLatin1String(facts.id));
        });
        if (action->isChecked() && facts.appearance != Appearance::System) {
            apply(facts.appearance);
        }
    }
}

}  // namespace et::studio
