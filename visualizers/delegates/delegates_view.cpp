#include "visualizers/delegates/delegates_view.h"

#include "inspector/delegates/delegate_text.h"
#include "inspector/format/python_text.h"
#include "inspector/format/quantities.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QComboBox>
#include <QFontDatabase>
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

/// Delegated operators and time of a method, and all problems; parameters may be null.
QString headline(const Delegation* delegation, const inspector::MethodDelegates* of) {
    QStringList lines;
    if (of != nullptr) {
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
    if (delegation != nullptr) {
        for (const auto* const texts : {&delegation->report.warnings, &delegation->problems}) {
            for (const std::string& each : *texts) {
                lines.append(toQString(each));
            }
        }
    }
    return lines.join(u'\n');
}

}  // namespace

DelegatesView::DelegatesView(Selection& selection, QWidget* parent)
    : QWidget(parent),
      chosen(selection),
      filter(new FilterField("delegatesFilter",
                             QStringLiteral("Filter all tables by backend, operator, node or handle"), this)),
      head(plainLabel("delegatesHead", this, {.margin = margin})),
      list(new ReportTable(this)),
      tabs(new QTabWidget(this)),
      directions(choiceBox("mapDirection", QStringLiteral("Direction of the map"), this)),
      mapSource(plainLabel("mapSource", this, {.wraps = false})),
      mapRows(new ReportTable(this)),
      detailRows(new ReportTable(this)),
      nodeRows(new ReportTable(this)),
      bytes(new QPlainTextEdit(this)),
      operatorRows(new ReportTable(this)) {
    auto* const split = new Splitter(Qt::Vertical, this);
    split->addParts({{createList(), 0}, {createTabs(), 1}});
    split->setSizes(firstSizes);
    fillColumn(*this, {split});
    setFocusProxy(list);
    createActions();
    connectViews();
}

QWidget* DelegatesView::createList() {
    auto* const page = new QWidget(this);
    list->setObjectName(QStringLiteral("delegates"));
    list->setHint(QStringLiteral("The program has no delegates."));
    tools = rowOf({filter});
    tools->setContentsMargins(margin, margin, margin, margin);
    fillColumn(*page, {tools, head, list});
    return page;
}

QWidget* DelegatesView::createMapPage() {
    auto* const page = new QWidget(tabs);
    directions->addItems(
        {QStringLiteral("Delegate to Edge nodes"), QStringLiteral("Edge nodes to delegate")});
    mapRows->setObjectName(QStringLiteral("handleMap"));
    QLayout* const bar = rowOf({directions, mapSource});
    bar->setContentsMargins(margin, margin, margin, margin);
    bar->setSpacing(2 * margin);
    fillColumn(*page, {bar, mapRows});
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
    for (ReportTable* const table : {list, mapRows, detailRows, nodeRows, operatorRows}) {
        connect(filter, &QLineEdit::textChanged, table, &ReportTable::setFilter);
    }
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

DelegatesView::Shown DelegatesView::current() const {
    if (!delegation || delegation->report.methods.empty()) {
        return {};
    }
    const auto& methods = delegation->report.methods;
    if (!row || *row >= refs.size()) {
        return {.method = &methods.front()};
    }
    const DelegateRef& ref = refs[*row];
    const inspector::DelegateReport& report = methods[ref.method].delegates[ref.delegate];
    return {.method = &methods[ref.method],
            .ref = &ref,
            .report = &report,
            .call = ref.call ? &report.calls[*ref.call] : nullptr};
}

void DelegatesView::showDelegate() {
    const Shown now = current();
    const bool any = now.ref != nullptr;
    detailRows->setRows(any ? delegateDetails(*delegation, *now.ref) : ReportRows{});
    detailRows->view().expandAll();
    MapTable nodes = any ? payloadNodes(*delegation, now.method->method->name, *now.report) : MapTable{};
    nodeHandles = std::move(nodes.handles);
    nodeRows->setRows(std::move(nodes.rows));
    nodeRows->setHint(any ? QStringLiteral("The content of this delegate is unknown: %1")
                                .arg(toQString(now.report->unknown))
                          : QString());
    bytes->setPlainText(any ? toQStringLines(inspector::hexDump(now.report->delegate->payload, maxBytes))
                            : QString());
    operatorRows->setRows(now.method == nullptr ? ReportRows{} : placementRows(*now.method));
    handleMap = now.call != nullptr ? inspector::handleMap(now.method->method->name, *now.report, *now.call,
                                                           delegation->session->record.get())
                                    : inspector::HandleMap{};
    showMap();
    head->setText(headline(delegation.get(), now.method));
    emit delegateChosen();
}

void DelegatesView::showMap() {
    MapTable table;
    const Shown now = current();
    if (now.call != nullptr) {
        table = mapTable(*delegation, now.method->method->name, handleMap, *now.call,
                         static_cast<MapDirection>(directions->currentIndex()));
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

void DelegatesView::chooseDelegate(std::size_t at) {
    row = at;
    showDelegate();
    const Shown now = current();
    if (now.call != nullptr && now.call->chain == 0) {
        const QScopedValueRollback quiet(choosing, true);
        chosen.setOperator(
            {.method = std::string(now.method->method->name), .instruction = now.call->instruction});
    }
}

void DelegatesView::chooseHandles(const std::vector<core::DebugHandle>& handles) {
    const auto* const of = current().method;
    if (of != nullptr && !handles.empty()) {
        const QScopedValueRollback quiet(choosing, true);
        chosen.setHandles(std::string(of->method->name), handles);
    }
}

// Row of the call whose instruction is selected, or which contains the selected debug handles.
std::optional<std::size_t> DelegatesView::rowOfSelection() const {
    const auto& of = chosen.currentOperator();
    const auto handles = chosen.currentHandles();
    const std::string method = of ? of->method : chosen.choice().method;
    for (std::size_t at = 0; at < refs.size(); ++at) {
        const auto& methods = delegation->report.methods;
        const inspector::MethodDelegates& candidate = methods[refs[at].method];
        const bool here = method == candidate.method->name || (method.empty() && methods.size() == 1);
        if (!here || !refs[at].call) {
            continue;
        }
        const auto& site = candidate.delegates[refs[at].delegate].calls[*refs[at].call];
        const bool has = of ? site.instruction == of->instruction
                            : std::ranges::any_of(handles, [&](core::DebugHandle handle) {
                                  return std::ranges::contains(site.handles, handle);
                              });
        if (site.chain == 0 && has) {
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

void DelegatesView::addTool(QWidget* button) {
    tools->addWidget(button);
}

void DelegatesView::showTab(Tab tab) {
    tabs->setCurrentIndex(tab);
}

void DelegatesView::setDirection(MapDirection direction) {
    directions->setCurrentIndex(static_cast<int>(direction));
}

}  // namespace et::visualizers
