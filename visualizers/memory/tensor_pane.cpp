#include "visualizers/memory/tensor_pane.h"

#include "inspector/format/quantities.h"
#include "inspector/format/table.h"
#include "visualizers/memory/tensor_model.h"
#include "visualizers/toolkit/copy_actions.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace et::visualizers {

namespace {

/// Column widths in characters, in the order of TensorModel::Column.
constexpr std::array<int, TensorModel::columnTotal> widths{7, 16, 11, 32, 24, 12, 12, 20, 28};

}  // namespace

TensorPane::TensorPane(QWidget* parent)
    : QWidget(parent),
      tensors(new TensorModel(this)),
      modes(new QComboBox(this)),
      sum(new QLabel(this)),
      rows(new QTreeView(this)) {
    modes->setObjectName(QStringLiteral("tensorMode"));
    modes->addItems(
        {QStringLiteral("At the peak"), QStringLiteral("At the selected step"), QStringLiteral("All")});
    modes->setToolTip(QStringLiteral("Tensors to list"));
    sum->setObjectName(QStringLiteral("tensorSum"));
    sum->setTextFormat(Qt::PlainText);
    rows->setObjectName(QStringLiteral("tensors"));
    rows->setModel(tensors);
    rows->setUniformRowHeights(true);
    rows->setRootIsDecorated(false);
    rows->setAlternatingRowColors(true);
    rows->setAllColumnsShowFocus(true);
    rows->setSelectionMode(QAbstractItemView::ExtendedSelection);
    rows->setFrameShape(QFrame::NoFrame);
    rows->header()->setSortIndicator(TensorModel::Bytes, Qt::DescendingOrder);
    rows->setSortingEnabled(true);
    const int letter = rows->fontMetrics().averageCharWidth();
    for (int column = 0; column < TensorModel::columnTotal; ++column) {
        rows->setColumnWidth(column, widths[static_cast<std::size_t>(column)] * letter);
    }
    // A narrow pane cuts off the last columns.
    rows->header()->moveSection(TensorModel::Operator, 1);
    rows->header()->moveSection(rows->header()->visualIndex(TensorModel::Bytes), 2);
    auto* const head = new QHBoxLayout;
    head->setContentsMargins(4, 2, 4, 2);
    head->setSpacing(8);
    head->addWidget(modes);
    head->addWidget(sum, 1);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(rows, 1);
    setFocusProxy(rows);
    createActions();
    connect(modes, &QComboBox::currentIndexChanged, this, &TensorPane::fill);
    connect(rows->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (row.isValid() && !choosing) {
                    emit tensorChosen(tensors->tensorAt(row.row()));
                }
            });
}

void TensorPane::createActions() {
    addCopyActions(*this, [this](inspector::format::Format format) { return copied(format); });
    rows->setContextMenuPolicy(Qt::ActionsContextMenu);
    rows->addActions(actions());
}

void TensorPane::setPlan(std::shared_ptr<const MemoryPlan> shown, std::size_t arena) {
    plan = shown && arena < shown->timeline.arenas.size() ? std::move(shown) : nullptr;
    arenaAt = arena;
    step.reset();
    fill();
}

void TensorPane::setStep(std::optional<inspector::Step> chosen) {
    if (step != chosen) {
        step = chosen;
        if (mode() == Mode::Step) {
            fill();
        }
    }
}

void TensorPane::setMode(Mode mode) {
    modes->setCurrentIndex(static_cast<int>(mode));
}

TensorPane::Mode TensorPane::mode() const {
    return static_cast<Mode>(modes->currentIndex());
}

bool TensorPane::shows(std::size_t tensor) const {
    const inspector::PlannedTensor& each = plan->timeline.tensors[tensor];
    return each.arena == plan->timeline.arenas[arenaAt].arena &&
           (mode() == Mode::All || (step && each.bytes > 0 && each.aliveAt(*step)));
}

void TensorPane::fill() {
    std::vector<std::size_t> listed;
    if (plan && mode() == Mode::Peak) {
        listed = plan->timeline.arenas[arenaAt].peakTensors;
    } else if (plan) {
        for (std::size_t i = 0; i < plan->timeline.tensors.size(); ++i) {
            if (shows(i)) {
                listed.push_back(i);
            }
        }
    }
    choosing = true;
    tensors->setTensors(plan, std::move(listed));
    choosing = false;
    showSum();
}

void TensorPane::showSum() {
    const auto count = static_cast<std::size_t>(tensors->rowCount());
    QString text = counted(count, QStringLiteral("1 tensor"), QStringLiteral("%1 tensors"));
    if (plan && mode() != Mode::All) {
        text = QStringLiteral("%1, %2").arg(
            text, QString::fromStdString(inspector::format::readableBytes(tensors->bytesShown())));
        const auto at = mode() == Mode::Peak ? std::optional(plan->timeline.arenas[arenaAt].peakStep) : step;
        text =
            at ? QStringLiteral("%1 alive %2").arg(text, toQString(inspector::stepText(plan->timeline, *at)))
               : QStringLiteral("Click the curve, or select an operator in any panel");
    }
    sum->setText(text);
    sum->setToolTip(text);
}

void TensorPane::setFilter(const QString& text) {
    choosing = true;
    tensors->setFilter(text);
    choosing = false;
    showSum();
}

void TensorPane::choose(std::optional<std::size_t> tensor) {
    const int row = tensor ? tensors->rowOf(*tensor) : -1;
    if (row == rows->currentIndex().row()) {
        return;
    }
    choosing = true;
    rows->setCurrentIndex(row < 0 ? QModelIndex() : tensors->index(row, 0));
    if (row < 0) {
        rows->clearSelection();
    }
    choosing = false;
}

// The selected rows, otherwise all.
QString TensorPane::copied(inspector::format::Format format) const {
    inspector::format::Table table;
    table.indexed = false;
    for (int column = 0; column < TensorModel::columnTotal; ++column) {
        table.columns.push_back(
            {.id = {}, .header = tensors->headerData(column, Qt::Horizontal).toString().toStdString()});
    }
    const bool some = rows->selectionModel()->hasSelection();
    for (int row = 0; row < tensors->rowCount(); ++row) {
        if (some && !rows->selectionModel()->isRowSelected(row)) {
            continue;
        }
        std::vector<inspector::format::Cell>& cells = table.rows.emplace_back();
        for (int column = 0; column < TensorModel::columnTotal; ++column) {
            cells.emplace_back(tensors->index(row, column).data().toString().toStdString());
        }
    }
    return QString::fromStdString(inspector::format::render(table, format));
}

QByteArray TensorPane::saveState() const {
    return rows->header()->saveState();
}

void TensorPane::restoreState(const QByteArray& state) {
    rows->header()->restoreState(state);
}

}  // namespace et::visualizers
