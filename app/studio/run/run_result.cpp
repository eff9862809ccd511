#include "app/studio/run/run_result.h"

#include "visualizers/toolkit/table_view.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace et::studio {

namespace {

using visualizers::ComparedValues;

constexpr int margin = 8;
/// Column widths in characters.
constexpr std::array<int, MemoryErrorList::columnTotal> memoryErrorWidths{34, 11, 24, 12, 40, 40, 24, 40};

ComparedValues readBoth(const std::filesystem::path& before, const std::filesystem::path& now) {
    ComparedValues both;
    both.noExpected = QStringLiteral("no other run");
    if (!before.empty() && std::filesystem::exists(before)) {
        both.expected = visualizers::shownValues(visualizers::readValues(before), both.noExpected);
    }
    both.actual = visualizers::shownValues(visualizers::readValues(now), both.noActual);
    return both;
}

QString tableRow(const QString& name, const QString& value) {
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;&nbsp;&nbsp;</td><td align='right'>%2</td></tr>")
        .arg(name, value);
}

struct Row {
    const char* name;
    std::optional<double> RunFigures::* field;
};
constexpr std::array timeRows{
    Row{"load", &RunFigures::load},       Row{"first execution", &RunFigures::first},
    Row{"min", &RunFigures::minimum},     Row{"p50", &RunFigures::p50},
    Row{"p90", &RunFigures::p90},         Row{"max", &RunFigures::maximum},
    Row{"average", &RunFigures::average},
};

QString figuresHtml(const RunRecord& run) {
    QString text = QStringLiteral("<p><b>%1</b></p>")
                       .arg(QStringLiteral("Run %1: %2").arg(run.number).arg(stateText(run).toHtmlEscaped()));
    if (!run.end.message.isEmpty()) {
        text += QStringLiteral("<p>%1</p>").arg(run.end.message.toHtmlEscaped());
    }
    if (run.figures) {
        text += QStringLiteral("<table cellspacing='0'>");
        text += tableRow(QStringLiteral("executions"), QString::number(run.figures->executions));
        for (const Row& each : timeRows) {
            if (const auto time = (*run.figures).*each.field) {
                text += tableRow(QString::fromUtf8(each.name), QStringLiteral("%1 ms").arg(*time, 0, 'f', 3));
            }
        }
        if (run.figures->peakBytes) {
            text += tableRow(QStringLiteral("peak memory"),
                             QLocale::c().formattedDataSize(static_cast<qint64>(*run.figures->peakBytes), 1));
        }
        text += QStringLiteral("</table>");
    }
    return text + QStringLiteral("<p>%1</p>").arg(run.command.toHtmlEscaped());
}

}  // namespace

RunResult::RunResult(QWidget* parent)
    : QWidget(parent),
      reading(this),
      tabs(new QTabWidget(this)),
      numbers(new QLabel(this)),
      outputBox(new QComboBox(this)),
      values(new visualizers::ComparisonView(this)),
      gaugeView(new visualizers::RunGauge(this)),
      logView(new RunLogView(this)),
      errors(new MemoryErrorList(this)),
      errorRows(new QTreeView(this)) {
    numbers->setObjectName(QStringLiteral("runFigures"));
    numbers->setTextFormat(Qt::RichText);
    numbers->setWordWrap(true);
    numbers->setMargin(margin);
    numbers->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    numbers->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* const area = new QScrollArea(this);
    area->setWidget(numbers);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    tabs->setDocumentMode(true);
    tabs->addTab(area, QStringLiteral("&Times"));
    tabs->addTab(makeOutputPage(), QStringLiteral("&Outputs"));
    logPage = makeLogPage();
    tabs->addTab(logPage, QStringLiteral("&Log"));
    errorPage = makeErrorPage();
    tabs->addTab(errorPage, QStringLiteral("&Memory Errors"));
    auto* const copy = new QToolButton(this);
    copy->setObjectName(QStringLiteral("runCopyLog"));
    copy->setText(QStringLiteral("Copy Log"));
    copy->setAutoRaise(true);
    connect(copy, &QToolButton::clicked, logView, &RunLogView::copyAll);
    tabs->setCornerWidget(copy);
    visualizers::fillColumn(*this, {tabs});
    connect(outputBox, &QComboBox::activated, this, &RunResult::showOutput);
    showGauge({});
    setRun(nullptr, nullptr);
}

QWidget* RunResult::makeOutputPage() {
    auto* const page = new QWidget(this);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(outputBox, 0, Qt::AlignLeft);
    layout->addWidget(values, 1);
    return page;
}

QWidget* RunResult::makeLogPage() {
    auto* const page = new QWidget(this);
    visualizers::fillColumn(*page, {gaugeView, logView});
    logView->setObjectName(QStringLiteral("runLog"));
    return page;
}

QWidget* RunResult::makeErrorPage() {
    errorRows->setObjectName(QStringLiteral("memoryErrors"));
    errorRows->setModel(errors);
    errorRows->setRootIsDecorated(false);
    errorRows->setToolTip(QStringLiteral("Double-click: select the operator in the other panels"));
    visualizers::dressRows(*errorRows);
    visualizers::setColumnWidths(*errorRows, memoryErrorWidths);
    connect(errorRows, &QTreeView::activated, this, &RunResult::chooseError);
    connect(errorRows->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RunResult::chooseError);
    return errorRows;
}

void RunResult::chooseError(const QModelIndex& index) {
    if (const MemoryErrorRow* const row = errors->error(index); row != nullptr && row->instruction) {
        emit operatorChosen(row->method, *row->instruction);
    }
}

void RunResult::setErrors(const RunRecord* run) {
    const bool isChecked = run != nullptr && run->memoryErrors.has_value();
    errors->setErrors(isChecked ? *run->memoryErrors : std::vector<MemoryErrorRow>());
    const int tab = tabs->indexOf(errorPage);
    tabs->setTabVisible(tab, isChecked);
    tabs->setTabText(tab, QStringLiteral("&Memory Errors (%1)").arg(errors->rowCount()));
}

void RunResult::showGauge(const visualizers::GaugeHistory& history) {
    gaugeView->setHistory(history);
    gaugeView->setVisible(!history.isEmpty());
}

void RunResult::setRun(const RunRecord* run, const RunRecord* before) {
    numbers->setText(run == nullptr ? QString() : figuresHtml(*run));
    // Updates of a running run keep the scroll position.
    if (const int number = run == nullptr ? 0 : run->number; std::exchange(logOf, number) != number) {
        logView->setLog(run == nullptr ? RunLog() : run->log);
        showGauge(run == nullptr ? visualizers::GaugeHistory() : run->gauge);
    }
    folder = run == nullptr ? std::filesystem::path() : run->files.folder;
    folderBefore = before == nullptr ? std::filesystem::path() : before->files.folder;
    outputBox->clear();
    if (!folder.empty()) {
        const QDir files(QFile::decodeName(folder.c_str()));
        outputBox->addItems(files.entryList({QStringLiteral("output_*.npy")}, QDir::Files, QDir::Name));
    }
    outputBox->setVisible(outputBox->count() > 1);
    values->setNames(
        before == nullptr ? QStringLiteral("Other run") : QStringLiteral("Run %1").arg(before->number),
        run == nullptr ? QStringLiteral("This run") : QStringLiteral("Run %1").arg(run->number));
    tabs->setTabEnabled(1, outputBox->count() > 0);
    setErrors(run);
    showOutput();
}

void RunResult::showOutput() {
    reading.forget();
    if (outputBox->currentIndex() < 0) {
        values->setComparison({});
        return;
    }
    const std::string name = outputBox->currentText().toStdString();
    const auto before = folderBefore.empty() ? std::filesystem::path() : folderBefore / name;
    reading.start([before, now = folder / name] { return readBoth(before, now); },
                  [this](const ComparedValues& both) { values->setComparison(both); });
}

QString RunResult::figures() const {
    return numbers->text();
}

QString RunResult::log() const {
    return logView->toPlainText();
}

void RunResult::watch() {
    if (!tabBefore) {
        tabBefore = tabs->currentIndex();
    }
    tabs->setCurrentWidget(logPage);
}

void RunResult::endWatch(bool endedWell) {
    const auto before = std::exchange(tabBefore, std::nullopt);
    if (errors->rowCount() > 0) {
        tabs->setCurrentWidget(errorPage);
        return;
    }
    if (endedWell && before && tabs->currentWidget() == logPage) {
        tabs->setCurrentIndex(*before);
    }
}

}  // namespace et::studio
