#include "app/studio/flame/flame_panel.h"

#include "app/studio/key_figures.h"
#include "inspector/events/flame_tree.h"
#include "inspector/events/readable_name.h"
#include "runtime/core/event_names.h"
#include "visualizers/flame/flame_widget.h"
#include "visualizers/open_session.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/skeleton.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolBar>

#include <algorithm>
#include <cmath>
#include <compare>
#include <utility>
#include <vector>

namespace et::studio {

using inspector::events::FlameBy;
using inspector::events::FlameTree;
using visualizers::FlameScene;
using visualizers::toQString;

namespace {

constexpr int notCompared = -1;

/// Returns the tree of a block, with the times of the block of another trace with the same name and method.
FlameTree comparedTree(const inspector::EventBlocks& blocks, std::size_t block, FlameBy by,
                       const inspector::EventBlocks* before) {
    FlameTree tree = inspector::events::flameTree(blocks, inspector::events::eventRows(blocks), block, by);
    if (before == nullptr) {
        return tree;
    }
    const inspector::Block& of = blocks.blocks()[block];
    const auto others = before->blocks();
    const auto twin = std::ranges::find_if(others, [&](const inspector::Block& other) {
        return other.name == of.name &&
               (other.method == of.method || other.method.empty() || of.method.empty());
    });
    if (twin != others.end()) {
        const auto place = static_cast<std::size_t>(twin - others.begin());
        inspector::events::compareWith(
            tree, inspector::events::flameTree(*before, inspector::events::eventRows(*before), place, by));
    }
    return tree;
}

}  // namespace

FlamePanel::FlamePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      building(this),
      by(visualizers::choiceBox("flameBy", QStringLiteral("Grouping of operators"), this)),
      block(visualizers::choiceBox("flameBlock", QStringLiteral("Block of runs; its typical run is shown"),
                                   this)),
      before(visualizers::choiceBox(
          "flameBefore",
          QStringLiteral("Colour by change from another trace: slower (orange) or faster (blue)"), this)),
      search(new visualizers::FilterField("flameSearch", QStringLiteral("Highlight by name"), this)),
      widget(new visualizers::FlameWidget(context.selection, this)),
      path(visualizers::plainLabel("flamePath", this, {.margin = 4, .shrinks = true, .selectable = true})),
      skeleton(new visualizers::Skeleton(visualizers::Skeleton::Shape::Lanes, widget)) {
    visualizers::fillColumn(*this, {createTools(), path, widget});
    addActions(widget->actions());
    setFocusProxy(widget);
    connect(widget, &visualizers::FlameWidget::nodeChosen, this, &FlamePanel::showPath);
    connect(widget, &visualizers::FlameWidget::viewMoved, this, &Panel::viewChanged);
    connect(&opened, &visualizers::OpenSession::changed, this, &FlamePanel::showSession);
    showSession();
}

QWidget* FlamePanel::createTools() {
    auto* const tools = new QToolBar(this);
    by->addItem(QStringLiteral("By module"), QVariant::fromValue(static_cast<int>(FlameBy::Module)));
    by->addItem(QStringLiteral("By Python call"), QVariant::fromValue(static_cast<int>(FlameBy::Stack)));
    by->addItem(QStringLiteral("By delegate"), QVariant::fromValue(static_cast<int>(FlameBy::Delegate)));
    tools->addWidget(by);
    blockAction = tools->addWidget(block);
    beforeAction = tools->addWidget(before);
    upside = visualizers::keyedToggle(*this, QStringLiteral("&Root at the Bottom"), Qt::CTRL | Qt::Key_U,
                                      false, [this](bool below) { widget->setRootBelow(below); });
    tools->addAction(upside);
    tools->addWidget(search);
    for (QComboBox* const box : {by, block, before}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        connect(box, &QComboBox::currentIndexChanged, this, &FlamePanel::build);
    }
    connect(search, &QLineEdit::textChanged, widget, &visualizers::FlameWidget::setSearch);
    return tools;
}

bool FlamePanel::hasContent() const {
    return opened.blocks() != nullptr;
}

QByteArray FlamePanel::viewState() const {
    if (building.running()) {
        return wantedView;
    }
    return visualizers::packed(qint32(by->currentIndex()), widget->view().from(), widget->view().to());
}

void FlamePanel::restoreView(const QByteArray& state) {
    const auto read = visualizers::unpacked<qint32, double, double>(state);
    const auto [place, from, to] = read.value_or(std::tuple(-1, 0.0, 0.0));
    if (place < 0 || place >= by->count() || !std::isfinite(from) || !std::isfinite(to) || from >= to) {
        return;
    }
    by->setCurrentIndex(place);  // triggers building another tree
    if (building.running()) {
        wantedView = state;
    } else {
        widget->showTimes(from, to);
    }
}

QByteArray FlamePanel::saveState() const {
    return visualizers::packed(qint32(by->currentIndex()), upside->isChecked());
}

void FlamePanel::restoreState(const QByteArray& state) {
    const auto read = visualizers::unpacked<qint32, bool>(state);
    if (read && std::get<0>(*read) >= 0 && std::get<0>(*read) < by->count()) {
        by->setCurrentIndex(std::get<0>(*read));
        upside->setChecked(std::get<1>(*read));
    }
}

void FlamePanel::showSession() {
    const auto& session = opened.session();
    const auto blocks = session ? session->blocks : nullptr;
    if (blocks != shown) {
        shown = blocks;
        listBlocks();
    }
    listOthers();
    build();
}

/// Lists the blocks with times; the one with the longest time is shown first.
void FlamePanel::listBlocks() {
    const QSignalBlocker quiet(block);
    block->clear();
    if (!shown) {
        return;
    }
    // Approximate importance of a block: loading may take longer than a run, but happens once, so runs come
    // first.
    struct Weight {
        bool runs = false;
        double time = 0;
        auto operator<=>(const Weight&) const = default;
    };
    std::vector<Weight> weights;
    for (std::size_t i = 0; i < shown->blocks().size(); ++i) {
        const inspector::Block& of = shown->blocks()[i];
        Weight weight;
        for (const inspector::Event& event : of.events) {
            weight.runs = weight.runs || event.name == core::event_name::methodExecute;
            weight.time = std::max(weight.time, event.typical());
        }
        if (weight.time > 0) {
            const QString name = toQString(inspector::events::readableBlock(of));
            block->addItem(of.method.empty() ? name : name + QStringLiteral(" · ") + toQString(of.method),
                           static_cast<int>(i));
            weights.push_back(weight);
        }
    }
    const auto best = static_cast<int>(std::ranges::max_element(weights) - weights.begin());
    block->setCurrentIndex(weights.empty() ? -1 : best);
}

void FlamePanel::listOthers() {
    const QSignalBlocker quiet(before);
    const int known = before->count();
    const int place = before->currentIndex();
    before->clear();
    before->addItem(QStringLiteral("Colours: operators"), notCompared);
    const auto& session = opened.session();
    for (std::size_t i = 0; session && i < session->others.size(); ++i) {
        before->addItem(QStringLiteral("Colours: change from %1")
                            .arg(traceName(session->files, session->others[i].files.trace)),
                        static_cast<int>(i));
    }
    before->setCurrentIndex(before->count() == known ? place : before->count() - 1);
    beforeAction->setVisible(before->count() > 1);
    blockAction->setVisible(block->count() > 1);
}

void FlamePanel::build() {
    building.forget();
    skeleton->setWaiting(shown != nullptr && block->count() > 0);
    if (!shown || block->count() == 0) {
        widget->setScene(nullptr);
        return;
    }
    const int other = before->currentData().toInt();
    const auto& others = opened.session()->others;
    const auto compared = other >= 0 && static_cast<std::size_t>(other) < others.size()
                              ? others[static_cast<std::size_t>(other)].blocks
                              : nullptr;
    building.start(
        [blocks = shown, compared, place = static_cast<std::size_t>(block->currentData().toInt()),
         around = static_cast<FlameBy>(by->currentData().toInt())] {
            return std::make_shared<const FlameScene>(blocks,
                                                      comparedTree(*blocks, place, around, compared.get()));
        },
        [this](const Built& built) {
            skeleton->setWaiting(false);
            widget->setScene(built);
            if (!wantedView.isEmpty()) {
                restoreView(std::exchange(wantedView, {}));
            }
        });
}

void FlamePanel::showPath() {
    const auto node = widget->chosenNode();
    path->setText(
        node ? visualizers::flameText(*widget->content(), *node)
             : QStringLiteral("Click a bar to select its operators · double-click zooms · Space shows all"));
}

}  // namespace et::studio
