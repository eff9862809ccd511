#include "visualizers/verify/test_model.h"

#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/text.h"

#include <QColor>
#include <QGuiApplication>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace et::visualizers {

namespace {

using bundled_program::CaseReport;
using bundled_program::Comparison;
using bundled_program::Metrics;
using bundled_program::TestCase;

struct TestStateTraits {
    TestState state;
    const char* name;
    std::optional<inspector::format::Meaning> meaning;  ///< its colour; nothing: the text colour
};
constexpr std::array states{
    TestStateTraits{TestState::NotRun, "not run", {}},
    TestStateTraits{TestState::Running, "running…", {}},
    TestStateTraits{TestState::Pass, "✓ pass", inspector::format::Meaning::Good},
    TestStateTraits{TestState::Fail, "✗ fail", inspector::format::Meaning::Error},
    TestStateTraits{TestState::Error, "! error", inspector::format::Meaning::Error},
};
const TestStateTraits& traits(TestState state) {
    return *std::ranges::find(states, state, &TestStateTraits::state);
}

struct TestColumnTraits {
    const char* title;
    std::optional<double> Metrics::* metric;  ///< null: not a metric
};
constexpr std::array<TestColumnTraits, TestModel::columnTotal> testColumns{{
    {"Test", nullptr},
    {"Verdict", nullptr},
    {"Mismatches", nullptr},
    {"Max abs", &Metrics::maxAbsoluteError},
    {"Max rel", &Metrics::maxRelativeError},
    {"SNR (dB)", &Metrics::signalToNoiseDecibels},
    {"Max ULP", nullptr},
    {"Message", nullptr},
}};

// A node id has the suite in its lowest bits, then the case, then the output, each plus one; 0 for none.
constexpr unsigned testNodeBits = 20;
constexpr TreeNode testNodeMask = (TreeNode{1} << testNodeBits) - 1;

TreeNode suiteNode(std::size_t suite) {
    return suite + 1;
}
TreeNode caseNode(const CaseRef& of) {
    return suiteNode(of.suite) | static_cast<TreeNode>(of.testCase + 1) << testNodeBits;
}
TreeNode outputNode(const CaseRef& of, std::size_t output) {
    return caseNode(of) | static_cast<TreeNode>(output + 1) << 2 * testNodeBits;
}
std::size_t suiteOf(TreeNode node) {
    return (node & testNodeMask) - 1;
}
CaseRef caseOf(TreeNode node) {
    return {suiteOf(node), (node >> testNodeBits & testNodeMask) - 1};
}
std::size_t outputOf(TreeNode node) {
    return (node >> 2 * testNodeBits) - 1;
}
bool isSuite(TreeNode node) {
    return node >> testNodeBits == 0;
}
bool isNumeric(int column) {
    return column > TestModel::Verdict && column < TestModel::Message;
}
bool isCase(TreeNode node) {
    return !isSuite(node) && node >> 2 * testNodeBits == 0;
}

}  // namespace

QString stateName(TestState state) {
    return QString::fromUtf8(traits(state).name);
}

TestState stateOf(bundled_program::Verdict verdict) {
    constexpr std::array byVerdict{TestState::Pass, TestState::Fail, TestState::Error};
    return byVerdict[static_cast<std::size_t>(verdict)];
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

std::optional<TestRef> TestModel::placeOf(const QModelIndex& index) const {
    const TreeNode node = nodeOf(index);
    if (node == treeRoot || isSuite(node)) {
        return std::nullopt;
    }
    return TestRef{.testCase = caseOf(node),
                   .output = isCase(node) ? std::nullopt : std::optional(outputOf(node))};
}

QModelIndex TestModel::indexOf(const TestRef& place) const {
    const CaseRef& of = place.testCase;
    if (of.suite >= results.size() || of.testCase >= results[of.suite].size()) {
        return {};
    }
    const bool hasOutput = place.output && *place.output < rowsBelow(caseNode(of));
    return indexOfNode(hasOutput ? outputNode(of, *place.output) : caseNode(of));
}

std::size_t TestModel::rowsBelow(TreeNode node) const {
    if (node == treeRoot) {
        return results.size();
    }
    if (isSuite(node)) {
        return results[suiteOf(node)].size();
    }
    const CaseRef of = caseOf(node);
    return isCase(node) ? tests->suites[of.suite].cases[of.testCase].expectedOutputs.size() : 0;
}

TreeNode TestModel::nodeBelow(TreeNode node, std::size_t place) const {
    if (node == treeRoot) {
        return suiteNode(place);
    }
    return isSuite(node) ? caseNode({suiteOf(node), place}) : outputNode(caseOf(node), place);
}

TreeNode TestModel::nodeAbove(TreeNode node) const {
    if (isSuite(node)) {
        return treeRoot;
    }
    return isCase(node) ? suiteNode(suiteOf(node)) : caseNode(caseOf(node));
}

std::size_t TestModel::placeAmongSiblings(TreeNode node) const {
    if (isSuite(node)) {
        return suiteOf(node);
    }
    return isCase(node) ? caseOf(node).testCase : outputOf(node);
}

TestState TestModel::stateOf(TreeNode node) const {
    if (isSuite(node)) {
        // The states that are verdicts are ordered from best to worst.
        TestState worst = TestState::NotRun;
        for (const Result& each : results[suiteOf(node)]) {
            worst = std::max(worst, each.state);
        }
        return worst;
    }
    const Result& known = result(caseOf(node));
    if (isCase(node)) {
        return known.state;
    }
    const Comparison* const output = comparison(caseOf(node), outputOf(node));
    if (output == nullptr) {
        return known.state == TestState::Running ? TestState::Running : TestState::NotRun;
    }
    return output->agrees() ? TestState::Pass : TestState::Fail;
}

QString TestModel::suiteText(std::size_t suite) const {
    const auto count = [&](TestState state) {
        return std::ranges::count(results[suite], state, &Result::state);
    };
    const auto of = [&](std::ptrdiff_t some, const QString& text) {
        return text.arg(some).arg(results[suite].size());
    };
    if (const auto failed = count(TestState::Fail) + count(TestState::Error); failed > 0) {
        return of(failed, QStringLiteral("✗ %1 of %2 failed"));
    }
    if (count(TestState::Running) > 0) {
        return stateName(TestState::Running);
    }
    const auto passed = count(TestState::Pass);
    return passed > 0 ? of(passed, QStringLiteral("✓ %1 of %2 passed")) : stateName(TestState::NotRun);
}

QString TestModel::nameOf(TreeNode node) const {
    if (isSuite(node)) {
        return toQString(tests->suites[suiteOf(node)].method);
    }
    const CaseRef place = caseOf(node);
    if (isCase(node)) {
        return QStringLiteral("case %1").arg(place.testCase);
    }
    const TestCase& testCase = tests->suites[place.suite].cases[place.testCase];
    return QStringLiteral("output %1  (%2)")
        .arg(outputOf(node))
        .arg(toQString(valueTypeName(testCase.expectedOutputs[outputOf(node)])));
}

QString TestModel::verdictText(TreeNode node) const {
    return isSuite(node) ? suiteText(suiteOf(node)) : stateName(stateOf(node));
}

QString TestModel::messageText(TreeNode node) const {
    if (isSuite(node)) {
        return {};
    }
    if (isCase(node)) {
        return message(caseOf(node));
    }
    const Comparison* const output = comparison(caseOf(node), outputOf(node));
    return output == nullptr ? QString() : toQString(output->difference);
}

QVariant TestModel::metric(TreeNode node, int column) const {
    if (isSuite(node)) {
        return {};
    }
    // A case with one output shows the results of that output.
    const Comparison* const known = comparison(caseOf(node), isCase(node) ? 0 : outputOf(node));
    if (known == nullptr || (isCase(node) && result(caseOf(node)).report.outputs.size() > 1)) {
        return {};
    }
    if (column == Mismatches) {
        return QStringLiteral("%1 of %2").arg(known->mismatches).arg(known->elements);
    }
    if (column == Ulp) {
        return known->metrics.maxUlp ? QVariant(qulonglong{*known->metrics.maxUlp}) : QVariant();
    }
    const auto member = testColumns[static_cast<std::size_t>(column)].metric;
    const auto number = known->metrics.*member;
    return number ? QVariant(QString::number(*number, 'g', 4)) : QVariant();
}

QVariant TestModel::text(TreeNode node, int column) const {
    switch (column) {
        case Name:
            return nameOf(node);
        case Verdict:
            return verdictText(node);
        case Message:
            return messageText(node);
        default:
            return metric(node, column);
    }
}

QVariant TestModel::cellData(TreeNode node, int column, int role) const {
    switch (role) {
        case Qt::DisplayRole:
            return text(node, column);
        case SearchRole:
            return isSuite(node) && column != Name ? QVariant() : text(node, column);
        case Qt::ToolTipRole:
            return column == Message ? text(node, column) : QVariant();
        case StateRole:
            return static_cast<int>(stateOf(node));
        case Qt::ForegroundRole: {
            const auto meaning = column == Verdict ? traits(stateOf(node)).meaning : std::nullopt;
            return meaning ? QVariant(meaningColour(*meaning, QGuiApplication::palette())) : QVariant();
        }
        case Qt::TextAlignmentRole:
            return isNumeric(column) ? QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter))
                                     : QVariant();
        default:
            return {};
    }
}

QVariant TestModel::titleData(int column, int role) const {
    if (role == Qt::TextAlignmentRole && isNumeric(column)) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    return role == Qt::DisplayRole
               ? QVariant(QString::fromUtf8(testColumns[static_cast<std::size_t>(column)].title))
               : QVariant();
}

}  // namespace et::visualizers
