#include "app/studio/compare/compare_room.h"

#include "app/studio/drop.h"
#include "app/studio/key_figures.h"
#include "visualizers/comparison/comparison_table.h"
#include "visualizers/selection.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace et::studio {

namespace {

const QString folderKey = QStringLiteral("compare/folder");
const QString thresholdKey = QStringLiteral("compare/threshold");
constexpr double usualPercent = 2;
constexpr double mostPercent = 100;

}  // namespace

CompareRoom::CompareRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
      chosen(context.selection),
      store(context.settings),
      comparing(this),
      pages(new QStackedWidget(this)),
      hint(new QLabel(this)),
      table(new visualizers::ComparisonTable(context.selection, this)),
      files(new QLabel(this)),
      threshold(new QDoubleSpinBox(this)) {
    setAcceptDrops(true);
    createTools();
    pages->addWidget(createHintPage());
    pages->addWidget(table);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(files);
    layout->addWidget(pages, 1);
    setFocusProxy(&table->table());
    connect(&chosen, &visualizers::Selection::sessionChanged, this, &CompareRoom::compare);
    connect(&loader, &SessionLoader::finished, this, &CompareRoom::takeSecond);
    showState({});
}

QWidget* CompareRoom::createHintPage() {
    auto* const page = new QWidget(pages);
    hint->setObjectName(QStringLiteral("compareHint"));
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    hint->setTextFormat(Qt::PlainText);
    auto* const button = new QPushButton(tr("Open Second Trace…"), page);
    connect(button, &QPushButton::clicked, this, &CompareRoom::chooseSecond);
    auto* const layout = new QVBoxLayout(page);
    layout->addStretch();
    layout->addWidget(hint);
    layout->addWidget(button, 0, Qt::AlignCenter);
    layout->addStretch();
    return page;
}

void CompareRoom::createTools() {
    QAction* const openAction =
        addCommand(tr("&Open Second Trace…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                   &CompareRoom::chooseSecond);
    swapAction = addCommand(tr("&Swap A and B"), QKeySequence(Qt::Key_X), &CompareRoom::swap);
    closeAction = addCommand(tr("&Close Second Trace"), {}, &CompareRoom::closeSecond);
    // From the menu and the palette it works wherever the focus is.
    openAction->setShortcutContext(Qt::WindowShortcut);
    table->insertTools({openAction, swapAction, closeAction});
    threshold->setObjectName(QStringLiteral("threshold"));
    threshold->setRange(0, mostPercent);
    threshold->setDecimals(1);
    threshold->setPrefix(tr("Threshold "));
    threshold->setSuffix(QStringLiteral(" %"));
    threshold->setValue(store.value(thresholdKey, usualPercent).toDouble());
    threshold->setToolTip(tr("Medians that are no further apart are the same"));
    table->insertTool(threshold);
    connect(threshold, &QDoubleSpinBox::editingFinished, this, [this] {
        store.setValue(thresholdKey, threshold->value());
        compare();
    });
    addActions(table->actions());
    files->setObjectName(QStringLiteral("compareFiles"));
    files->setTextFormat(Qt::PlainText);
    files->setWordWrap(true);
    files->setMargin(6);
}

QAction* CompareRoom::addCommand(const QString& text, const QKeySequence& key, void (CompareRoom::*slot)()) {
    auto* const action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
    return action;
}

bool CompareRoom::hasContent() const {
    return second != nullptr && chosen.blocks() != nullptr;
}

void CompareRoom::find() {
    table->focusFilter();
}

QByteArray CompareRoom::saveState() const {
    return table->saveState();
}

void CompareRoom::restoreState(const QByteArray& state) {
    table->restoreState(state);
}

void CompareRoom::chooseSecond() {
    auto* const dialog =
        new QFileDialog(this, tr("Open the trace to compare with"), store.value(folderKey).toString(),
                        tr("Traces and records (*.etdp *.etdump *.etrecord);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::urlsSelected, this, [this, dialog](const QList<QUrl>& urls) {
        store.setValue(folderKey, dialog->directory().absolutePath());
        openSecond(localPaths(urls));
    });
    dialog->open();
}

void CompareRoom::openSecond(const std::vector<std::filesystem::path>& paths) {
    if (!paths.empty()) {
        loader.open(paths, chosen.blocks() ? chosen.blocks()->options() : inspector::JoinOptions{});
    }
}

void CompareRoom::takeSecond(const LoadOutcome& outcome) {
    if (!outcome.session || !outcome.session->blocks) {
        emit noticed(outcome.problems.empty() ? tr("the second trace has to be a trace (.etdp)")
                                              : QString::fromStdString(outcome.problems.front()));
        return;
    }
    emit noticed({});
    second = outcome.session;
    compare();
}

void CompareRoom::closeSecond() {
    second = nullptr;
    compare();
}

void CompareRoom::swap() {
    swapped = !swapped;
    compare();
}

void CompareRoom::compare() {
    comparing.forget();
    table->setComparison(nullptr, inspector::TimeScale::Milliseconds);
    if (!hasContent()) {
        showState({});
        return;
    }
    inspector::ComparisonOptions options;
    options.test.threshold = threshold->value() / 100;
    const auto& open = chosen.session();
    comparing.start([a = swapped ? second : open, b = swapped ? open : second,
                     options] { return compareTraces(*a, *b, options); },
                    [this](const ComparisonOutcome& outcome) { showOutcome(outcome); });
    showState({});
}

void CompareRoom::showOutcome(const ComparisonOutcome& outcome) {
    const inspector::TimeScale unit =
        chosen.blocks() ? chosen.blocks()->options().target : inspector::TimeScale::Milliseconds;
    table->setComparison(outcome.comparison,
                         unit == inspector::TimeScale::Cycles ? inspector::TimeScale::Milliseconds : unit);
    showState(outcome.problem);
}

void CompareRoom::showState(const QString& problem) {
    const bool compared = table->model().comparison() != nullptr;
    pages->setCurrentWidget(compared ? static_cast<QWidget*>(table) : hint->parentWidget());
    swapAction->setEnabled(hasContent());
    closeAction->setEnabled(second != nullptr);
    if (!problem.isEmpty()) {
        hint->setText(tr("These two cannot be compared: %1").arg(problem));
    } else if (comparing.running()) {
        hint->setText(tr("Comparing…"));
    } else if (chosen.blocks() == nullptr) {
        hint->setText(tr("Open a trace first: it is A, what others are compared with."));
    } else {
        hint->setText(
            tr("Drop a second trace here, or choose it with Ctrl+Shift+O: it is B, and the table shows "
               "what became slower or faster."));
    }
    files->setVisible(hasContent());
    if (hasContent()) {
        const QString open = fileNames(chosen.session()->files);
        const QString other = fileNames(second->files);
        files->setText(tr("A  %1     B  %2").arg(swapped ? other : open, swapped ? open : other));
    }
}

void CompareRoom::dragEnterEvent(QDragEnterEvent* event) {
    if (chosen.blocks() && !localPaths(*event->mimeData()).empty()) {
        event->acceptProposedAction();
    }
}

void CompareRoom::dropEvent(QDropEvent* event) {
    openSecond(localPaths(*event->mimeData()));
    event->acceptProposedAction();
}

}  // namespace et::studio
