// Compares tables byte for byte with those that ExecuTorch's Python Inspector printed for the same real
// files.
#include "inspector/events/event_table.h"
#include "inspector/session/session.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>
#include <map>
#include <string>

namespace et::inspector::events {
namespace {

namespace fs = std::filesystem;

/// ETRecord of each trace ("" for none), as listed in the manifest.
std::map<std::string, std::string> recordsByTrace() {
    std::map<std::string, std::string> records;
    simdjson::dom::parser parser;
    const fs::path manifest = test::sharedData() / "manifest.json";
    for (const simdjson::dom::element entry : parser.load(manifest.string())["traces"].get_array()) {
        const simdjson::dom::element record = entry["etrecord"];
        records[std::string(std::string_view(entry["trace"]))] =
            record.is_null() ? std::string() : std::string(std::string_view(record));
    }
    return records;
}

/// Returns the first line in which two texts differ, for a readable failure.
std::string firstDifference(const std::string& ours, const std::string& theirs) {
    std::size_t line = 1;
    std::size_t start = 0;
    for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
        if (i >= ours.size() || i >= theirs.size() || ours[i] != theirs[i]) {
            const auto lineAt = [&](const std::string& text) {
                return text.substr(start, text.find('\n', i) - start);
            };
            return "line " + std::to_string(line) + "\n  ours   " + lineAt(ours) + "\n  theirs " +
                   lineAt(theirs);
        }
        if (ours[i] == '\n') {
            ++line;
            start = i + 1;
        }
    }
    return "none";
}

struct Golden {
    std::string file;  ///< relative to the trace's folder
    bool withRecord;
    format::Format format;
};

/// Compares every trace that has the golden; returns the number compared.
std::size_t compareAll(const Golden& golden, bool quirks) {
    std::size_t compared = 0;
    for (const auto& [trace, record] : recordsByTrace()) {
        const fs::path folder = test::sharedData() / "traces" / trace;
        if (!fs::exists(folder / golden.file)) {
            continue;
        }
        SCOPED_TRACE(trace + "/" + golden.file);
        SessionFiles files{.trace = folder / "trace.etdp", .record = {}, .debugBuffer = {}};
        if (golden.withRecord) {
            files.record = test::sharedData() / record;
            files.debugBuffer =
                fs::exists(folder / "debug_buffer.bin") ? folder / "debug_buffer.bin" : fs::path();
        }
        JoinOptions options;
        options.referenceQuirks = quirks;
        const auto session = Session::open(files, options);
        EXPECT_TRUE(session) << session.error().toString();
        if (!session) {
            continue;
        }
        const auto text = renderEvents(*(*session)->blocks, {}, golden.format);
        EXPECT_TRUE(text) << text.error().toString();
        const std::string expected = test::readText(folder / golden.file);
        EXPECT_TRUE(text && *text == expected) << firstDifference(text.value_or(""), expected);
        ++compared;
    }
    return compared;
}

constexpr const char* tableName(bool record) {
    return record ? "inspector.txt" : "inspector_noetrecord.txt";
}
constexpr const char* tsvName(bool record) {
    return record ? "inspector.tsv" : "inspector_noetrecord.tsv";
}

class ReferenceTables : public testing::TestWithParam<bool> {};

TEST_P(ReferenceTables, TableWithRecord) {
    ET_NEEDS_SHARED_DATA();
    EXPECT_GE(compareAll({tableName(true), true, format::Format::Table}, GetParam()), 16U);
}

TEST_P(ReferenceTables, TsvWithRecord) {
    ET_NEEDS_SHARED_DATA();
    EXPECT_GE(compareAll({tsvName(true), true, format::Format::Tsv}, GetParam()), 16U);
}

TEST_P(ReferenceTables, TableWithoutRecord) {
    ET_NEEDS_SHARED_DATA();
    EXPECT_GE(compareAll({tableName(false), false, format::Format::Table}, GetParam()), 19U);
}

TEST_P(ReferenceTables, TsvWithoutRecord) {
    ET_NEEDS_SHARED_DATA();
    EXPECT_GE(compareAll({tsvName(false), false, format::Format::Tsv}, GetParam()), 19U);
}

// These traces contain none of the intended differences, so both modes must match the reference.
INSTANTIATE_TEST_SUITE_P(, ReferenceTables, testing::Values(true, false),
                         [](const auto& quirks) { return quirks.param ? "ReferenceQuirks" : "Default"; });

}  // namespace
}  // namespace et::inspector::events
