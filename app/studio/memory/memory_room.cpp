#include "app/studio/memory/memory_room.h"

#include "app/studio/fix_request.h"
#include "app/studio/room_command.h"
#include "visualizers/memory/memory_tools.h"
#include "visualizers/open_session.h"
#include "visualizers/toolkit/text.h"

#include <QLabel>
#include <QStackedLayout>

#include <utility>

namespace et::studio {

using visualizers::MemoryPlans;
using visualizers::OtherPlans;

namespace {

OtherPlans otherPlansOf(const inspector::MemoryTimeline& timeline) {
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

MemoryRoom::MemoryRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
      opened(context.opened),
      looking(this),
      planning(this),
      fix(context.fix),
      memory(new visualizers::MemoryView(context.opened, context.selection, this)),
      writeAction(addCommand(*this, tr("&Write This Plan…"), {}, &MemoryRoom::writePlan)) {
    writeAction->setToolTip(
        tr("Write a program with the plan that is shown, or with the best that is found"));
    writeAction->setEnabled(false);
    memory->toolBar().addAction(writeAction);
    auto* const nothing =
        new QLabel(tr("Open a program (.pte) or bundled program (.bpte) to see its memory plan."), this);
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setWordWrap(true);
    nothing->setObjectName(QStringLiteral("memoryHint"));
    auto* const pages = new QStackedLayout(this);
    pages->addWidget(nothing);
    pages->addWidget(memory);
    addActions(memory->actions());
    setFocusProxy(memory);
    connect(&opened, &visualizers::OpenSession::changed, this, [this, pages] {
        pages->setCurrentIndex(hasContent() ? 1 : 0);
        writeAction->setEnabled(fixRequest(FixKind::Replan, opened.session().get()).has_value());
        showSession();
    });
}

bool MemoryRoom::hasContent() const {
    return opened.session() && opened.session()->program;
}

void MemoryRoom::find() {
    memory->focusFilter();
}

QByteArray MemoryRoom::saveState() const {
    return memory->saveState();
}

void MemoryRoom::restoreState(const QByteArray& state) {
    memory->restoreState(state);
}

void MemoryRoom::showSession() {
    planning.forget();
    keepPlace();
    looking.forget();
    memory->setPlans({});
    if (hasContent()) {
        looking.start([session = opened.session()] { return MemoryPlans::build(session); },
                      [this](const MemoryPlans& plans) {
                          memory->setPlans(plans);
                          if (const auto place = std::exchange(kept, std::nullopt)) {
                              memory->showPlace(*place);
                          }
                          planAgain(plans);
                      });
    }
}

// A program that is read again is looked at where it was.
void MemoryRoom::keepPlace() {
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

// Instead of the program's own plan, the best that is found.
void MemoryRoom::writePlan() {
    if (auto request = fixRequest(FixKind::Replan, opened.session().get())) {
        if (const inspector::WhatIf* const other = memory->otherPlan()) {
            request->algorithm = visualizers::toQString(inspector::strategyName(other->strategy));
            request->alignment = static_cast<qint64>(other->alignment);
        }
        fix(*request);
    }
}

// Of many tensors it takes a while, which the picture does not wait for.
void MemoryRoom::planAgain(const MemoryPlans& plans) {
    planning.start(
        [methods = plans.methods] {
            std::vector<OtherPlans> out;
            for (const auto& method : methods) {
                out.push_back(otherPlansOf(method->timeline));
            }
            return out;
        },
        [this](const std::vector<OtherPlans>& out) { memory->setOtherPlans(out); });
}

}  // namespace et::studio
