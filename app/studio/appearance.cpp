#include "app/studio/appearance.h"

#include "app/studio/icons.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QPalette>
#include <QProxyStyle>
#include <QSettings>
#include <QStyle>
#include <QToolButton>

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

struct Colours {
    QRgb window, base, alternate, text, mid, light, highlight, highlightedText, link;
};
constexpr Colours light{0xffeff0f2, 0xffffffff, 0xfff6f7f9, 0xff1d2129, 0xffc3c7cf,
                        0xffffffff, 0xff2f6fd0, 0xffffffff, 0xff1f5fbf};
constexpr Colours dark{0xff2a2c30, 0xff1e2023, 0xff24262a, 0xffe6e7ea, 0xff4b4f57,
                       0xff45484f, 0xff2c5fb8, 0xffffffff, 0xff7aa9f5};

QPalette makePalette(const Colours& colours) {
    QPalette palette{QColor(colours.window)};
    const QColor text(colours.text);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        palette.setColor(role, text);
    }
    palette.setColor(QPalette::Base, colours.base);
    palette.setColor(QPalette::AlternateBase, colours.alternate);
    palette.setColor(QPalette::ToolTipBase, colours.alternate);
    palette.setColor(QPalette::Mid, colours.mid);
    palette.setColor(QPalette::Light, colours.light);
    palette.setColor(QPalette::Highlight, colours.highlight);
    palette.setColor(QPalette::HighlightedText, colours.highlightedText);
    palette.setColor(QPalette::Link, colours.link);
    QColor faint = text;
    faint.setAlpha(0xb0);  // legible: contrast of 4.5 to 1
    palette.setColor(QPalette::PlaceholderText, faint);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, faint);
    }
    return palette;
}

/// Fusion, with icons on the title bars of docks that are visible on any background: Fusion's own are dark.
class StudioStyle : public QProxyStyle {
  public:
    StudioStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

    /// Keeps the icon of a tool bar's overflow button, which does not follow the palette.
    void polish(QWidget* widget) override {
        QProxyStyle::polish(widget);
        if (auto* const button = qobject_cast<QToolButton*>(widget);
            button != nullptr && button->objectName() == QStringLiteral("qt_toolbar_ext_button")) {
            button->setIcon(icon("more"));
        }
    }
    using QProxyStyle::polish;

    [[nodiscard]] QIcon standardIcon(StandardPixmap which, const QStyleOption* option,
                                     const QWidget* widget) const override {
        switch (which) {
            case SP_ToolBarHorizontalExtensionButton:
                return icon("more");
            case SP_TitleBarNormalButton:
                return icon("float");
            case SP_TitleBarCloseButton:
            case SP_DockWidgetCloseButton:
                return icon("close");
            default:
                return QProxyStyle::standardIcon(which, option, widget);
        }
    }
};

/// Name of the desktop's style, recorded before the first change.
const QString& systemStyle() {
    static const QString name = QApplication::style()->name();
    return name;
}

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

void apply(Appearance appearance) {
    const QString& system = systemStyle();
    const bool ours = appearance != Appearance::System;
    if (ours) {
        QApplication::setStyle(new StudioStyle);
    } else {
        QApplication::setStyle(system);
    }
    QApplication::setPalette(ours ? makePalette(appearance == Appearance::Dark ? dark : light) : QPalette());
}

}  // namespace et::studio
