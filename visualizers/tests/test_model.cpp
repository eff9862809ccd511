#include "visualizers/tests/test_model.h"

#include "visualizers/toolkit/text.h"

#include <QColor>
#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace et::visualizers {

namespace {

using bundled_program::CaseReport;
using bundled_program::Comparison;
using bundled_program::Metrics;
using bundled_program::TestCase;

struct StateFacts {
    TestState state;
    const char* name;
    QRgb colour;  ///< 0: that of the text
};
constexpr std::array states{
    StateFacts{TestState::NotRun, QT_TRANSLATE_NOOP("tests", "not run"), 0},
    StateFacts{TestState::Running, QT_TRANSLATE_NOOP("tests", "running…"), 0},
    StateFacts{TestState::Pass, QT_TRANSLATE_NOOP("tests", "✓ pass"), 0xff2e9d4c},
    StateFacts{TestState::Fail, QT_TRANSLATE_NOOP("tests", "✗ fail"), 0xffe0453c},
    StateFacts{TestState::Error, QT_TRANSLATE_NOOP("tests", "! error"), 0xffd98a10},
};
const StateFacts& facts(TestState state) {
    return *std::ranges::find(states, state, &StateFacts::state);
}

struct ColumnFacts {
    const char* title;
    std::optional<double> Metrics::* metric;  ///< null: none of these
};
constexpr std::array<ColumnFacts, TestModel::columnTotal> columns{{
    {QT_TRANSLATE_NOOP("tests", "Test"), nullptr},
    {QT_TRANSLATE_NOOP("tests", "Verdict"), nullptr},
    {QT_TRANSLATE_NOOP("tests", "Mismatches"), nullptr},
    {QT_TRANSLATE_NOOP("tests", "Max abs"), &Metrics::maxAbsoluteError},
    {QT_TRANSLATE_NOOP("tests", "Max rel"), &Metrics::maxRelativeError},
    {QT_TRANSLATE_NOOP("tests", "SNR (dB)"), &Metrics::signalToNoiseDecibels},
    {QT_TRANSLATE_NOOP("tests", "Max ULP"), nullptr},
    {QT_TRANSLATE_NOOP("tests", "Message"), nullptr},
}};

// Where a row hangs: nothing for a suite, its suite for a case, its suite and case for an output.
constexpr unsigned caseShift = 24;
constexpr quintptr suiteMask = (quintptr{1} << caseShift) - 1;

quintptr idOf(std::optional<std::size_t> suite, std::optional<std::size_t> testCase) {
    return (suite ? *suite + 1 : 0) | ((testCase ? quintptr{*testCase} + 1 : 0) << caseShift);
}

bool isSuite(const QModelIndex& index) {
    return index.internalId() == 0;
}
bool isCase(const QModelIndex& index) {
    return index.internalId() != 0 && (index.internalId() >> caseShift) == 0;
}
CaseRef caseOf(const QModelIndex& index) {
    const std::size_t suite = (index.internalId() & suiteMask) - 1;
    return isCase(index) ? CaseRef{suite, static_cast<std::size_t>(index.row())}
                         : CaseRef{suite, (index.internalId() >> caseShift) - 1};
}

}  // namespace

QString stateName(TestState state) {
    return QCoreApplication::translate("tests", facts(state).name);
}

TestState stateOf(bundled_program::Verdict verdict) {
    constexpr std::array byVerdict{TestState::Pass, TestState::Fail, TestState::Error};
    return byVerdict[static_cast<std::size_t>(verdict)];
}

TestModel::TestModel(QObject* parent) : QAbstractItemModel(parent) {
}

void TestModel::setBundle(std::shared_ptr<const bundled_program::Bundle> opened) {
    beginResetModel();
    tests = std::move(opened);
    results.clear();
    for (std::size_t i = 0; tests && i < tests->suites.size(); ++i) {
        results.emplace_back(tests->suites[i].cases.size());
    }
    endResetModel();
}

void TestModel::touch(CaseRef testCase) {
    const QModelIndex suite = index(static_cast<int>(testCase.suite), 0);
    const QModelIndex row = index(static_cast<int>(testCase.testCase), 0, suite);
    emit dataChanged(suite, suite.siblingAtColumn(Message));
    emit dataChanged(row, row.siblingAtColumn(Message));
    if (const int outputs = rowCount(row); outputs > 0) {
        emit dataChanged(index(0, 0, row), index(outputs - 1, Message, row));
    }
}

void TestModel::setRunning(const std::vector<CaseRef>& cases) {
    for (const CaseRef& each : cases) {
        results[each.suite][each.testCase] = {.state = TestState::Running, .report = {}};
        touch(each);
    }
}

void TestModel::setReport(const bundled_program::FileReport& report) {
    for (const CaseReport& each : report.cases) {
        for (std::size_t suite = 0; suite < results.size(); ++suite) {
            if (tests->suites[suite].method == each.method && each.index < results[suite].size()) {
                results[suite][each.index] = {.state = visualizers::stateOf(each.verdict), .report = each};
                touch({suite, each.index});
                break;
            }
        }
    }
}

void TestModel::stopRunning(const QString& error) {
    for (const CaseRef& each : allCases()) {
        Result& known = results[each.suite][each.testCase];
        if (known.state == TestState::Running) {
            known.state = error.isEmpty() ? TestState::NotRun : TestState::Error;
            known.report.message = error.toStdString();
            touch(each);
        }
    }
}

CaseReports TestModel::reports() const {
    CaseReports known;
    for (const CaseRef& each : allCases()) {
        const Result& became = result(each);
        if (became.state != TestState::NotRun && became.state != TestState::Running) {
            known.push_back(became.report);
        }
    }
    return known;
}

TestState TestModel::state(CaseRef testCase) const {
    return result(testCase).state;
}

const Comparison* TestModel::comparison(CaseRef testCase, std::size_t output) const {
    const std::vector<Comparison>& outputs = result(testCase).report.outputs;
    return output < outputs.size() ? &outputs[output] : nullptr;
}

QString TestModel::message(CaseRef testCase) const {
    return toQString(result(testCase).report.message);
}

std::vector<CaseRef> TestModel::allCases() const {
    std::vector<CaseRef> cases;
    for (std::size_t suite = 0; suite < results.size(); ++suite) {
        for (std::size_t i = 0; i < results[suite].size(); ++i) {
            cases.push_back({suite, i});
        }
    }
    return cases;
}

std::vector<CaseRef> TestModel::failedCases() const {
    std::vector<CaseRef> cases = allCases();
    std::erase_if(cases, [this](CaseRef each) { return state(each) < TestState::Fail; });
    return cases;
}

std::size_t TestModel::count(TestState wanted) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(allCases(), [&](CaseRef each) { return state(each) == wanted; }));
}

std::optional<TestPlace> TestModel::placeOf(const QModelIndex& index) const {
    if (!index.isValid() || isSuite(index)) {
        return std::nullopt;
    }
    return TestPlace{
        .testCase = caseOf(index),
        .output = isCase(index) ? std::nullopt : std::optional(static_cast<std::size_t>(index.row()))};
}

QModelIndex TestModel::indexOf(const TestPlace& place) const {
    const QModelIndex suite = index(static_cast<int>(place.testCase.suite), 0);
    const QModelIndex row =
        suite.isValid() ? index(static_cast<int>(place.testCase.testCase), 0, suite) : QModelIndex();
    return place.output && row.isValid() ? index(static_cast<int>(*place.output), 0, row) : row;
}

QModelIndex TestModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || column < 0 || row >= rowCount(parent) || column >= columnTotal) {
        return {};
    }
    if (!parent.isValid()) {
        return createIndex(row, column, quintptr{0});
    }
    if (isSuite(parent)) {
        return createIndex(row, column, idOf(static_cast<std::size_t>(parent.row()), std::nullopt));
    }
    const CaseRef testCase = caseOf(parent);
    return createIndex(row, column, idOf(testCase.suite, testCase.testCase));
}

QModelIndex TestModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || isSuite(child)) {
        return {};
    }
    const CaseRef testCase = caseOf(child);
    return isCase(child) ? createIndex(static_cast<int>(testCase.suite), 0, quintptr{0})
                         : createIndex(static_cast<int>(testCase.testCase), 0, idOf(testCase.suite, {}));
}

int TestModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) {
        return static_cast<int>(results.size());
    }
    if (parent.column() != 0) {
        return 0;
    }
    if (isSuite(parent)) {
        return static_cast<int>(results[static_cast<std::size_t>(parent.row())].size());
    }
    const CaseRef testCase = caseOf(parent);
    return isCase(parent) ? static_cast<int>(
                                tests->suites[testCase.suite].cases[testCase.testCase].expectedOutputs.size())
                          : 0;
}

int TestModel::columnCount(const QModelIndex&) const {
    return columnTotal;
}

TestState TestModel::stateOf(const QModelIndex& index) const {
    if (isSuite(index)) {
        // States are in the order from best to worst, as far as they are verdicts.
        TestState worst = TestState::NotRun;
        for (const Result& each : results[static_cast<std::size_t>(index.row())]) {
            worst = std::max(worst, each.state);
        }
        return worst;
    }
    const Result& known = result(caseOf(index));
    if (isCase(index)) {
        return known.state;
    }
    const Comparison* const output = comparison(caseOf(index), static_cast<std::size_t>(index.row()));
    if (output == nullptr) {
        return known.state == TestState::Running ? TestState::Running : TestState::NotRun;
    }
    return output->agrees() ? TestState::Pass : TestState::Fail;
}

QString TestModel::suiteCount(std::size_t suite) const {
    const auto passed = std::ranges::count(results[suite], TestState::Pass, &Result::state);
    return tr("%1 of %2").arg(passed).arg(results[suite].size());
}

QString TestModel::nameOf(const QModelIndex& index) const {
    if (isSuite(index)) {
        return toQString(tests->suites[static_cast<std::size_t>(index.row())].method);
    }
    const CaseRef place = caseOf(index);
    if (isCase(index)) {
        return tr("case %1").arg(place.testCase);
    }
    const TestCase& testCase = tests->suites[place.suite].cases[place.testCase];
    const auto& value = testCase.expectedOutputs[static_cast<std::size_t>(index.row())];
    return tr("output %1  (%2)").arg(index.row()).arg(toQString(valueTypeName(value)));
}

QVariant TestModel::metric(const QModelIndex& index) const {
    if (isSuite(index)) {
        return {};
    }
    // A case with one output says what its output says.
    const auto output = isCase(index) ? std::size_t{0} : static_cast<std::size_t>(index.row());
    const Comparison* const known = comparison(caseOf(index), output);
    if (known == nullptr || (isCase(index) && result(caseOf(index)).report.outputs.size() > 1)) {
        return {};
    }
    if (index.column() == Mismatches) {
        return tr("%1 of %2").arg(known->mismatches).arg(known->elements);
    }
    if (index.column() == Ulp) {
        return known->metrics.maxUlp ? QVariant(qulonglong{*known->metrics.maxUlp}) : QVariant();
    }
    const auto member = columns[static_cast<std::size_t>(index.column())].metric;
    const auto number = known->metrics.*member;
    return number ? QVariant(QString::number(*number, 'g', 4)) : QVariant();
}

QVariant TestModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    if (role == StateRole) {
        return static_cast<int>(stateOf(index));
    }
    if (role == Qt::ForegroundRole && index.column() == Verdict) {
        const QRgb colour = facts(stateOf(index)).colour;
        return colour == 0 ? QVariant() : QVariant(QColor(colour));
    }
    if (role == Qt::TextAlignmentRole && index.column() > Verdict && index.column() < Message) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role == SearchRole && isSuite(index) && index.column() != Name) {
        return {};
    }
    if (role != Qt::DisplayRole && role != SearchRole &&
        !(role == Qt::ToolTipRole && index.column() == Message)) {
        return {};
    }
    switch (index.column()) {
        case Name:
            return nameOf(index);
        case Verdict:
            return isSuite(index)
                       ? QStringLiteral("%1  %2").arg(stateName(stateOf(index)),
                                                      suiteCount(static_cast<std::size_t>(index.row())))
                       : stateName(stateOf(index));
        case Message: {
            const auto place = placeOf(index);
            const Comparison* const output =
                place && place->output ? comparison(place->testCase, *place->output) : nullptr;
            return output != nullptr         ? toQString(output->difference)
                   : place && !place->output ? message(place->testCase)
                                             : QString();
        }
        default:
            return metric(index);
    }
}

QVariant TestModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const bool ours = orientation == Qt::Horizontal && section >= 0 && section < columnTotal;
    if (ours && role == Qt::TextAlignmentRole && section > Verdict && section < Message) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (!ours || role != Qt::DisplayRole) {
        return QAbstractItemModel::headerData(section, orientation, role);
    }
    return QCoreApplication::translate("tests", columns[static_cast<std::size_t>(section)].title);
}

}  // namespace et::visualizers
