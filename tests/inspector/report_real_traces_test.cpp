// Tests of the report on every real trace: general invariants, and totals against the reference's data.
#include "inspector/session/session.h"
#include "tests/inspector/trace_export_check.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace et::inspector::format {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;

struct RealTrace {
    std::string name;
    fs::path folder;
    std::shared_ptr<const Session> session;
};

std::vector<RealTrace> realTraces(bool quirks = false) {
    std::vector<RealTrace> traces;
    simdjson::dom::parser parser;
    for (const element entry :
         parser.load((test::sharedData() / "manifest.json").string())["traces"].get_array()) {
        const std::string name = test::textOf(entry["trace"]);
        const fs::path folder = test::sharedData() / "traces" / name;
        SessionFiles files{.trace = folder / "trace.etdp", .record = {}, .debugBuffer = {}};
        if (!entry["etrecord"].is_null()) {
            files.record = test::sharedData() / test::textOf(entry["etrecord"]);
        }
        if (fs::exists(folder / "debug_buffer.bin")) {
            files.debugBuffer = folder / "debug_buffer.bin";
        }
        JoinOptions options;
        options.referenceQuirks = quirks;
        const auto session = Session::open(files, options);
        EXPECT_TRUE(session) << session.error().toString();
        if (session) {
            traces.push_back({name, folder, *session});
        }
    }
    EXPECT_FALSE(traces.empty());
    return traces;
}

TEST(RealTraces, ExportNestsAndLosesNothing) {
    ET_NEEDS_SHARED_DATA();
    for (const RealTrace& trace : realTraces()) {
        SCOPED_TRACE(trace.name);
        test::checkExport(*trace.session->blocks);
    }
}

/// Sum of "share" by block, excluding rows that are parts of another.
std::map<std::string, double> shares(const Table& table) {
    const auto at = [&](std::string_view id) {
        return static_cast<std::size_t>(std::ranges::find(table.columns, id, &Column::id) -
                                        table.columns.begin());
    };
    const std::size_t part = at("operator");
    std::map<std::string, double> sums;
    for (const auto& row : table.rows) {
        if (part == table.columns.size() || std::holds_alternative<std::monostate>(row[part])) {
            sums[std::get<std::string>(row[0])] += std::get<double>(row[at("share")]);
        }
    }
    return sums;
}

TEST(RealTraces, GroupsOfABlockAddUpToIt) {
    ET_NEEDS_SHARED_DATA();
    for (const RealTrace& trace : realTraces()) {
        const auto& blocks = *trace.session->blocks;
        std::map<std::string, double> whole;
        for (const Block& block : blocks.blocks()) {
            whole[std::string(block.name)] += 100;
        }
        for (const events::GroupBy by :
             {events::GroupBy::Op, events::GroupBy::Module, events::GroupBy::Delegate}) {
            SCOPED_TRACE(trace.name);
            events::EventTableOptions options;
            options.groupBy = by;
            const auto table = events::eventTable(blocks, options);
            ASSERT_TRUE(table);
            for (const auto& [block, share] : shares(*table)) {
                EXPECT_NEAR(share, whole[block], 1e-6);
            }
        }
    }
}

TEST(RealTraces, JsonHoldsTheReferencesEvents) {
    ET_NEEDS_SHARED_DATA();
    for (const RealTrace& trace : realTraces()) {
        if (!fs::exists(trace.folder / "inspector.json")) {
            continue;
        }
        SCOPED_TRACE(trace.name);
        simdjson::dom::parser ours;
        simdjson::dom::parser theirs;
        const element document = test::parsed(ours, test::rendered(trace.session->blocks, {}, Format::Json));
        const auto expected = theirs.load((trace.folder / "inspector.json").string()).get_array();
        ASSERT_EQ(document["blocks"].get_array().size(), expected.size());
        for (std::size_t block = 0; block < expected.size(); ++block) {
            const auto events = expected.at(block)["events"].get_array();
            ASSERT_EQ(document["blocks"].at(block)["events"].get_array().size(), events.size());
            for (std::size_t i = 0; i < events.size(); ++i) {
                const element own = document["blocks"].at(block)["events"].at(i);
                for (const char* key : {"name", "raw", "start_time", "instruction_id", "is_delegated_op",
                                        "delegate_debug_identifier"}) {
                    EXPECT_EQ(simdjson::minify(own[key]), simdjson::minify(events.at(i)[key])) << key;
                }
            }
        }
    }
}

/// The reference's find_total_for_module, computed from its events.
double referenceTotal(element blocks, std::string_view module) {
    double total = 0;
    for (const element block : blocks) {
        for (const element event : block["events"]) {
            const bool named =
                std::ranges::any_of(event["module_hierarchy"].get_object().value(), [&](const auto& node) {
                    return std::ranges::any_of(node.value.get_object().value(), [&](const auto& frame) {
                        return frame.key.find(module) != std::string_view::npos;
                    });
                });
            if (!named || std::string_view(event["name"]) == "OPERATOR_CALL") {
                continue;
            }
            std::vector<double> samples;
            for (const element sample : event["raw"]) {
                samples.push_back(sample);
            }
            total += samples.empty() ? 0 : summarize(samples).average;
        }
    }
    return total;
}

TEST(RealTraces, ModuleTotalsAreTheReferences) {
    ET_NEEDS_SHARED_DATA();
    std::size_t compared = 0;
    for (const RealTrace& trace : realTraces(true)) {
        if (!fs::exists(trace.folder / "inspector.json")) {
            continue;
        }
        simdjson::dom::parser parser;
        const element blocks = parser.load((trace.folder / "inspector.json").string());
        for (const std::string module : {"L__self__", "conv", "fc", "features_1", "layer", "attention"}) {
            const double expected = referenceTotal(blocks, module);
            events::EventTableOptions options;
            options.module = module;
            options.columns = {"event_name", "avg"};
            const auto table = events::eventTable(*trace.session->blocks, options);
            if (expected == 0) {
                continue;
            }
            SCOPED_TRACE(trace.name + " " + module);
            ASSERT_TRUE(table) << table.error().toString();
            EXPECT_EQ(std::get<double>(table->rows.back()[1]), expected);
            ++compared;
        }
    }
    EXPECT_GE(compared, 20U);
}

}  // namespace
}  // namespace et::inspector::format
