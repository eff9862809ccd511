#include "inspector/events/event_table.h"
#include "tests/inspector/report_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace et::inspector::events {
namespace {

using test::columnTexts;
using test::rendered;
using test::sampleModel;
using test::sampleTrace;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Shows the sample's nanoseconds unscaled.
const JoinOptions nanoseconds = [] {
    JoinOptions options;
    options.target = TimeScale::Nanoseconds;
    return options;
}();

/// Returns options changed by `set`.
EventTableOptions with(const auto& set) {
    EventTableOptions options;
    set(options);
    return options;
}

double numberAt(const format::Table& table, std::size_t row, std::string_view id) {
    const auto column = std::ranges::find(table.columns, id, &format::Column::id);
    return std::get<double>(table.rows[row][static_cast<std::size_t>(column - table.columns.begin())]);
}

TEST(EventTable, HasTheReferencesColumnsAndLeavesOutOperatorCalls) {
    const auto table = eventTable(*sampleModel());
    std::vector<std::string> headers;
    for (const format::Column& column : table->columns) {
        headers.push_back(column.header);
    }
    EXPECT_THAT(headers, ElementsAre("event_block_name", "event_name", "p10 (ms)", "p50 (ms)", "p90 (ms)",
                                     "avg (ms)", "min (ms)", "max (ms)", "op_types", "is_delegated_op",
                                     "delegate_backend_name", "start_time"));
    EXPECT_THAT(columnTexts(sampleModel(), {}, "event_name"),
                ElementsAre("Method::init", "Program::load_method", "native_call_convolution.out",
                            "native_call__softmax.out", "Fully Connected (NC, F32) GEMM #1",
                            "Fully Connected (NC, F32) GEMM #2", "DELEGATE_CALL", "Method::execute"));
    EXPECT_EQ(table->rows.size(), 8U);
}

TEST(EventTable, KeepsOperatorCallsWhenAsked) {
    const auto names =
        columnTexts(sampleModel(), with([](auto& o) { o.operatorCalls = true; }), "event_name");
    EXPECT_EQ(std::ranges::count(names, "OPERATOR_CALL"), 2);
}

TEST(EventTable, NamesItsUnitsAfterTheTargetScale) {
    const auto table = eventTable(*sampleModel(nanoseconds));
    EXPECT_EQ(table->columns[2].header, "p10 (ns)");
    EXPECT_EQ(numberAt(*table, 2, "avg"), 400);
}

TEST(EventTable, ShowsEventsWithoutSamplesAsNotANumberBesideOthersThatHaveSome) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("native_call_add.out", test::at(0), 0, 1000);
    writer.debug("logged", test::at(1), {.value = std::int64_t{7}});
    const auto blocks = test::join(test::traceOf(writer));
    const std::string grid = rendered(blocks);
    EXPECT_THAT(grid, HasSubstr("│ logged              │    nan     │"));
    EXPECT_THAT(rendered(blocks, {}, format::Format::Tsv),
                HasSubstr("1\tExecute\tlogged\t\t\t\t\t\t\t[]\tFalse\t\t\n"));
}

TEST(EventTable, IsEmptyIfNoEventHasSamples) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.debug("logged", test::at(1), {.value = std::int64_t{7}});
    const std::string grid = rendered(test::join(test::traceOf(writer)));
    EXPECT_THAT(grid, HasSubstr("│ logged       │            │"));
    EXPECT_THAT(grid, Not(HasSubstr("nan")));
}

TEST(EventTable, ShowsHiddenColumns) {
    const auto every = eventTable(*sampleModel(), with([](auto& o) { o.columns = {"all"}; }));
    ASSERT_TRUE(every);
    EXPECT_EQ(every->columns.size(), eventColumns().size());
    const auto texts = [](const std::string& id) {
        return columnTexts(sampleModel(nanoseconds), with([&](auto& o) { o.columns = {id}; }), id);
    };
    EXPECT_EQ(texts("source")[2], "['/src/model.py:7']");
    EXPECT_EQ(texts("module")[2], "conv");
    EXPECT_EQ(texts("module")[3], "");
    EXPECT_EQ(texts("raw")[7], "[1000.0, 2000.0]");
    EXPECT_EQ(texts("debug_handles")[2], "1");
    EXPECT_EQ(texts("total")[7], "3000.0");
    EXPECT_EQ(texts("self")[7], "960.0");  // 3000 minus calls of 820, 220 and 1000
    EXPECT_EQ(texts("share")[7], "100.0");
    EXPECT_EQ(texts("method")[7], "forward");
    EXPECT_EQ(texts("delegate_debug_identifier")[4], "Fully Connected (NC, F32) GEMM #1");
    EXPECT_THAT(texts("module_hierarchy")[2],
                HasSubstr("'L__self__conv': ['conv', 'torch.nn.modules.conv.Conv2d']"));
}

TEST(EventTable, AddsColumnsToTheUsualOnes) {
    const auto table = eventTable(*sampleModel(), with([](auto& o) { o.columns = {"+share"}; }));
    EXPECT_EQ(table->columns.size(), 13U);
    EXPECT_EQ(table->columns.back().header, "share (%)");
}

TEST(EventTable, ErrorsListTheColumns) {
    for (const auto& options :
         {with([](auto& o) { o.columns = {"p51"}; }), with([](auto& o) { o.sort = "p51"; }),
          with([](auto& o) { o.sort = "-p51"; })}) {
        const auto table = eventTable(*sampleModel(), options);
        ASSERT_FALSE(table);
        EXPECT_EQ(table.error().code, core::ErrorCode::NotFound);
        EXPECT_THAT(table.error().message,
                    HasSubstr("no column 'p51', expected one of event_block_name, event_name"));
    }
}

TEST(EventTable, SortsNumbersLargestFirstAndTextsUpwards) {
    const auto names = [](const std::string& sort, std::optional<std::size_t> top = {}) {
        return columnTexts(sampleModel(), with([&](auto& o) { o.sort = sort, o.top = top; }), "event_name");
    };
    EXPECT_THAT(names("avg", 3), ElementsAre("Method::execute", "Program::load_method", "Method::init"));
    EXPECT_EQ(names("-avg"), names("avg"));
    EXPECT_EQ(names("+avg").front(), "native_call__softmax.out");
    EXPECT_EQ(names("event_name").front(), "DELEGATE_CALL");
    EXPECT_EQ(names("-event_name").front(), "native_call_convolution.out");
    EXPECT_EQ(names("total", 1).front(), "Method::execute");  // a hidden column
    EXPECT_TRUE(names("", 0).empty());
}

TEST(EventTable, FiltersByNameOperatorAndModule) {
    const auto names = [](const std::string& filter) {
        return columnTexts(sampleModel(), with([&](auto& o) { o.filter = filter; }), "event_name");
    };
    EXPECT_THAT(names("GEMM #[2-9]"), ElementsAre("Fully Connected (NC, F32) GEMM #2"));
    EXPECT_THAT(names("aten\\._softmax"), ElementsAre("native_call__softmax.out"));
    EXPECT_THAT(names("Conv2d$"), ElementsAre("native_call_convolution.out"));
    EXPECT_TRUE(names("nothing of this").empty());
}

TEST(EventTable, RejectsInvalidAndOversizedFilters) {
    for (const std::string filter :
         {"(", "a{1000}{1000}", "[z-a]", "(((a{20}){20}){20}){20}", "a{99999999999999999999}"}) {
        const auto table = eventTable(*sampleModel(), with([&](auto& o) { o.filter = filter; }));
        ASSERT_FALSE(table) << filter;
        EXPECT_THAT(table.error().code,
                    testing::AnyOf(core::ErrorCode::InvalidArgument, core::ErrorCode::Limit));
    }
}

TEST(EventTable, SearchesHostileTextsInLinearTime) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile(std::string(100'000, 'a'), test::at(0), 0, 10);
    const auto blocks = test::join(test::traceOf(writer));
    const auto table = eventTable(*blocks, with([](auto& o) { o.filter = "(a*)*(a|aa)+b"; }));
    ASSERT_TRUE(table);
    EXPECT_TRUE(table->rows.empty());
}

TEST(EventTable, TotalsAModule) {
    const auto table = eventTable(*sampleModel(nanoseconds), with([](auto& o) { o.module = "conv"; }));
    ASSERT_TRUE(table);
    ASSERT_EQ(table->rows.size(), 2U);
    EXPECT_EQ(std::get<std::string>(table->rows[1][1]), "(total)");
    EXPECT_EQ(numberAt(*table, 1, "avg"), 400);
}

TEST(EventTable, TotalsFilteredEventsOfAModule) {
    const auto totalOf = [](const std::string& filter) {
        return columnTexts(sampleModel(nanoseconds), with([&](auto& o) {
                               o.module = "conv";
                               o.filter = filter;
                               o.columns = {"event_name", "count"};
                           }),
                           "count")
            .back();
    };
    EXPECT_EQ(totalOf("convolution"), "1");
    EXPECT_EQ(totalOf("nothing of this"), "0");
}

TEST(EventTable, SortsByOneColumnAndNothingElse) {
    for (const std::string sort : {"all", "++p50", "-+p50", "+", "+all"}) {
        for (const GroupBy by : {GroupBy::None, GroupBy::Op}) {
            const auto table = eventTable(*sampleModel(), with([&](auto& o) {
                o.sort = sort;
                o.groupBy = by;
            }));
            ASSERT_FALSE(table) << sort;
            EXPECT_EQ(table.error().code, core::ErrorCode::NotFound);
        }
    }
}

TEST(EventTable, ErrorsListTheModules) {
    const auto table = eventTable(*sampleModel(), with([](auto& o) { o.module = "layer9"; }));
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().message, "no event in module 'layer9', expected one of conv, fc");
    const auto bare = eventTable(*sampleTrace(), with([](auto& o) { o.module = "conv"; }));
    ASSERT_FALSE(bare);
    EXPECT_THAT(bare.error().message, HasSubstr("is a record given?"));
}

TEST(EventTable, GivesANarrowTerminalTheColumnsThatFit) {
    const std::string narrow =
        rendered(sampleModel(), {}, format::Format::Table, {.colour = false, .width = 100});
    EXPECT_THAT(narrow, testing::StartsWith("event_name"));
    EXPECT_THAT(narrow, HasSubstr("share (%)"));
    EXPECT_THAT(narrow, Not(HasSubstr("╒")));
    EXPECT_THAT(rendered(sampleModel(), {}, format::Format::Table, {.colour = false, .width = 400}),
                HasSubstr("╒"));
}

// Grouping

/// Sum of a column over the rows of one block, excluding rows that are parts of another.
double blockSum(const format::Table& table, std::string_view block, std::string_view id) {
    const auto part = std::ranges::find(table.columns, "operator", &format::Column::id);
    double sum = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const bool isPart = part != table.columns.end() &&
                            !std::holds_alternative<std::monostate>(
                                table.rows[i][static_cast<std::size_t>(part - table.columns.begin())]);
        if (!isPart && std::get<std::string>(table.rows[i][0]) == block) {
            sum += numberAt(table, i, id);
        }
    }
    return sum;
}

TEST(Grouping, AddsUpToTheBlocksTotalWhateverTheGroups) {
    for (const GroupBy by : {GroupBy::Op, GroupBy::Module, GroupBy::Delegate, GroupBy::Block}) {
        for (const std::string filter : {"", "conv", "GEMM #1"}) {
            const auto table = eventTable(*sampleModel(nanoseconds), with([&](auto& o) {
                o.groupBy = by;
                o.filter = filter;
            }));
            ASSERT_TRUE(table);
            if (by != GroupBy::Block) {
                EXPECT_DOUBLE_EQ(blockSum(*table, "Execute", "total"), 3000);
                EXPECT_DOUBLE_EQ(blockSum(*table, "Execute", "share"), 100);
                EXPECT_DOUBLE_EQ(blockSum(*table, "Default", "total"), 1000);
            }
            double all = 0;
            for (std::size_t i = 0; by == GroupBy::Block && i < table->rows.size(); ++i) {
                all += numberAt(*table, i, "share");
            }
            EXPECT_TRUE(by != GroupBy::Block || std::abs(all - 100) < 1e-9) << all;
        }
    }
}

TEST(Grouping, NamesOperatorsByWhatTheyRun) {
    const auto ops = columnTexts(sampleModel(), with([](auto& o) { o.groupBy = GroupBy::Op; }), "op");
    EXPECT_THAT(ops,
                ElementsAre("Method::init", "(unattributed)", "aten.convolution.default",
                            "Fully Connected (NC, F32) GEMM", "aten._softmax.default", "(unattributed)"));
    const auto bare = columnTexts(sampleTrace(), with([](auto& o) { o.groupBy = GroupBy::Op; }), "op");
    EXPECT_EQ(bare[2], "convolution.out");
}

TEST(Grouping, PutsOperatorsOfADelegateUnderTheirCall) {
    const auto table =
        eventTable(*sampleModel(nanoseconds), with([](auto& o) { o.groupBy = GroupBy::Delegate; }));
    ASSERT_TRUE(table);
    EXPECT_EQ(rendered(sampleModel(nanoseconds), with([](auto& o) {
                           o.groupBy = GroupBy::Delegate;
                           o.columns = {"event_block_name", "delegate", "operator", "count", "total", "avg"};
                       }),
                       format::Format::Csv),
              ",event_block_name,delegate,operator,count,total (ns),avg (ns)\n"
              "0,Default,(not delegated),,1,800.0,800.0\n"
              "1,Default,(unattributed),,1,200.0,200.0\n"
              "2,Execute,(not delegated),,2,1000.0,500.0\n"
              "3,Execute,XnnpackBackend,,3,1000.0,500.0\n"
              "4,Execute,XnnpackBackend,\"Fully Connected (NC, F32) GEMM\",2,700.0,350.0\n"
              "5,Execute,XnnpackBackend,(unattributed),1,300.0,150.0\n"
              "6,Execute,(unattributed),,3,1000.0,500.0\n");
}

TEST(Grouping, CountsRunsOfBlocks) {
    EXPECT_EQ(rendered(sampleModel(nanoseconds), with([](auto& o) { o.groupBy = GroupBy::Block; }),
                       format::Format::Tsv),
              "\tblock\truns\tcount\tp50 (ns)\tp90 (ns)\toutliers\ttotal (ns)\tavg (ns)\tshare (%)\n"
              "0\tDefault\t1\t2\t1000.0\t1000.0\t0\t1000.0\t1000.0\t25.0\n"
              "1\tExecute\t2\t8\t1500.0\t1900.0\t0\t3000.0\t1500.0\t75.0\n");
}

TEST(Grouping, SortsAndCutsAndRefusesStrangeColumns) {
    const auto ops = columnTexts(sampleModel(), with([](auto& o) {
                                     o.groupBy = GroupBy::Op;
                                     o.sort = "op";
                                     o.top = 3;
                                 }),
                                 "op");
    EXPECT_THAT(ops, ElementsAre("(unattributed)", "(unattributed)", "Fully Connected (NC, F32) GEMM"));
    const auto table = eventTable(*sampleModel(), with([](auto& o) {
        o.groupBy = GroupBy::Op;
        o.sort = "raw";
    }));
    ASSERT_FALSE(table);
    EXPECT_THAT(
        table.error().message,
        HasSubstr("expected one of event_block_name, op, count, p50, p90, outliers, total, avg, share"));
}

TEST(EventTable, SurvivesATraceWithoutEvents) {
    etdump::TraceWriter writer;
    const auto blocks = test::join(test::traceOf(writer));
    for (const GroupBy by :
         {GroupBy::None, GroupBy::Op, GroupBy::Module, GroupBy::Delegate, GroupBy::Block}) {
        for (const format::Format format : {format::Format::Table, format::Format::Tsv, format::Format::Csv,
                                            format::Format::Json, format::Format::Markdown}) {
            EXPECT_FALSE(rendered(blocks, with([&](auto& o) { o.groupBy = by; }), format).empty());
            EXPECT_FALSE(rendered(blocks, with([&](auto& o) { o.groupBy = by; }), format,
                                  {.colour = true, .width = 10})
                             .empty());
        }
    }
}

}  // namespace
}  // namespace et::inspector::events
