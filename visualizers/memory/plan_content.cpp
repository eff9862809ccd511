#include "visualizers/memory/plan_content.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace et::visualizers {

using inspector::PlanBox;
using inspector::Step;

PlanContent::PlanContent(std::shared_ptr<const MemoryPlan> shown, std::size_t arenaAt,
                         std::span<const std::uint64_t> offsets)
    : plan(shown && arenaAt < shown->timeline.arenas.size() ? std::move(shown) : nullptr), at(arenaAt) {
    if (!plan) {
        return;
    }
    bySize = planBoxes(plan->timeline, arena(), offsets);
    byTime.resize(bySize.size());
    std::iota(byTime.begin(), byTime.end(), std::size_t{0});
    std::ranges::sort(byTime, {},
                      [this](std::size_t i) { return std::tuple(bySize[i].first, bySize[i].offset); });
    bytes = planExtent(arena(), bySize);
}

const PlanBox* PlanContent::boxOf(std::optional<std::size_t> tensor) const {
    const auto found = tensor ? std::ranges::find(bySize, *tensor, &PlanBox::tensor) : bySize.end();
    return found == bySize.end() ? nullptr : &*found;
}

// Of overlapping boxes, returns the smallest, which is painted last.
const PlanBox* PlanContent::boxAt(const PlanWindow& window, const QPointF& place) const {
    const auto found = std::find_if(bySize.rbegin(), bySize.rend(),
                                    [&](const PlanBox& box) { return window.rectOf(box).contains(place); });
    return found == bySize.rend() ? nullptr : &*found;
}

const PlanBox* PlanContent::beside(std::optional<std::size_t> tensor, int by) const {
    if (bySize.empty()) {
        return nullptr;
    }
    const auto count = static_cast<std::ptrdiff_t>(byTime.size());
    const auto now = std::ranges::find_if(byTime, [&](std::size_t i) { return bySize[i].tensor == tensor; });
    const std::ptrdiff_t next = now == byTime.end()
                                    ? (by > 0 ? 0 : count - 1)
                                    : std::clamp<std::ptrdiff_t>(now - byTime.begin() + by, 0, count - 1);
    return &bySize[byTime[static_cast<std::size_t>(next)]];
}

QString PlanContent::tipOf(const PlanBox& box) const {
    return toQStringLines(describe(plan->timeline.tensors[box.tensor], plan->view()));
}

QString PlanContent::tipOf(Step step) const {
    const auto live = arena().liveBytes[static_cast<std::size_t>(step + 1)];
    QString text = QStringLiteral("%1 alive %2")
                       .arg(QString::fromStdString(inspector::format::readableBytes(live)),
                            toQString(inspector::stepText(plan->timeline, step)));
    const auto name = static_cast<std::size_t>(std::max<Step>(step, 0));
    if (step >= 0 && name < plan->timeline.stepNames.size()) {
        text += u'\n' + toQString(plan->timeline.stepNames[name]);
    }
    return text;
}

}  // namespace et::visualizers
