#include "app/studio/overview/overview_panel.h"

#include "app/studio/overview/finding_actions.h"
#include "app/studio/panel_command.h"
#include "visualizers/open_session.h"
#include "visualizers/overview/dashboard_view.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QStringList>

#include <span>

namespace et::studio {

using visualizers::DashboardView;
using visualizers::FindingCount;
using visualizers::Overview;

namespace {

QString actionText(std::string_view rule) {
    const FindingAction* const action = actionOf(rule);
    return action == nullptr ? QString() : QString::fromUtf8(action->text);
}

}  // namespace

OverviewPanel::OverviewPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      results(context.results),
      enter(context.enter),
      promptForFiles(context.promptForFiles),
      describing(this),
      view(new DashboardView(actionText, this)) {
    visualizers::fillColumn(*this, {view});
    setFocusProxy(view);
    addCommand(*this, QStringLiteral("Copy as &Markdown"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M),
               &OverviewPanel::copy);
    connectView();
    connect(&opened, &visualizers::OpenSession::changed, this, &OverviewPanel::showSession);
    connect(&results, &visualizers::Results::verdictsChanged, this, &OverviewPanel::showSession);
    showSession();
}

void OverviewPanel::connectView() {
    connect(view, &DashboardView::findingChosen, this, [this](std::size_t finding) {
        select(finding);
        chosen.reveal();
    });
    connect(view, &DashboardView::findingActed, this, &OverviewPanel::act);
    connect(view, &DashboardView::instructionChosen, this,
            [this](const std::string& method, core::InstructionId instruction) {
                chosen.setOperator({.method = method, .instruction = instruction});
            });
    // "findings:all" rebuilds the view, which must not happen inside the signal of its label.
    connect(view, &DashboardView::linkFollowed, this, &OverviewPanel::follow, Qt::QueuedConnection);
}

bool OverviewPanel::hasContent() const {
    return opened.session() != nullptr;
}

QString OverviewPanel::plainText() const {
    return view->plainText();
}

void OverviewPanel::showSession() {
    describing.forget();
    view->clear();
    overview = {};
    if (hasContent()) {
        describe(FindingCount::Five);
    }
}

void OverviewPanel::describe(FindingCount count) {
    describing.start(
        [session = opened.session(), verdicts = results.verdicts(), count] {
            using Verdicts = std::span<const bundled_program::CaseReport>;
            return visualizers::makeOverview(*session, verdicts == nullptr ? Verdicts() : Verdicts(*verdicts),
                                             count);
        },
        [this](const Overview& made) { showOverview(made); });
}

void OverviewPanel::showOverview(const Overview& made) {
    overview = made;
    view->show(overview);
}

void OverviewPanel::select(std::size_t place) {
    if (place >= overview.findings.size()) {
        return;
    }
    const inspector::Finding& finding = overview.findings[place];
    if (!finding.instructions.empty()) {
        chosen.setOperator({.method = finding.method, .instruction = finding.instructions.front()});
    } else if (!finding.handles.empty()) {
        chosen.setHandles(finding.method, finding.handles);
    }
}

void OverviewPanel::act(std::size_t place) {
    if (place >= overview.findings.size()) {
        return;
    }
    select(place);
    if (const FindingAction* const action = actionOf(overview.findings[place].rule)) {
        enter(action->panel);
    }
}

/// "findings:all", "open:files", "panel:run", "event:BLOCK:EVENT".
void OverviewPanel::follow(const QString& link) {
    const QStringList parts = link.split(u':');
    if (link == QStringLiteral("findings:all")) {
        describe(FindingCount::All);
    } else if (link == QStringLiteral("open:files")) {
        promptForFiles();
    } else if (parts.size() == 2 && parts[0] == QStringLiteral("panel")) {
        enter(parts[1].toStdString());
    } else if (parts.size() == 3 && parts[0] == QStringLiteral("event")) {
        chosen.setCurrent(
            visualizers::EventRef{.block = parts[1].toULongLong(), .event = parts[2].toULongLong()});
        chosen.reveal();
    }
}

void OverviewPanel::copy() const {
    QApplication::clipboard()->setText(toMarkdown(overview.sections));
}

}  // namespace et::studio
