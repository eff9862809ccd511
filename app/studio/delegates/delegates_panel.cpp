#include "app/studio/delegates/delegates_panel.h"

#include "visualizers/open_session.h"
#include "visualizers/toolkit/widgets.h"

#include <QLabel>
#include <QStackedLayout>

namespace et::studio {

using visualizers::Delegation;

DelegatesPanel::DelegatesPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      joining(this),
      delegates(new visualizers::DelegatesView(context.selection, this)) {
    QLabel* const nothing = visualizers::hintLabel("delegatesHint", this);
    nothing->setText(
        QStringLiteral("Open a program (.pte) or bundled program (.bpte) to see its delegates.\nAn ETRecord "
                       "adds Edge nodes, modules and Python lines; a trace adds times."));
    auto* const pages = new QStackedLayout(this);
    pages->addWidget(nothing);
    pages->addWidget(delegates);
    addActions(delegates->actions());
    setFocusProxy(delegates);
    connect(&opened, &visualizers::OpenSession::changed, this, [this, pages] {
        pages->setCurrentIndex(hasContent() ? 1 : 0);
        showSession();
    });
}

bool DelegatesPanel::hasContent() const {
    return opened.session() && opened.session()->program;
}

void DelegatesPanel::showSession() {
    delegates->setDelegation(nullptr);
    joining.forget();
    if (hasContent()) {
        joining.start(
            [session = opened.session()] { return Delegation::build(session); },
            [this](const std::shared_ptr<const Delegation>& joined) { delegates->setDelegation(joined); });
    }
}

}  // namespace et::studio
