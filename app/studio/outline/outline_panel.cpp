#include "app/studio/outline/outline_panel.h"

#include "app/studio/extract_command.h"
#include "app/studio/perspectives.h"
#include "inspector/events/flame_tree.h"
#include "inspector/events/typical_run.h"
#include "visualizers/open_session.h"
#include "visualizers/outline/outline_model.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/hover_tree.h"
#include "visualizers/toolkit/share_bar_delegate.h"
#include "visualizers/toolkit/skeleton.h"
#include "visualizers/toolkit/table_view.h"
#include "visualizers/toolkit/widgets.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <utility>

namespace et::studio {

using inspector::events::FlameBy;
using visualizers::FlameScene;
using visualizers::OutlineModel;

namespace {

// Width in characters required to show so many numbers next to the names.
constexpr int lettersForTwo = 42;
constexpr int lettersForThree = 66;
/// Indentation of a level, in tenths of a character: modules are deeply nested, and indentation reduces the
/// space for names.
constexpr int indentTenths = 13;

}  // namespace

OutlinePanel::OutlinePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      results(context.results),
      building(this),
      outline(new OutlineModel(this)),
      filtered(new QSortFilterProxyModel(this)),
      by(visualizers::choiceBox("outlineBy", QStringLiteral("Grouping of the outline"), this)),
      filter(new visualizers::FilterField("outlineFilter", QStringLiteral("Filter modules and operators"),
                                          this)),
      rows(new visualizers::HoverTree(this)),
      skeleton(new visualizers::Skeleton(visualizers::Skeleton::Shape::Rows, rows)) {
    createTools();
    createRows();
    visualizers::fillColumn(*this, {by, filter, rows});
    offerOnRightClick(*rows, {addExtract(*this, context)});
    setFocusProxy(rows);
    connect(&opened, &visualizers::OpenSession::changed, this, &OutlinePanel::showSession);
    connect(&chosen, &visualizers::Selection::currentChanged, this, &OutlinePanel::showCurrent);
    connect(&results, &visualizers::Results::shownGapChanged, this, &OutlinePanel::showGap);
    showSession();
}

void OutlinePanel::createTools() {
    by->addItem(QStringLiteral("By module"), static_cast<int>(FlameBy::Module));
    by->addItem(QStringLiteral("By execution"), static_cast<int>(FlameBy::Order));
    by->addItem(QStringLiteral("By delegate"), static_cast<int>(FlameBy::Delegate));
    by->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(by, &QComboBox::currentIndexChanged, this, &OutlinePanel::build);
    connect(filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        filtered->setFilterFixedString(text);
        if (!text.isEmpty()) {
            rows->expandAll();
        }
    });
}

void OutlinePanel::createRows() {
    filtered->setSourceModel(outline);
    filtered->setFilterKeyColumn(OutlineModel::Name);
    filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    filtered->setRecursiveFilteringEnabled(true);
    filtered->setAutoAcceptChildRows(true);
    filtered->setSortRole(OutlineModel::SortRole);
    rows->setObjectName(QStringLiteral("outline"));
    rows->setAccessibleName(QStringLiteral("Model outline"));
    rows->setModel(filtered);
    visualizers::dressTable(*rows);
    rows->setSelectionMode(QAbstractItemView::SingleSelection);
    rows->setIndentation(rows->fontMetrics().averageCharWidth() * indentTenths / 10);
    auto* const bars = new visualizers::ShareBarDelegate(OutlineModel::ShareRole, rows);
    rows->setItemDelegateForColumn(OutlineModel::Time, bars);
    rows->setItemDelegateForColumn(OutlineModel::Bytes, bars);
    rows->setItemDelegateForColumn(OutlineModel::Error, bars);
    rows->header()->setStretchLastSection(false);
    rows->header()->setSectionResizeMode(OutlineModel::Name, QHeaderView::Stretch);
    rows->header()->setSectionResizeMode(OutlineModel::Time, QHeaderView::ResizeToContents);
    rows->header()->setSectionResizeMode(OutlineModel::Bytes, QHeaderView::ResizeToContents);
    rows->header()->setSectionResizeMode(OutlineModel::Error, QHeaderView::ResizeToContents);
    rows->header()->setResizeContentsPrecision(100);
    rows->setColumnHidden(OutlineModel::Bytes, true);
    rows->setColumnHidden(OutlineModel::Error, true);
    // Not the current row: a tree view sets one when it gets the focus, without a selection.
    connect(rows->selectionModel(), &QItemSelectionModel::selectionChanged, this, &OutlinePanel::choose);
    connect(rows, &QAbstractItemView::entered, this, [this](const QModelIndex& row) {
        const auto node = outline->nodeAt(filtered->mapToSource(row));
        const FlameScene* const scene = outline->content();
        const bool single = node && scene != nullptr && scene->tree().nodes[*node].events.size() == 1;
        chosen.setHovered(single ? std::optional(visualizers::EventRef{
                                       scene->tree().block, scene->tree().nodes[*node].events.front()})
                                 : std::nullopt);
    });
    connect(rows, &visualizers::HoverTree::pointerLeft, this, [this] { chosen.setHovered(std::nullopt); });
    connect(&chosen, &visualizers::Selection::hoverChanged, this, [this] {
        const FlameScene* const scene = outline->content();
        const auto event = chosen.hovered();
        const auto node = scene != nullptr && event ? scene->nodeOf(*event) : std::nullopt;
        rows->setGlowing(node ? filtered->mapFromSource(outline->indexOfTreeNode(*node)) : QModelIndex());
    });
}

bool OutlinePanel::hasContent() const {
    return opened.blocks() != nullptr;
}

void OutlinePanel::showSession() {
    const auto& session = opened.session();
    const auto blocks = session ? session->blocks : nullptr;
    if (blocks != shown) {
        shown = blocks;
        build();
    }
}

void OutlinePanel::build() {
    building.forget();
    skeleton->setWaiting(shown != nullptr);
    if (!shown) {
        take({});
        return;
    }
    building.start(
        [session = opened.session(), blocks = shown,
         around = static_cast<FlameBy>(by->currentData().toInt())]() -> Built {
            const auto all = inspector::events::eventRows(*blocks);
            const auto block = inspector::events::busiestBlock(all);
            if (!block) {
                return {};
            }
            auto scene = std::make_shared<const FlameScene>(
                blocks, inspector::events::flameTree(*blocks, all, *block, around));
            auto bytes = visualizers::writtenBytes(*session, *scene);
            return {.scene = std::move(scene), .bytes = std::move(bytes)};
        },
        [this](const Built& built) { take(built); });
}

/// Expands the path to the node with the longest time.
void OutlinePanel::take(const Built& built) {
    skeleton->setWaiting(false);
    choosing = true;
    outline->setScene(built.scene);
    outline->setBytes(built.bytes);
    choosing = false;
    showNumbers();
    showGap();
    for (const std::size_t node : outline->hotPath()) {
        const QModelIndex row = filtered->mapFromSource(outline->indexOfTreeNode(node));
        rows->expand(row);
        rows->scrollTo(row);
    }
    showCurrent();
}

/// Shows as many numbers as fit; in the numerics perspective, the error has priority over the time.
void OutlinePanel::showNumbers() {
    const int letters = rows->width() / std::max(rows->fontMetrics().averageCharWidth(), 1);
    const bool judged = results.gap() != nullptr;
    const bool one = judged && letters < lettersForTwo;
    rows->setColumnHidden(OutlineModel::Error, !judged || (one && !showsError));
    rows->setColumnHidden(OutlineModel::Time, one && showsError);
    rows->setColumnHidden(OutlineModel::Bytes,
                          !outline->hasBytes() || letters < (judged ? lettersForThree : lettersForTwo));
}

void OutlinePanel::arrangedFor(const Perspective& perspective) {
    showsError = &perspective == findPerspective("numbers");
    showNumbers();
}

void OutlinePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    showNumbers();
}

void OutlinePanel::showGap() {
    const auto& gap = results.gap();
    outline->setGap(gap.get());
    showNumbers();
}

// Shows the selection of other views; ignores that of this one, which may be many events.
void OutlinePanel::showCurrent() {
    const FlameScene* const scene = outline->content();
    const auto event = chosen.current();
    const auto node = scene != nullptr && event ? scene->nodeOf(*event) : std::nullopt;
    if (!choosing && !event && chosen.events().empty()) {
        choosing = true;
        rows->selectionModel()->clear();
        choosing = false;
    }
    if (choosing || !node) {
        return;
    }
    const QModelIndex row = filtered->mapFromSource(outline->indexOfTreeNode(*node));
    if (row.isValid()) {
        choosing = true;
        rows->setCurrentIndex(row);
        rows->scrollTo(row);
        choosing = false;
    }
}

void OutlinePanel::choose() {
    const QModelIndexList picked = rows->selectionModel()->selectedRows();
    const auto node =
        picked.isEmpty() ? std::nullopt : outline->nodeAt(filtered->mapToSource(picked.front()));
    if (choosing || !node || outline->content() == nullptr) {
        return;
    }
    choosing = true;
    chosen.setEvents(outline->content()->eventsOf(*node), outline->content()->slowestOf(*node));
    choosing = false;
}

}  // namespace et::studio
