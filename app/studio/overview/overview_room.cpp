#include "app/studio/overview/overview_room.h"

#include "visualizers/overview/overview.h"
#include "visualizers/selection.h"

#include <QTextBrowser>
#include <QVBoxLayout>

namespace et::studio {

namespace {

constexpr double textMargin = 16;
const QString textStyle = QStringLiteral("h3 { margin-top: 14px; margin-bottom: 4px; }");

}  // namespace

OverviewRoom::OverviewRoom(const RoomContext& context, QWidget* parent)
    : Room(parent), chosen(context.selection), describing(this), text(new QTextBrowser(this)) {
    text->setObjectName(QStringLiteral("overview"));
    text->setOpenLinks(false);
    text->setFrameShape(QFrame::NoFrame);
    text->document()->setDefaultStyleSheet(textStyle);
    text->document()->setDocumentMargin(textMargin);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(text);
    setFocusProxy(text);
    connect(&chosen, &visualizers::Selection::sessionChanged, this, &OverviewRoom::showSession);
    showSession();
}

bool OverviewRoom::hasContent() const {
    return chosen.session() != nullptr;
}

QString OverviewRoom::plainText() const {
    return text->toPlainText();
}

void OverviewRoom::showSession() {
    describing.forget();
    text->clear();
    if (hasContent()) {
        describing.start([session = chosen.session()] { return toHtml(visualizers::overviewOf(*session)); },
                         [this](const QString& html) { text->setHtml(html); });
    }
}

}  // namespace et::studio
