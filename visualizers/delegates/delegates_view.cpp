#include "visualizers/delegates/delegates_view.h"

#include "inspector/delegates/delegate_text.h"
#include "inspector/format/python_text.h"
#include "inspector/format/quantities.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScopedValueRollback>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace et::visualizers {

namespace {

constexpr std::size_t maxBytes = 4096;  // maximum number of payload bytes shown
constexpr int margin = 4;
const QList<int> firstSizes{170, 450};  // heights in pixels of the list and the details

}  // namespace

DelegatesView::DelegatesView(Selection& selection, QWidget* parent)
    : QWidget(parent),
      chosen(selection),
      filter(new QLineEdit(this)),
      head(new QLabel(this)),
      list(new ReportTable(this)),
      split(new Splitter(Qt::Vertical, this)),
      tabs(new QTabWidget(this)),
      directions(new QComboBox(this)),
      mapSource(new QLabel(this)),
      mapRows(new ReportTable(this)),
      detailRows(new ReportTable(this)),
      nodeRows(new ReportTable(this)),
      bytes(new QPlainTextEdit(this)),
      operatorRows(new ReportTable(this)) {
    split->addWidget(createList());
    split->addWidget(createTabs());
    split->setStretchFactor(0, 0);
    split->setStretchFactor(1, 1);
    split->setSizes(firstSizes);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(split);
    setFocusProxy(list);
    createActions();
    connectViews();
}

QWidget* DelegatesView::createList() {
    auto* const page = new QWidget(split);
    filter->setObjectName(QStringLiteral("delegatesFilter"));
    filter->setClearButtonEnabled(true);
    filter->setPlaceholderText(QStringLiteral("Filter all tables by backend, operator, node or handle"));
    head->setObjectName(QStringLiteral("delegatesHead"));
    head->setTextFormat(Qt::PlainText);
    head->setWordWrap(true);
    head->setMargin(margin);
    list->setObjectName(QStringLiteral("delegates"));
    list->setHint(QStringLiteral("The program has no delegates."));
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(margin, margin, margin, margin);
    bar->addWidget(filter);
    layout->addLayout(bar);
    layout->addWidget(head);
    layout->addWidget(list, 1);
    return page;
}

QWidget* DelegatesView::createMapPage() {
    auto* const page = new QWidget(tabs);
    directions->setObjectName(QStringLiteral("mapDirection"));
    directions->addItems(
        {QStringLiteral("Delegate to Edge nodes"), QStringLiteral("Edge nodes to delegate")});
    directions->setToolTip(QStringLiteral("Direction of the map"));
    mapSource->setObjectName(QStringLiteral("mapSource"));
    mapSource->setTextFormat(Qt::PlainText);
    mapRows->setObjectName(QStringLiteral("handleMap"));
    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(margin, margin, margin, margin);
    bar->setSpacing(2 * margin);
    bar->addWidget(directions);
    bar->addWidget(mapSource, 1);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(mapRows, 1);
    return page;
}

QWidget* DelegatesView::createTabs() {
    detailRows->setObjectName(QStringLiteral("delegateDetails"));
    nodeRows->setObjectName(QStringLiteral("payloadNodes"));
    operatorRows->setObjectName(QStringLiteral("placement"));
    bytes->setObjectName(QStringLiteral("payloadBytes"));
    bytes->setReadOnly(true);
    bytes->setFrameShape(QFrame::NoFrame);
    bytes->setLineWrapMode(QPlainTextEdit::NoWrap);
    bytes->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    operatorRows->setHint(QStringLiteral("The method has no operators."));
    tabs->setDocumentMode(true);
    tabs->addTab(createMapPage(), QStringLiteral("Debug handles"));
    tabs->addTab(detailRows, QStringLiteral("Details"));
    tabs->addTab(nodeRows, QStringLiteral("Nodes inside"));
    tabs->addTab(bytes, QStringLiteral("Bytes"));
    tabs->addTab(operatorRows, QStringLiteral("Operators"));
    return tabs;
}

void DelegatesView::createActions() {
    keyedAction(*this, QStringLiteral("&Reverse the Map"), Qt::CTRL | Qt::Key_T,
                [this] { directions->setCurrentIndex(1 - directions->currentIndex()); });
    for (int tab = 0; tab < tabs->count(); ++tab) {
        keyedAction(*this, QStringLiteral("Show %1").arg(tabs->tabText(tab)),
                    Qt::ALT | Qt::Key(Qt::Key_1 + tab), [this, tab] { tabs->setCurrentIndex(tab); });
    }
}

void DelegatesView::connectViews() {
    connect(filter, &QLineEdit::textChanged, this, &DelegatesView::applyFilter);
    connect(list, &ReportTable::rowChosen, this, &DelegatesView::chooseDelegate);
    connect(directions, &QComboBox::currentIndexChanged, this, &DelegatesView::showMap);
    connect(mapRows, &ReportTable::rowChosen, this,
            [this](std::size_t at) { chooseHandles(mapHandles[at]); });
    connect(nodeRows, &ReportTable::rowChosen, this,
            [this](std::size_t at) { chooseHandles(nodeHandles[at]); });
    connect(&chosen, &Selection::currentChanged, this, &DelegatesView::showSelection);
}

void DelegatesView::setDelegation(std::shared_ptr<const Delegation> shown) {
    delegation = std::move(shown);
    DelegateList rows = delegation ? delegateList(*delegation) : DelegateList{};
    refs = std::move(rows.refs);
    row = refs.empty() ? std::nullopt : std::optional<std::size_t>(0);
    list->setRows(std::move(rows.rows));
    if (const auto selected = rowOfSelection()) {
        row = selected;
    }
    list->choose(row);
    if (delegation && refs.empty()) {
        showTab(Operators);  // the only content
    }
    showDelegate();
}

const DelegateRef* DelegatesView::ref() const {
    return row && *row < refs.size() ? &refs[*row] : nullptr;
}

const inspector::MethodDelegates* DelegatesView::method() const {
    if (!delegation || delegation->report.methods.empty()) {
        return nullptr;
    }
    const DelegateRef* const at = ref();
    return &delegation->report.methods[at == nullptr ? 0 : at->method];
}

const inspector::DelegateReport* DelegatesView::report() const {
    const DelegateRef* const at = ref();
    const auto* const of = method();
    return at == nullptr || of == nullptr ? nullptr : &of->delegates[at->delegate];
}

const inspector::DelegateCallSite* DelegatesView::call() const {
    const DelegateRef* const at = ref();
    const auto* const of = report();
    return at == nullptr || of == nullptr || !at->call ? nullptr : &of->calls[*at->call];
}

void DelegatesView::showDelegate() {
    const DelegateRef* const at = ref();
    const auto* const of = report();
    const auto* const placed = method();
    const bool any = at != nullptr && of != nullptr;
    detailRows->setRows(any ? delegateDetails(*delegation, *at) : ReportRows{});
    detailRows->view().expandAll();
    MapTable nodes = any ? payloadNodes(*of) : MapTable{};
    nodeHandles = std::move(nodes.handles);
    nodeRows->setRows(std::move(nodes.rows));
    nodeRows->setHint(
        any ? QStringLiteral("The content of this delegate is unknown: %1").arg(toQString(of->unknown))
            : QString());
    bytes->setPlainText(any ? toQStringLines(inspector::hexDump(of->delegate->payload, maxBytes))
                            : QString());
    operatorRows->setRows(placed == nullptr ? ReportRows{} : placementRows(*placed));
    const auto* const site = call();
    handleMap =
        any && placed != nullptr && site != nullptr
            ? inspector::handleMap(placed->method->name, *of, *site, delegation->session->record.get())
            : inspector::HandleMap{};
    showMap();
    showHeadline();
}

void DelegatesView::showMap() {
    MapTable table;
    if (const auto* const site = call(); site != nullptr) {
        table =
            mapTable(*delegation, handleMap, *site, static_cast<MapDirection>(directions->currentIndex()));
    }
    mapHandles = std::move(table.handles);
    mapRows->setRows(std::move(table.rows));
    const bool recorded = delegation && delegation->session->record;
    mapRows->setHint(
        recorded ? QStringLiteral("The ETRecord has no debug handles for this delegate.")
                 : QStringLiteral("Open the model's ETRecord to see the Edge nodes and Python lines of "
                                  "this delegate."));
    const bool any = !mapHandles.empty();
    mapSource->setText(any ? QStringLiteral("Source: %1").arg(toQString(mapSourceName(handleMap.source)))
                           : QString());
    showSelectedHandles();
}

void DelegatesView::showHeadline() {
    QStringList lines;
    if (const auto* const of = method()) {
        const inspector::OperatorPlacement sum = sumOf(of->operators);
        const double part =
            sum.total() == 0 ? 0 : static_cast<double>(sum.delegated) / static_cast<double>(sum.total());
        QString line =
            QStringLiteral("%1: %2, %3 of %4 operators delegated (%5)")
                .arg(toQString(of->method->name), counted(of->delegates.size(), QStringLiteral("1 delegate"),
                                                          QStringLiteral("%1 delegates")))
                .arg(sum.delegated)
                .arg(sum.total())
                .arg(QString::fromStdString(inspector::format::readablePercent(part)));
        if (of->times && of->times->total > 0) {
            line += QStringLiteral("; delegates take %2 of %1 per run")
                        .arg(timeText(of->times->total,
                                      delegation->timeScale.value_or(inspector::TimeScale::Milliseconds)),
                             QString::fromStdString(inspector::format::readablePercent(of->times->delegated /
                                                                                       of->times->total)));
        }
        lines.append(line);
    }
    if (delegation) {
        for (const auto* const texts : {&delegation->report.warnings, &delegation->problems}) {
            for (const std::string& each : *texts) {
                lines.append(toQString(each));
            }
        }
    }
    head->setText(lines.join(u'\n'));
}

void DelegatesView::applyFilter(const QString& text) {
    for (ReportTable* const table : {list, mapRows, detailRows, nodeRows, operatorRows}) {
        table->setFilter(text);
    }
}

void DelegatesView::chooseDelegate(std::size_t at) {
    row = at;
    showDelegate();
    const auto* const of = method();
    const auto* const site = call();
    if (of != nullptr && site != nullptr && site->chain == 0) {
        const QScopedValueRollback quiet(choosing, true);
        chosen.setOperator({.method = std::string(of->method->name), .instruction = site->instruction});
    }
}

void DelegatesView::chooseHandles(const std::vector<core::DebugHandle>& handles) {
    const auto* const of = method();
    if (of != nullptr && !handles.empty()) {
        const QScopedValueRollback quiet(choosing, true);
        chosen.setHandles(std::string(of->method->name), handles);
    }
}

// Row of the call whose instruction is selected.
std::optional<std::size_t> DelegatesView::rowOfSelection() const {
    const auto& of = chosen.currentOperator();
    for (std::size_t at = 0; of && at < refs.size(); ++at) {
        const auto& methods = delegation->report.methods;
        const inspector::MethodDelegates& candidate = methods[refs[at].method];
        const bool here = of->method == candidate.method->name || (of->method.empty() && methods.size() == 1);
        if (!here || !refs[at].call) {
            continue;
        }
        const auto& site = candidate.delegates[refs[at].delegate].calls[*refs[at].call];
        if (site.chain == 0 && site.instruction == of->instruction) {
            return at;
        }
    }
    return std::nullopt;
}

void DelegatesView::showSelection() {
    if (choosing || !delegation) {
        return;
    }
    const auto selected = rowOfSelection();
    if (selected && selected != row) {
        row = selected;
        list->choose(row);
        showDelegate();
        return;
    }
    showSelectedHandles();
}

// Row of the current event's operator, otherwise the row that shares most debug handles with the selection
// and has the fewest others.
std::optional<std::size_t> DelegatesView::mapRowOfSelection() const {
    const inspector::Event* const event = chosen.currentEvent();
    const auto& rows = mapRows->model().rows().table.rows;
    if (event != nullptr && event->delegated && rowOfSelection() == row) {
        const auto named = std::ranges::find_if(
            rows, [&](const auto& cells) { return std::get<std::string>(cells.front()) == event->name; });
        if (named != rows.end()) {
            return static_cast<std::size_t>(named - rows.begin());
        }
    }
    const auto handles = chosen.currentHandles();
    std::optional<std::size_t> best;
    std::size_t max = 0;
    std::size_t min = 0;
    for (std::size_t at = 0; at < mapHandles.size(); ++at) {
        const auto shared =
            static_cast<std::size_t>(std::ranges::count_if(mapHandles[at], [&](core::DebugHandle handle) {
                return std::ranges::contains(handles, handle);
            }));
        const std::size_t others = mapHandles[at].size() - shared;
        if (shared > max || (best && shared == max && others < min)) {
            best = at;
            max = shared;
            min = others;
        }
    }
    return best;
}

void DelegatesView::showSelectedHandles() {
    if (!choosing) {
        mapRows->choose(mapRowOfSelection());
    }
}

void DelegatesView::showTab(Tab tab) {
    tabs->setCurrentIndex(tab);
}

void DelegatesView::setDirection(MapDirection direction) {
    directions->setCurrentIndex(static_cast<int>(direction));
}

void DelegatesView::focusFilter() {
    filter->setFocus(Qt::ShortcutFocusReason);
    filter->selectAll();
}

QByteArray DelegatesView::saveState() const {
    return split->saveState();
}

void DelegatesView::restoreState(const QByteArray& state) {
    split->restoreState(state);
}

}  // namespace et::visualizers
