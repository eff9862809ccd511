#include "tests/architecture/include_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace et::architecture {
namespace {

bool everyFileExists(const std::string&) {
    return true;
}

/// Returns the violations of a file at `path` with one include, given as in the source.
std::vector<std::string> violations(const std::string& path, const std::string& include) {
    return includeViolations({.path = path, .text = "#include " + include + "\n"}, everyFileExists);
}

struct Arrow {
    const char* from;
    const char* include;
};

void PrintTo(const Arrow& arrow, std::ostream* stream) {
    *stream << arrow.from << " includes " << arrow.include;
}

class BadArrowTest : public testing::TestWithParam<Arrow> {};

TEST_P(BadArrowTest, IsFound) {
    EXPECT_EQ(violations(GetParam().from, GetParam().include).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Planted, BadArrowTest,
    testing::Values(
        Arrow{"runtime/core/result.cpp", "\"runtime/program/program.h\""},
        Arrow{"runtime/program/program.cpp", "\"runtime/executor/method.h\""},
        Arrow{"runtime/kernels/add.cpp", "\"runtime/executor/method.h\""},
        Arrow{"runtime/program/program.h", "\"etdump/trace.h\""},
        Arrow{"etdump/trace.cpp", "\"etrecord/record.h\""},
        Arrow{"etrecord/record.cpp", "\"bundled_program/bundle.h\""},
        Arrow{"bundled_program/bundle.cpp", "\"etdump/trace.h\""},
        Arrow{"backends/xnnpack/delegate/delegate.cpp", "\"etrecord/record.h\""},
        Arrow{"backends/reference/interpreter.cpp", "\"etdump/trace.h\""},
        Arrow{"backends/xnnpack/payload/payload.h", "\"backends/xnnpack/nodes/shapes.h\""},
        Arrow{"backends/xnnpack/nodes/signatures.cpp", "\"backends/xnnpack/library/constant_data.h\""},
        Arrow{"backends/xnnpack/library/subgraph.cpp",
              "\"backends/xnnpack/custom_kernels/custom_byte_arithmetic.h\""},
        Arrow{"backends/xnnpack/library/subgraph.cpp", "\"backends/xnnpack/format/read_payload.h\""},
        Arrow{"backends/xnnpack/lower/operator_arguments.cpp", "\"backends/xnnpack/quantize/sites.h\""},
        Arrow{"backends/xnnpack/newcomer/file.cpp", "\"inspector/join/event_blocks.h\""},
        Arrow{"inspector/session/session.h", "\"visualizers/selection.h\""},
        Arrow{"inspector/session/session.cpp", "\"app/cli/main.h\""},
        Arrow{"inspector/format/table.cpp", "\"inspector/join/event_blocks.h\""},
        Arrow{"inspector/format/table.cpp", "\"inspector/names/operator_names.h\""},
        Arrow{"inspector/join/event_blocks.cpp", "\"inspector/session/session.h\""},
        Arrow{"inspector/events/event_fields.cpp", "\"inspector/source/source_index.h\""},
        Arrow{"inspector/memory/memory_text.cpp", "\"inspector/events/event_fields.h\""},
        Arrow{"inspector/delegates/times.cpp", "\"inspector/graph/diagram.h\""},
        Arrow{"inspector/graph/diagram.cpp", "\"inspector/findings/findings.h\""},
        Arrow{"inspector/findings/findings.cpp", "\"inspector/store/database/database.h\""},
        Arrow{"inspector/store/database/database.cpp", "\"inspector/store/store_location.h\""},
        Arrow{"inspector/store/session/row_writer.cpp", "\"inspector/store/session_store.h\""},
        Arrow{"inspector/store/session/row_writer.cpp", "\"inspector/store/postgres/link.h\""},
        Arrow{"inspector/newcomer/file.cpp", "\"runtime/core/result.h\""},
        Arrow{"app/tasks/model/model.cpp", "\"app/cli/options.h\""},
        Arrow{"app/tasks/model/model.cpp", "\"app/output/run/run_info.h\""},
        Arrow{"app/tasks/base/output_file.cpp", "\"app/tasks/model/model.h\""},
        Arrow{"app/tasks/compare/launch_series.cpp", "\"app/tasks/verify/report_json.h\""},
        Arrow{"app/tasks/rewrite/part_run.cpp", "\"app/tasks/reduce/evaluation.h\""},
        Arrow{"app/tasks/newcomer/file.cpp", "\"runtime/core/result.h\""},
        Arrow{"app/output/sql/answers.cpp", "\"app/cli/help_text.h\""},
        Arrow{"app/studio/main_window.cpp", "\"app/cli/exit_code.h\""},
        Arrow{"visualizers/selection.cpp", "\"app/studio/main_window.h\""},
        Arrow{"visualizers/timeline/view.cpp", "\"visualizers/graph/model.h\""},
        Arrow{"visualizers/selection.cpp", "\"visualizers/graph/model.h\""},
        Arrow{"visualizers/toolkit/tree_model.cpp", "\"visualizers/graph/model.h\""},
        Arrow{"app/studio/compare/compare_panel.cpp", "\"app/studio/verify/verify_panel.h\""},
        Arrow{"app/studio/main_window.cpp", "\"app/studio/verify/verify_panel.h\""},
        Arrow{"app/cli/main.cpp", "\"visualizers/selection.h\""},
        Arrow{"app/cli/main.cpp", "\"app/studio/main_window.h\""},
        Arrow{"app/studio/main_window.cpp", "\"tests/support/shared_data.h\""},
        Arrow{"runtime/core/result.cpp", "\"tests/support/shared_data.h\""},
        Arrow{"newcomer/file.cpp", "\"runtime/core/result.h\""}, Arrow{"etdump/trace.cpp", "<QString>"},
        Arrow{"inspector/session/session.cpp", "<QtCore/QString>"},
        Arrow{"app/cli/main.cpp", "<QApplication>"}, Arrow{"tests/inspector/a_test.cpp", "<QTest>"},
        Arrow{"etdump/trace.h", "\"etdump/schema/etdump_generated.h\""},
        Arrow{"inspector/session/session.cpp", "\"etdump/schema/etdump_generated.h\""},
        Arrow{"runtime/program/program.h", "\"runtime/program/schema/program_generated.h\""},
        Arrow{"runtime/builder/program_writer.h", "\"runtime/program/schema/program_generated.h\""},
        Arrow{"runtime/builder/program_writer.cpp", "\"etdump/schema/etdump_generated.h\""},
        Arrow{"inspector/session/session.cpp", "\"etdump/detail/trace_builder.h\""},
        Arrow{"bundled_program/bundle.cpp", "\"runtime/program/detail/read_values.h\""},
        Arrow{"etdump/trace.cpp", "<etdump/trace.h>"}, Arrow{"etdump/trace.cpp", "\"trace.h\""},
        Arrow{"etdump/trace.cpp", "\"../etdump/trace.h\""}));

class GoodArrowTest : public testing::TestWithParam<Arrow> {};

TEST_P(GoodArrowTest, IsFine) {
    EXPECT_TRUE(violations(GetParam().from, GetParam().include).empty());
}

INSTANTIATE_TEST_SUITE_P(
    Planted, GoodArrowTest,
    testing::Values(
        Arrow{"runtime/program/program.cpp", "\"runtime/core/result.h\""},
        Arrow{"runtime/executor/method.cpp", "\"runtime/kernels/registry.h\""},
        Arrow{"runtime/program/program.cpp", "\"runtime/program/schema/program_generated.h\""},
        Arrow{"runtime/builder/program_writer.cpp", "\"runtime/program/schema/program_generated.h\""},
        Arrow{"runtime/program/detail/read_values.h", "\"runtime/program/schema/program_generated.h\""},
        Arrow{"runtime/program/program.cpp", "\"runtime/program/detail/read_values.h\""},
        Arrow{"etrecord/record.cpp", "\"runtime/core/result.h\""},
        Arrow{"backends/reference/interpreter.cpp", "\"etrecord/record.h\""},
        Arrow{"backends/xnnpack/custom_kernels/custom_byte_arithmetic.cpp",
              "\"backends/xnnpack/nodes/byte_nodes.h\""},
        Arrow{"backends/xnnpack/quantize/prepared_model.cpp", "\"backends/xnnpack/lower/quantizers.h\""},
        Arrow{"inspector/events/event_table.cpp", "\"inspector/format/table.h\""},
        Arrow{"inspector/store/query.cpp", "\"inspector/graph/diagram.h\""},
        Arrow{"inspector/store/session/row_writer.h", "\"inspector/store/database/database.h\""},
        Arrow{"inspector/store/store_location.cpp", "\"inspector/store/postgres/postgres.h\""},
        Arrow{"app/tasks/lab/quantize_run.cpp", "\"app/tasks/verify/report_json.h\""},
        Arrow{"app/tasks/model/model.cpp", "\"app/devices/device.h\""},
        Arrow{"app/cli/commands/run.cpp", "\"app/output/run/run_info.h\""},
        Arrow{"app/output/run/run_info.cpp", "\"app/tasks/model/model.h\""},
        Arrow{"app/studio/verify/verify_panel.cpp", "\"app/tasks/verify/saved_failure.h\""},
        Arrow{"visualizers/timeline/view.cpp", "\"visualizers/selection.h\""},
        Arrow{"visualizers/timeline/view.cpp", "\"visualizers/timeline/model.h\""},
        Arrow{"visualizers/timeline/view.cpp", "\"visualizers/toolkit/tree_model.h\""},
        Arrow{"visualizers/timeline/view.cpp", "<QWidget>"},
        Arrow{"app/studio/main_window.cpp", "\"visualizers/timeline/view.h\""},
        Arrow{"app/studio/verify/verify_panel.cpp", "\"app/studio/panel.h\""},
        Arrow{"app/studio/panels.cpp", "\"app/studio/verify/verify_panel.h\""},
        Arrow{"app/studio/main_window.cpp", "<QMainWindow>"},
        Arrow{"app/cli/main.cpp", "\"inspector/session.h\""},
        Arrow{"tests/etdump/trace_test.cpp", "\"tests/support/shared_data.h\""},
        Arrow{"tests/runtime/program_test.cpp", "\"runtime/program/schema/program_generated.h\""},
        Arrow{"etdump/trace.cpp", "<vector>"}, Arrow{"etdump/trace.cpp", "<sys/mman.h>"}));

TEST(IncludeRulesTest, AMissingFileIsFound) {
    const auto found =
        includeViolations({.path = "etdump/trace.cpp", .text = "\n#include \"etdump/none.h\"\n"},
                          [](const std::string&) { return false; });
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0], "etdump/trace.cpp:2: includes etdump/none.h: no such file");
}

TEST(IncludeRulesTest, TheProjectHasNoOtherArrow) {
    const auto sources = readSources(checkout());
    ASSERT_GT(sources.size(), 20U);
    std::set<std::string> paths;
    for (const SourceFile& file : sources) {
        paths.insert(file.path);
    }
    std::size_t includes = 0;
    for (const SourceFile& file : sources) {
        includes += includesOf(file.text).size();
        for (const std::string& violation :
             includeViolations(file, [&](const std::string& path) { return paths.contains(path); })) {
            ADD_FAILURE() << violation;
        }
    }
    EXPECT_GT(includes, sources.size()) << "the walk saw no includes";
}

}  // namespace
}  // namespace et::architecture
