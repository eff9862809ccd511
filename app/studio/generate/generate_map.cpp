#include "app/studio/generate/generate_map.h"

#include "visualizers/generate/position_map.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QComboBox>
#include <QScrollArea>
#include <QToolBar>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace et::studio {

namespace {

/// Row granularity of the map: components of a module's path after its layer; -1: all.
struct Detail {
    int below;
    const char* title;
};
constexpr std::array details{Detail{0, "by layer"}, Detail{1, "by layer component"}, Detail{-1, "by module"}};

}  // namespace

GenerateMap::GenerateMap(const visualizers::OpenSession& session, visualizers::Selection& shared,
                         QWidget* parent)
    : QWidget(parent), opened(session), selection(shared), summing(this) {
    auto* const tools = new QToolBar(this);
    depth = new QComboBox(this);
    heat = new visualizers::PositionMap(this);
    depth->setObjectName(QStringLiteral("generateDepth"));
    depth->setAccessibleName(QStringLiteral("Rows of the map"));
    for (const Detail& each : details) {
        depth->addItem(QString::fromUtf8(each.title), each.below);
    }
    tools->addWidget(depth);
    QAction* const each =
        visualizers::keyedToggle(*this, QStringLiteral("Scale Colours per &Row"), QKeySequence(), false,
                                 [this](bool on) { heat->setByRow(on); });
    each->setToolTip(
        QStringLiteral("Each row has its own colour scale, which shows growth with the position"));
    tools->addAction(each);
    auto* const scrolled = new QScrollArea(this);
    scrolled->setWidget(heat);
    scrolled->setWidgetResizable(true);
    scrolled->setFrameShape(QFrame::NoFrame);
    visualizers::fillColumn(*this, {tools, scrolled});
    connect(depth, &QComboBox::currentIndexChanged, this, &GenerateMap::sumUp);
    connect(heat, &visualizers::PositionMap::cellChosen, this, &GenerateMap::chooseCell);
}

void GenerateMap::sumUp() {
    const auto session = opened.session();
    const auto blocks = session ? session->blocks : nullptr;
    if (!blocks) {
        summing.forget();
        heat->setTimes(
            nullptr, {},
            QStringLiteral("The time of each module at each position appears here when a trace is open"));
        return;
    }
    const int below = depth->currentData().toInt();
    const auto levels = below < 0 ? std::nullopt : inspector::events::BelowLayer(below);
    summing.start(
        [blocks, levels]() -> Times {
            return std::make_shared<inspector::events::PositionTimes>(
                inspector::events::positionTimes(*blocks, levels));
        },
        [this, blocks](const Times& times) {
            heat->setTimes(
                times, blocks->options().target,
                QStringLiteral(
                    "The open trace was not recorded by generate: it does not map executions to positions"));
            emit summedUp();
        });
}

void GenerateMap::chooseCell(std::size_t row, std::size_t call) {
    const auto& times = *heat->times();
    std::vector<visualizers::EventRef> events;
    for (const auto& [block, event] : times.rows[row].events) {
        events.push_back({.block = block, .event = event});
    }
    const auto first = events.empty() ? std::nullopt : std::optional(events.front());
    selection.setEvents(std::move(events), first);
    selection.setRange(
        visualizers::TickRange{.first = times.calls[call].first, .last = times.calls[call].last});
}

int GenerateMap::level() const {
    return depth->currentIndex();
}

void GenerateMap::setLevel(int index) {
    depth->setCurrentIndex(std::clamp(index, 0, depth->count() - 1));
}

}  // namespace et::studio
