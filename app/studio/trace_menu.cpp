#include "app/studio/trace_menu.h"

#include "app/studio/key_figures.h"
#include "visualizers/toolkit/text.h"

#include <QActionGroup>

namespace et::studio {

namespace {

/// Escapes ampersands, which would be mnemonics in a menu.
QString titleOf(const inspector::SessionFiles& files, const std::filesystem::path& trace) {
    return traceName(files, trace).replace(u'&', QStringLiteral("&&"));
}

}  // namespace

TraceMenu::TraceMenu(QWidget* parent) : QMenu(QStringLiteral("&Traces"), parent) {
    setToolTipsVisible(true);
    setEnabled(false);
}

void TraceMenu::setFiles(const inspector::SessionFiles& files) {
    clear();
    setEnabled(!files.trace.empty());
    if (files.trace.empty()) {
        return;
    }
    auto* const group = new QActionGroup(this);
    const auto add = [&](const std::filesystem::path& path, bool main) {
        QAction* const action = addAction(titleOf(files, path));
        action->setToolTip(visualizers::toQString(path.string()));
        action->setCheckable(true);
        action->setChecked(main);
        group->addAction(action);
        return action;
    };
    add(files.trace, true);
    for (std::size_t i = 0; i < files.others.size(); ++i) {
        connect(add(files.others[i].trace, false), &QAction::triggered, this,
                [this, i] { emit mainChosen(i); });
    }
    addSeparator();
    QAction* const close = addAction(QStringLiteral("&Close Other Traces"), this, &TraceMenu::closeOthers);
    close->setEnabled(!files.others.empty());
}

}  // namespace et::studio
