#include "app/studio/memory/memory_panel.h"

#include "app/studio/file_dialog.h"
#include "app/studio/job_request.h"
#include "app/studio/panel_command.h"
#include "app/studio/panel_export.h"
#include "app/studio/start_command.h"
#include "inspector/memory/allocation_trace.h"
#include "visualizers/memory/memory_tools.h"
#include "visualizers/memory/plan_widget.h"
#include "visualizers/open_session.h"
#include "visualizers/toolkit/skeleton.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QDataStream>
#include <QFile>
#include <QIODevice>
#include <QLabel>
#include <QStackedLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace et::studio {

using visualizers::MemoryPlans;
using visualizers::OtherPlans;

namespace {

const QString traceFolderKey = QStringLiteral("memory/traceFolder");

OtherPlans computeOtherPlans(const inspector::MemoryTimeline& timeline) {
    OtherPlans out;
    for (const inspector::PlanChoice& choice : inspector::planChoices()) {
        auto planned = inspector::planAgain(timeline, choice.strategy, choice.alignment);
        if (!planned) {
            return {.problem = visualizers::toQString(planned.error().toString())};
        }
        out.plans.push_back(std::move(*planned));
    }
    return out;
}

}  // namespace

MemoryPanel::MemoryPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      looking(this),
      planning(this),
      fix(context.fix),
      memory(new visualizers::MemoryView(context.opened, context.selection, context.debugger, this)),
      writeAction(addCommand(*this, QStringLiteral("&Write This Plan…"), {}, &MemoryPanel::writePlan)),
      traceAction(
          addCommand(*this, QStringLiteral("Save as &Chrome Trace…"), {}, &MemoryPanel::promptAndSaveTrace)),
      store(context.settings),
      skeleton(new visualizers::Skeleton(visualizers::Skeleton::Shape::Lanes, &memory->picture())) {
    writeAction->setToolTip(
        QStringLiteral("Write a program with the shown plan, or with the best plan found"));
    writeAction->setEnabled(false);
    traceAction->setToolTip(
        QStringLiteral("Save the live tensors of each instruction for chrome://tracing or Perfetto"));
    traceAction->setEnabled(false);
    addMore(memory->toolBar(), {writeAction, traceAction});
    QLabel* const nothing = visualizers::hintLabel("memoryHint", this);
    nothing->setText(
        QStringLiteral("Open a program (.pte) or bundled program (.bpte) to see its memory plan."));
    auto* const pages = new QStackedLayout(this);
    pages->addWidget(nothing);
    pages->addWidget(memory);
    addActions(memory->actions());
    setFocusProxy(memory);
    connect(&memory->picture(), &visualizers::PlanWidget::viewMoved, this, &Panel::viewChanged);
    connect(&opened, &visualizers::OpenSession::changed, this, [this, pages] {
        pages->setCurrentIndex(hasContent() ? 1 : 0);
        writeAction->setEnabled(fixRequest(JobKind::Replan, opened.session().get()).has_value());
        showSession();
    });
}

bool MemoryPanel::hasContent() const {
    return opened.session() && opened.session()->program;
}

void MemoryPanel::find() {
    memory->toolBar().focusFilter();
}

QByteArray MemoryPanel::saveState() const {
    return memory->saveState();
}

void MemoryPanel::restoreState(const QByteArray& state) {
    memory->restoreState(state);
}

QByteArray MemoryPanel::viewState() const {
    const auto place = memory->place();
    if (looking.running() || !place) {
        return wantedView;
    }
    const visualizers::PlanWindow& window = place->window;
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << place->method << place->arena << place->plan << window.axis.isTime() << window.x.from()
           << window.x.to() << window.y.from() << window.y.to();
    return state;
}

void MemoryPanel::restoreView(const QByteArray& state) {
    if (looking.running()) {
        wantedView = state;
        return;
    }
    visualizers::MemoryViewState place;
    bool isTime = false;
    std::array<double, 4> sides{};  // left, right, bottom, top
    QDataStream stream(state);
    stream >> place.method >> place.arena >> place.plan >> isTime >> sides[0] >> sides[1] >> sides[2] >>
        sides[3];
    const bool sound = stream.status() == QDataStream::Ok && sides[0] < sides[1] && sides[2] < sides[3] &&
                       std::ranges::all_of(sides, [](double side) { return std::isfinite(side); });
    if (const auto now = memory->place(); sound && now) {
        place.window = now->window;
        memory->showPlace(place);
        if (now->window.axis.isTime() == isTime) {
            memory->picture().showPart(sides[0], sides[1], sides[2], sides[3]);
        }
    }
}

void MemoryPanel::showSession() {
    planning.forget();
    saveViewState();
    looking.forget();
    memory->setPlans({});
    traceAction->setEnabled(false);
    skeleton->setWaiting(hasContent());
    if (hasContent()) {
        looking.start([session = opened.session()] { return MemoryPlans::build(session); },
                      [this](const MemoryPlans& plans) {
                          skeleton->setWaiting(false);
                          memory->setPlans(plans);
                          traceAction->setEnabled(memory->plan() != nullptr);
                          if (const auto place = std::exchange(kept, std::nullopt)) {
                              memory->showPlace(*place);
                          }
                          if (!wantedView.isEmpty()) {
                              restoreView(std::exchange(wantedView, {}));
                          }
                          planAgain(plans);
                      });
    }
}

// Keeps the view when the program is reloaded.
void MemoryPanel::saveViewState() {
    std::filesystem::path now;
    if (hasContent()) {
        const inspector::SessionFiles& files = opened.session()->files;
        now = files.program.empty() ? files.bundle : files.program;
    }
    if (now.empty() || now != file) {
        kept.reset();
    } else if (!looking.running()) {
        kept = memory->place();
    }
    file = now;
}

// Replaces the program's own plan by the best one found.
void MemoryPanel::writePlan() {
    if (auto request = fixRequest(JobKind::Replan, opened.session().get())) {
        if (const inspector::AlternativePlan* const other = memory->otherPlan()) {
            request->options = {{QStringLiteral("--algorithm"),
                                 visualizers::toQString(inspector::strategyName(other->strategy))},
                                {QStringLiteral("--alignment"), QString::number(other->alignment)}};
        }
        fix(*request);
    }
}

void MemoryPanel::promptAndSaveTrace() {
    chooseFileToSave(this, store,
                     {.title = QStringLiteral("Save Live Tensors"),
                      .filters = QStringLiteral("Chrome trace (*.json)"),
                      .folderKey = traceFolderKey,
                      .suffix = QStringLiteral("json"),
                      .objectName = QStringLiteral("memoryTrace"),
                      .receiver = this},
                     [this](const std::filesystem::path& to) {
                         if (const QString problem = saveTrace(QFile::decodeName(to.c_str()));
                             !problem.isEmpty()) {
                             emit noticed(problem);
                         }
                     });
}

QString MemoryPanel::saveTrace(const QString& to) const {
    const auto plan = memory->plan();
    if (plan == nullptr) {
        return QStringLiteral("no memory plan to save");
    }
    const std::array views{plan->view()};
    const auto trace = inspector::allocationTrace(views, inspector::AllocationPlace::Stacked);
    return trace ? writeContent(to, QByteArray::fromStdString(*trace))
                 : visualizers::toQString(trace.error().toString());
}

// Slow for many tensors, so the picture is shown first.
void MemoryPanel::planAgain(const MemoryPlans& plans) {
    planning.start(
        [methods = plans.methods] {
            std::vector<OtherPlans> out;
            for (const auto& method : methods) {
                out.push_back(computeOtherPlans(method->timeline));
            }
            return out;
        },
        [this](const std::vector<OtherPlans>& out) { memory->setOtherPlans(out); });
}

}  // namespace et::studio
