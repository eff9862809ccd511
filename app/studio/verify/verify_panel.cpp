#include "app/studio/verify/verify_panel.h"

#include "app/studio/job_request.h"
#include "app/studio/panel_command.h"
#include "app/studio/start_command.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/table_view.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"
#include "visualizers/verify/comparison_view.h"
#include "visualizers/verify/producer.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSettings>
#include <QSortFilterProxyModel>
#include <QToolBar>
#include <QTreeView>

#include <array>
#include <utility>

namespace et::studio {

namespace {

using bundled_program::TestCase;
using visualizers::CaseRef;
using visualizers::ComparedValues;
using visualizers::TestModel;
using visualizers::TestRef;
using visualizers::TestState;

constexpr int testProgressWidth = 140;
constexpr int toleranceLetters = 20;
/// Column widths in characters.
constexpr std::array<int, TestModel::columnTotal> testColumnWidths{24, 20, 14, 15, 15, 13, 13, 34};

/// Splits at commas and removes spaces.
std::vector<std::string> partsOf(const QString& text) {
    std::vector<std::string> parts;
    for (const QString& each : text.split(u',', Qt::SkipEmptyParts)) {
        parts.push_back(each.trimmed().toStdString());
    }
    return parts;
}

}  // namespace

VerifyPanel::VerifyPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      results(context.results),
      store(context.settings),
      fix(context.fix),
      run(context.settings),
      tests(new TestModel(this)),
      proxy(new QSortFilterProxyModel(this)),
      tools(new QToolBar(this)),
      filter(new visualizers::FilterField("testFilter", QStringLiteral("Filter by name, verdict or message"),
                                          this)),
      rows(new QTreeView(this)),
      values(new visualizers::ComparisonView(this)),
      progress(new QProgressBar(this)),
      summary(new QLabel(this)) {
    createTools();
    createTree();
    auto* const splitter = new visualizers::Splitter(Qt::Vertical, this);
    splitter->addParts({{rows, 2}, {values, 3}});
    splitter->setChildrenCollapsible(false);
    visualizers::fillColumn(*this, {tools, splitter});
    setFocusProxy(rows);
    connect(&opened, &visualizers::OpenSession::changed, this, &VerifyPanel::showSession);
    connect(&chosen, &visualizers::Selection::caseChanged, this, &VerifyPanel::showCase);
    connect(&results, &visualizers::Results::verdictsChanged, this, &VerifyPanel::showVerdicts);
    connect(&run, &TestRun::reported, this, &VerifyPanel::take);
    connect(&run, &TestRun::progressed, this, [this](int done, int total) {
        progress->setRange(0, total);
        progress->setValue(done);
    });
    connect(&run, &TestRun::ended, this, [this] {
        tests->stopRunning({});
        showState();
    });
    showSession();
}

void VerifyPanel::createTools() {
    runAllAction = addStart(*this, *tools, QStringLiteral("&Run All"), &VerifyPanel::runAll);
    runFailedAction = addCommand(*this, QStringLiteral("Run &Failed"), QKeySequence(Qt::SHIFT | Qt::Key_F9),
                                 &VerifyPanel::runFailed);
    runSelectedAction = addCommand(*this, QStringLiteral("Run &Selected"),
                                   QKeySequence(Qt::CTRL | Qt::Key_F9), &VerifyPanel::runSelected);
    showInProgramAction = addCommand(*this, QStringLiteral("&Go to the Operator"), QKeySequence(Qt::Key_G),
                                     &VerifyPanel::showInProgram);
    showInProgramAction->setToolTip(QStringLiteral("Select the operator that computes this output"));
    cancelAction = addStop(*this, *tools, QStringLiteral("&Cancel Run"), &VerifyPanel::cancel);
    soakAction = addCommand(*this, QStringLiteral("S&oak…"), {}, &VerifyPanel::soak);
    soakAction->setToolTip(QStringLiteral("Run all cases many times, and report differences between runs"));
    addMore(*tools, {runFailedAction, runSelectedAction, showInProgramAction, soakAction});
    tools->addWidget(filter);
    relativeBox =
        addTolerance("rtol", QStringLiteral("Relative tolerance for the next run: a number, or dtype=number, "
                                            "comma-separated. Default: 1e-3, float16=1e-2, bfloat16=2e-2"));
    absoluteBox = addTolerance(
        "atol", QStringLiteral("Absolute tolerance for the next run, also for integers (int8=1). "
                               "Default: 1e-5, float16=1e-3, bfloat16=1e-2"));
    progress->setMaximumWidth(testProgressWidth);
    progress->setFormat(QStringLiteral("%v / %m"));
    progressArea = tools->addWidget(progress);
    summary->setObjectName(QStringLiteral("testSummary"));
    summary->setContentsMargins(8, 0, 8, 0);
    tools->addWidget(summary);
    addActions(values->actions());
}

QLineEdit* VerifyPanel::addTolerance(const char* name, const QString& toolTip) {
    auto* const box = new QLineEdit(this);
    const QString key = QStringLiteral("tests/%1").arg(QLatin1String(name));
    box->setObjectName(QLatin1String(name));
    box->setPlaceholderText(QLatin1String(name));
    box->setToolTip(toolTip);
    box->setText(store.value(key).toString());
    box->setMaximumWidth(fontMetrics().averageCharWidth() * toleranceLetters);
    connect(box, &QLineEdit::textChanged, this,
            [this, key](const QString& text) { store.setValue(key, text); });
    tools->addWidget(box);
    return box;
}

void VerifyPanel::createTree() {
    proxy->setSourceModel(tests);
    proxy->setFilterKeyColumn(-1);
    proxy->setFilterRole(TestModel::SearchRole);
    proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    proxy->setRecursiveFilteringEnabled(true);
    proxy->setAutoAcceptChildRows(true);
    rows->setObjectName(QStringLiteral("tests"));
    rows->setModel(proxy);
    visualizers::dressRows(*rows);
    visualizers::setColumnWidths(*rows, testColumnWidths);
    connect(filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        proxy->setFilterFixedString(text);
        rows->expandToDepth(0);
    });
    connect(rows->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &VerifyPanel::showRow);
}

bool VerifyPanel::hasContent() const {
    return opened.session() && opened.session()->bundle;
}

void VerifyPanel::showSession() {
    const auto bundle = hasContent() ? opened.session()->bundle : nullptr;
    if (bundle.get() == tests->bundle()) {
        showState();
        return;
    }
    run.cancel();
    shown.reset();
    fromSession.clear();
    tests->setBundle(bundle);
    rows->expandToDepth(0);
    if (tests->rowCount() > 0 && tests->rowCount(tests->index(0, 0)) > 0) {
        rows->setCurrentIndex(proxy->mapFromSource(tests->indexOf({.testCase = {0, 0}, .output = {}})));
    }
    showState();
}

void VerifyPanel::showCase() {
    const auto testCase = chosen.currentCase();
    if (testCase && (!shown || shown->testCase != *testCase)) {
        rows->setCurrentIndex(proxy->mapFromSource(tests->indexOf({.testCase = *testCase, .output = {}})));
    }
}

void VerifyPanel::showRow(const QModelIndex& row) {
    shown = tests->placeOf(proxy->mapToSource(row));
    if (shown) {
        chosen.setCase(shown->testCase);
    }
    showValues();
    showState();
}

ComparedValues VerifyPanel::valuesAt(const TestRef& place) const {
    const auto& suite = tests->bundle()->suites[place.testCase.suite];
    const TestCase& testCase = suite.cases[place.testCase.testCase];
    const std::size_t output = place.output.value_or(0);
    ComparedValues result;
    result.noExpected = QStringLiteral("no expected output");
    if (output < testCase.expectedOutputs.size()) {
        result.expected = visualizers::shownValues(visualizers::valuesOf(testCase.expectedOutputs[output]),
                                                   result.noExpected);
    }
    switch (tests->state(place.testCase)) {
        case TestState::NotRun:
            result.noActual = QStringLiteral("not run yet (Run All)");
            return result;
        case TestState::Running:
            result.noActual = QStringLiteral("running…");
            return result;
        case TestState::Error:
            result.noActual = tests->message(place.testCase);
            return result;
        default:
            break;
    }
    if (fromSession.contains(place.testCase)) {
        result.noActual = QStringLiteral("sessions keep verdicts, not outputs (Run All)");
    } else {
        const auto file = run.actualFile(std::string(suite.method), place.testCase.testCase, output);
        result.actual = visualizers::shownValues(visualizers::readValues(file), result.noActual);
    }
    if (const auto* const compared = tests->comparison(place.testCase, output)) {
        result.tolerance = compared->tolerance;
        result.worst = compared->worst ? compared->worst->index : std::vector<std::int64_t>();
    }
    return result;
}

void VerifyPanel::showValues() {
    values->setComparison(shown ? valuesAt(*shown) : ComparedValues{});
}

void VerifyPanel::showState() {
    const bool idle = !run.running();
    const bool any = !tests->allCases().empty();
    runAllAction->setEnabled(idle && any);
    runFailedAction->setEnabled(idle && !tests->failedCases().empty());
    runSelectedAction->setEnabled(idle && rows->currentIndex().isValid());
    cancelAction->setVisible(!idle);
    showInProgramAction->setEnabled(shown && opened.session() && opened.session()->program);
    soakAction->setEnabled(any && fixRequest(JobKind::Soak, opened.session().get()));
    progressArea->setVisible(!idle);
    QStringList parts;
    for (const TestState state : {TestState::Pass, TestState::Fail, TestState::Error, TestState::NotRun}) {
        if (const std::size_t count = tests->count(state); count > 0) {
            parts.append(QStringLiteral("%1 %2").arg(count).arg(visualizers::stateName(state)));
        }
    }
    if (!fromSession.empty()) {
        parts.append(QStringLiteral("from the session"));
    }
    summary->setText(parts.join(QStringLiteral("   ")));
}

void VerifyPanel::take(const bundled_program::FileReport& report) {
    tests->setReport(report);
    told = std::make_shared<const visualizers::CaseReports>(tests->reports());
    results.setVerdicts(told);
    showValues();
    showState();
}

/// Shows verdicts saved in the session, if the cases have not been run here.
void VerifyPanel::showVerdicts() {
    const auto& known = results.verdicts();
    if (known == nullptr || known == told || run.running()) {
        return;
    }
    bundled_program::FileReport report;
    report.cases = *known;
    tests->setReport(report);
    for (const CaseRef& each : tests->allCases()) {
        if (tests->state(each) != TestState::NotRun) {
            fromSession.insert(each);
        }
    }
    showValues();
    showState();
}

void VerifyPanel::runAll() {
    runCases(tests->allCases());
}

void VerifyPanel::runFailed() {
    runCases(tests->failedCases());
}

void VerifyPanel::runSelected() {
    const QModelIndex row = proxy->mapToSource(rows->currentIndex());
    if (const auto place = tests->placeOf(row)) {
        runCases({place->testCase});
        return;
    }
    std::vector<CaseRef> cases = tests->allCases();
    std::erase_if(cases, [&](CaseRef each) { return static_cast<int>(each.suite) != row.row(); });
    runCases(cases);
}

void VerifyPanel::runCases(const std::vector<CaseRef>& cases) {
    if (cases.empty() || run.running()) {
        return;
    }
    tests->setRunning(cases);
    for (const CaseRef& each : cases) {
        fromSession.erase(each);
    }
    run.setTolerances({.relative = partsOf(relativeBox->text()), .absolute = partsOf(absoluteBox->text())});
    const inspector::SessionFiles& files = opened.session()->files;
    run.start(files.bundle, files.tensorData, jobsFor(*tests->bundle(), cases));
    showValues();
    showState();
}

void VerifyPanel::cancel() {
    run.cancel();
}

void VerifyPanel::soak() {
    if (auto request = fixRequest(JobKind::Soak, opened.session().get())) {
        fix(*request);
    }
}

void VerifyPanel::showInProgram() {
    const auto& session = opened.session();
    if (!shown || !session || !session->program) {
        return;
    }
    const auto& suite = tests->bundle()->suites[shown->testCase.suite];
    const program::Method* const method = session->program->findMethod(suite.method);
    const auto producer =
        method != nullptr ? visualizers::producerOf(*method, shown->output.value_or(0)) : std::nullopt;
    if (!producer) {
        emit noticed(QStringLiteral(
            "this output is an input or a constant of the program, not computed by an operator"));
        return;
    }
    chosen.setOperator(*producer);
    chosen.reveal();
}

}  // namespace et::studio
