#include "app/studio/delegates/delegates_panel.h"

#include "visualizers/open_session.h"

#include <QLabel>
#include <QStackedLayout>

namespace et::studio {

using visualizers::Delegation;

DelegatesPanel::DelegatesPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      joining(this),
      delegates(new visualizers::DelegatesView(context.selection, this)) {
    auto* const nothing = new QLabel(
        QStringLiteral("Open a program (.pte) or bundled program (.bpte) to see its delegates.\nAn ETRecord "
                       "adds Edge nodes, modules and Python lines; a trace adds times."),
        this);
    nothing->setObjectName(QStringLiteral("delegatesHint"));
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setWordWrap(true);
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

void DelegatesPanel::find() {
    delegates->focusFilter();
}

QByteArray DelegatesPanel::saveState() const {
    return delegates->saveState();
}

void DelegatesPanel::restoreState(const QByteArray& state) {
    delegates->restoreState(state);
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
