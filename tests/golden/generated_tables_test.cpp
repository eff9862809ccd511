// Compares the output for a small model made by the test with the files in expected/. After an intended
// change run with ET_UPDATE_GOLDENS=1 and review the difference.
#include "inspector/events/chrome_trace.h"
#include "tests/inspector/report_support.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace et::inspector::events {
namespace {

void compare(const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(ET_GOLDEN_FOLDER) / name;
    if (std::getenv("ET_UPDATE_GOLDENS") != nullptr) {
        std::ofstream(path, std::ios::binary) << text;
    }
    EXPECT_EQ(text, test::readText(path)) << "for " << path;
}

EventTableOptions groupedBy(GroupBy by) {
    EventTableOptions options;
    options.groupBy = by;
    return options;
}

TEST(GeneratedTables, DefaultTableInEveryFormat) {
    const auto blocks = test::sampleModel();
    compare("table.txt", test::rendered(blocks));
    compare("table.tsv", test::rendered(blocks, {}, format::Format::Tsv));
    compare("table.csv", test::rendered(blocks, {}, format::Format::Csv));
    compare("table.md", test::rendered(blocks, {}, format::Format::Markdown));
    compare("events.json", test::rendered(blocks, {}, format::Format::Json));
    compare("table_norecord.txt", test::rendered(test::sampleTrace()));
}

TEST(GeneratedTables, NarrowTerminal) {
    compare("narrow_80.txt",
            test::rendered(test::sampleModel(), {}, format::Format::Table, {.colour = false, .width = 80}));
    compare("narrow_colour.txt",
            test::rendered(test::sampleModel(), {}, format::Format::Table, {.colour = true, .width = 60}));
}

TEST(GeneratedTables, Groups) {
    const auto blocks = test::sampleModel();
    compare("by_op.txt", test::rendered(blocks, groupedBy(GroupBy::Op)));
    compare("by_module.txt", test::rendered(blocks, groupedBy(GroupBy::Module)));
    compare("by_delegate.txt", test::rendered(blocks, groupedBy(GroupBy::Delegate)));
    compare("by_block.txt", test::rendered(blocks, groupedBy(GroupBy::Block)));
    compare("by_op.json", test::rendered(blocks, groupedBy(GroupBy::Op), format::Format::Json));
}

TEST(GeneratedTables, EveryColumn) {
    EventTableOptions options;
    options.columns = {"all"};
    compare("all_columns.tsv", test::rendered(test::sampleModel(), options, format::Format::Tsv));
}

TEST(GeneratedTables, ChromeTrace) {
    std::ostringstream stream;
    ASSERT_TRUE(writeChromeTrace(*test::sampleModel(), stream));
    compare("chrome_trace.json", stream.str());
}

}  // namespace
}  // namespace et::inspector::events
