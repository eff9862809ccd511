#include "app/studio/breadcrumb.h"

#include "inspector/events/flame_tree.h"
#include "inspector/events/readable_name.h"
#include "inspector/events/typical_run.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/text.h"

#include <QEvent>
#include <QStringList>

#include <algorithm>
#include <ranges>

namespace et::studio {

using inspector::events::FlameTree;
using visualizers::FlameScene;
using visualizers::toQString;

namespace {

const QString separator = QStringLiteral(" › ");
const QString leftOut = QStringLiteral("…");
constexpr int crumbMargin = 6;

/// Returns the deepest common ancestor of two nodes.
std::size_t commonNode(const FlameTree& tree, std::size_t a, std::size_t b) {
    while (a != b) {
        std::size_t& deeper = tree.nodes[a].depth >= tree.nodes[b].depth ? a : b;
        deeper = tree.nodes[deeper].parent.value_or(0);
    }
    return a;
}

}  // namespace

Breadcrumb::Breadcrumb(const visualizers::OpenSession& session, visualizers::Selection& selection,
                       QWidget* parent)
    : QLabel(parent), opened(session), chosen(selection), building(this) {
    setObjectName(QStringLiteral("breadcrumb"));
    setAccessibleName(QStringLiteral("Path to the selection"));
    setTextFormat(Qt::RichText);
    setMargin(crumbMargin);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setFocusPolicy(Qt::TabFocus);
    connect(this, &QLabel::linkActivated, this, &Breadcrumb::follow);
    connect(&opened, &visualizers::OpenSession::changed, this, &Breadcrumb::build);
    connect(&chosen, &visualizers::Selection::currentChanged, this, &Breadcrumb::showChoice);
    connect(&chosen, &visualizers::Selection::eventsChanged, this, &Breadcrumb::showChoice);
}

void Breadcrumb::build() {
    const auto blocks = opened.session() ? opened.session()->blocks : nullptr;
    if (blocks == shown) {
        showChoice();
        return;
    }
    shown = blocks;
    scene = nullptr;
    building.forget();
    if (blocks) {
        building.start(
            [blocks]() -> Scene {
                const auto rows = inspector::events::eventRows(*blocks);
                const auto block = inspector::events::busiestBlock(rows);
                return block
                           ? std::make_shared<const FlameScene>(
                                 blocks, flameTree(*blocks, rows, *block, inspector::events::FlameBy::Module))
                           : nullptr;
            },
            [this](const Scene& made) {
                scene = made;
                showChoice();
            });
    }
    showChoice();
}

/// Returns the deepest node that contains all selected events; nothing if an event is in none.
std::optional<std::size_t> Breadcrumb::chosenNode() const {
    if (scene == nullptr || chosen.events().empty()) {
        return std::nullopt;
    }
    std::optional<std::size_t> common;
    for (const visualizers::EventRef& event : chosen.events()) {
        const auto node = scene->nodeOf(event);
        if (!node) {
            return std::nullopt;
        }
        common = common ? commonNode(scene->tree(), *common, *node) : *node;
    }
    return common;
}

std::vector<Breadcrumb::Crumb> Breadcrumb::crumbsOfChoice() const {
    std::vector<Crumb> way;
    if (const auto node = chosenNode()) {
        for (std::optional<std::size_t> at = node; at; at = scene->tree().nodes[*at].parent) {
            way.push_back({.text = toQString(scene->tree().nodes[*at].name), .node = at});
        }
        std::ranges::reverse(way);
    } else if (const inspector::Block* const block = chosen.currentBlock()) {
        way.push_back({.text = toQString(inspector::events::readableBlock(*block))});
        way.push_back({.text = toQString(inspector::events::readableName(*block, *chosen.currentEvent()))});
    } else if (const auto& which = chosen.currentOperator()) {
        way.push_back({.text = toQString(which->method)});
        way.push_back({.text = QStringLiteral("instruction %1").arg(which->instruction.value)});
    }
    return way;
}

void Breadcrumb::showChoice() {
    crumbs = crumbsOfChoice();
    setToolTip(crumbs.size() > 1 ? way() : QString());
    write();
}

QString Breadcrumb::way() const {
    QStringList parts;
    std::ranges::transform(crumbs, std::back_inserter(parts), &Crumb::text);
    return parts.join(separator);
}

/// Number of trailing parts that fit next to the first one.
std::size_t Breadcrumb::partsKept(int room) const {
    int used = 0;
    std::size_t kept = 0;
    while (kept + 1 < crumbs.size()) {
        used += fontMetrics().horizontalAdvance(separator + crumbs[crumbs.size() - 1 - kept].text);
        if (used > room && kept > 0) {
            break;
        }
        ++kept;
    }
    return kept;
}

QString Breadcrumb::linked(const Crumb& crumb, int room) const {
    const bool last = &crumb == &crumbs.back();
    const QString text =
        (last ? fontMetrics().elidedText(crumb.text, Qt::ElideRight, room) : crumb.text).toHtmlEscaped();
    return last || !crumb.node
               ? text
               : QStringLiteral("<a href=\"%1\" style=\"text-decoration:none;color:%2\">%3</a>")
                     .arg(QString::number(*crumb.node), palette().color(QPalette::Link).name(), text);
}

void Breadcrumb::write() {
    QStringList parts;
    if (!crumbs.empty()) {
        const int around = fontMetrics().horizontalAdvance(crumbs.front().text + separator + leftOut);
        const int room = std::max(width() - 2 * crumbMargin - around, 0);
        const std::size_t kept = partsKept(room);
        parts.append(linked(crumbs.front(), width()));
        if (kept + 1 < crumbs.size()) {
            parts.append(leftOut);
        }
        for (std::size_t i = crumbs.size() - kept; i < crumbs.size(); ++i) {
            parts.append(linked(crumbs[i], room));
        }
    }
    if (const QString now = parts.join(separator); now != text()) {
        setText(now);
    }
}

void Breadcrumb::follow(const QString& link) {
    bool isNumber = false;
    const std::size_t node = link.toULongLong(&isNumber);
    if (isNumber && scene != nullptr && node < scene->tree().nodes.size()) {
        chosen.setEvents(scene->eventsOf(node), scene->slowestOf(node));
    }
}

void Breadcrumb::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    write();
}

/// Rich text keeps the link colours that it was created with.
void Breadcrumb::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        write();
    }
}

}  // namespace et::studio
