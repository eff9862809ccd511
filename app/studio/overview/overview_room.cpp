#include "app/studio/overview/overview_room.h"

#include "visualizers/open_session.h"
#include "visualizers/selection.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace et::studio {

using visualizers::FindingCount;
using visualizers::Overview;

namespace {

constexpr double textMargin = 16;
const QString textStyle = QStringLiteral(
    "h3 { margin-top: 14px; margin-bottom: 4px; } td.label { white-space: nowrap; }"
    " div.detail { font-size: small; color: gray; }");

}  // namespace

OverviewRoom::OverviewRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
      opened(context.opened),
      chosen(context.selection),
      describing(this),
      text(new QTextBrowser(this)) {
    text->setObjectName(QStringLiteral("overview"));
    text->setOpenLinks(false);
    text->setFrameShape(QFrame::NoFrame);
    text->document()->setDefaultStyleSheet(textStyle);
    text->document()->setDocumentMargin(textMargin);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(text);
    setFocusProxy(text);
    auto* const copyAction = new QAction(tr("Copy as &Markdown"), this);
    copyAction->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M));
    copyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copyAction, &QAction::triggered, this, &OverviewRoom::copy);
    addAction(copyAction);
    connect(text, &QTextBrowser::anchorClicked, this, &OverviewRoom::follow);
    connect(&opened, &visualizers::OpenSession::changed, this, &OverviewRoom::showSession);
    showSession();
}

bool OverviewRoom::hasContent() const {
    return opened.session() != nullptr;
}

QString OverviewRoom::plainText() const {
    return text->toPlainText();
}

void OverviewRoom::showSession() {
    describing.forget();
    text->clear();
    overview = {};
    if (hasContent()) {
        describe(FindingCount::Five);
    }
}

void OverviewRoom::describe(FindingCount count) {
    describing.start([session = opened.session(), count] { return visualizers::overviewOf(*session, count); },
                     [this](const Overview& made) { showOverview(made); });
}

void OverviewRoom::showOverview(const Overview& made) {
    overview = made;
    text->setHtml(toHtml(overview.sections));
}

void OverviewRoom::follow(const QUrl& link) {
    if (link.scheme() == QStringLiteral("findings")) {
        describe(FindingCount::All);
        return;
    }
    bool known = false;
    const auto place = link.path().toULongLong(&known);
    if (link.scheme() != QStringLiteral("finding") || !known || place >= overview.findings.size()) {
        return;
    }
    const inspector::Finding& finding = overview.findings[place];
    if (!finding.instructions.empty()) {
        chosen.setOperator({.method = finding.method, .instruction = finding.instructions.front()});
    } else {
        chosen.setHandles(finding.method, finding.handles);
    }
    chosen.reveal();
}

void OverviewRoom::copy() const {
    QApplication::clipboard()->setText(toMarkdown(overview.sections));
}

}  // namespace et::studio
