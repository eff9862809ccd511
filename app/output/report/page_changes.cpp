#include "app/output/report/page_changes.h"

#include "inspector/comparison/comparison.h"
#include "inspector/comparison/readable_times.h"
#include "inspector/events/readable_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace et::output {
namespace {

using inspector::ComparisonRow;

std::shared_ptr<const inspector::Measurement> sideOf(const inspector::EventBlocks& blocks,
                                                     const inspector::TraceFiles& files) {
    return std::make_shared<inspector::Measurement>(
        inspector::makeMeasurement(blocks, files.trace.filename().string()));
}

/// "0.1": a change of 10 %.
Cell changeOf(const inspector::TimeTest& test) {
    return test.ratio ? Cell((*test.ratio - 1) * 100) : Cell();
}

std::vector<Cell> rowOf(const ComparisonRow& row, std::string_view method) {
    const inspector::OperatorTimes& shown = row.shown();
    const bool both = row.a != nullptr && row.b != nullptr;
    return {
        inspector::readableOperator(shown),
        std::string(method),
        shown.module,
        row.a != nullptr ? Cell(row.test.medianA) : Cell(),
        row.b != nullptr ? Cell(row.test.medianB) : Cell(),
        row.effect(),
        both ? changeOf(row.test) : Cell(),
        both ? std::string(inspector::name(row.test.verdict)) : std::string(inspector::name(row.alignment)),
        std::string(row.name()),
        shown.instruction.value < 0 ? std::string() : fmt::to_string(shown.instruction.value),
        fmt::format("{}", fmt::join(numbersOf(shown.handles), ",")),
        std::string(row.name())};
}

Table tableOf(const inspector::Comparison& comparison, std::size_t maxRows) {
    const Measure time = comparison.a->cycles ? Measure::Cycles : Measure::Nanoseconds;
    Table table;
    table.columns = {textColumn("operator"),
                     textColumn("phase"),
                     textColumn("module"),
                     numberColumn("a", "A", time),
                     numberColumn("b", "B", time),
                     numberColumn("effect", "B - A", time),
                     numberColumn("change", Measure::Change),
                     textColumn("verdict"),
                     textColumn("name", "name in the trace"),
                     textColumn("#i", "instruction"),
                     textColumn("#h", "handles"),
                     textColumn("#n", "name")};
    for (const inspector::MethodComparison& method : comparison.methods) {
        for (const ComparisonRow& row : method.rows) {
            if (table.rows.size() < maxRows) {
                table.rows.push_back(rowOf(row, inspector::events::readableBlock(method.a->method)));
            }
        }
    }
    return table;
}

std::string totalsText(const inspector::Comparison& comparison) {
    const Measure time = comparison.a->cycles ? Measure::Cycles : Measure::Nanoseconds;
    std::string out = fmt::format("A: {}, B: {}.", comparison.a->name, comparison.b->name);
    for (const inspector::MethodComparison& method : comparison.methods) {
        const inspector::TimeTest& total = method.total;
        out += fmt::format(" {}: {} to {}, {}.", inspector::events::readableBlock(method.a->method),
                           readable(total.medianA, time), readable(total.medianB, time),
                           inspector::name(total.verdict));
    }
    return out;
}

}  // namespace

PageChanges pageChanges(const inspector::Session& session, std::size_t maxRows) {
    if (session.blocks == nullptr || session.others.empty()) {
        return {};
    }
    const inspector::OtherTrace& other = session.others.front();
    const auto compared = inspector::compareMeasurements(
        sideOf(*session.blocks, {.trace = session.files.trace}), sideOf(*other.blocks, other.files));
    if (!compared) {
        return {.text = "The traces cannot be compared: " + compared.error().message, .rows = {}};
    }
    return {.text = totalsText(**compared), .rows = tableOf(**compared, maxRows)};
}

}  // namespace et::output
